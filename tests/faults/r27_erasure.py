"""R27: somebody is forgotten: nothing of theirs is left in any file, and no byte that is not theirs has changed.

Each world has people, guilds, private chats, words that everybody uses, quotations, memories with versions, relations
and a past elsewhere, work, files, exports, copies and a log.

What is whose is decided here, from what was said, and not by asking the product.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from structlog.testing import capture_logs

from tests.faults.family import Family, Size, Verdict, seed_of

WORLDS, FEW = 10, 3
"""How many worlds a case plays."""
_CASES = {Size.SLICE: 1, Size.NIGHTLY: 20, Size.RELEASE: 100}
ANN, JAMES, EVE, OWNER = "100", "300", "400", "1"
SHARED = ("2026-12-24", "acme-prod-01", "config.toml", "@glassmind_bot", "ceo@acme.test", "gpt-4o-mini")
PHRASE = "the merger closes on the day before christmas as everybody knows"
WORDS = tuple("apple river stone candle window garden silver mountain harbour letter winter orange violin".split())  # noqa: SIM905
_RESEALED = {"history": ("blob", "h"), "request": ("tail", "head", "h")}


class Place(NamedTuple):
    """A channel, and whom it is open to."""

    id: str
    guild: str
    people: tuple[str, ...]


PLACES = (
    Place("console:#general", "1", (ANN, JAMES)),
    Place("console:#random", "1", (ANN, JAMES, EVE)),
    Place("console:#boardroom", "2", (JAMES, EVE)),
    Place("console:#elsewhere", "2", (ANN, EVE)),
    *(Place(f"console:dm:{who}", "", (who,)) for who in (ANN, JAMES, EVE)),
)


class World:
    """What was said in one world, and by whom first."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.canaries: list[str] = []
        self.sentences: list[str] = []
        self.said: set[tuple[str, str]] = set()
        """Where and by whom the phrase was said."""
        self.others: list[str] = []
        """Words that only somebody else ever had remembered, and nobody takes away."""
        self.beside: list[str] = []
        """What others said themselves beside words of hers that they answered."""

    def line(self, who: str, where: str) -> str:
        """Make something up; of Ann's it is known what nobody else says."""
        parts = self.random.sample(SHARED, self.random.randint(0, 2))
        if self.random.random() < 0.3:
            parts.append(PHRASE)
            self.said.add((where, who))
        if who == ANN:
            own = " ".join(self.random.choices(WORDS, k=9))
            # with a digit, as every word has that gives somebody away: a plain one is known only in a run of seven
            self.canaries.append(f"canary-7{self.random.randrange(16**7):07x}")
            self.sentences.append(own)
            parts += [own, self.canaries[-1]]
        elif self.sentences and self.random.random() < 0.2:
            # in their own words, and theirs
            parts += ["somebody said", self.random.choice(self.sentences)]
        self.random.shuffle(parts)
        return " ".join(parts) or self.random.choice(WORDS)

    def repeats(self, where: str, text: str) -> bool:
        """Say whether a text that was written where Ann wrote repeats what only she said."""
        own = (*self.canaries, *self.sentences)
        if any(one in text for one in own):
            return True
        return self.is_hers(where) and PHRASE in text

    def is_hers(self, where: str) -> bool:
        """Say whether only Ann said the phrase there."""
        return {who for place, who in self.said if place == where} == {ANN}


def cases(size: Size) -> list[str]:
    name = "few" if size is Size.SLICE else "worlds"
    return [f"{name}{number}" for number in range(_CASES[size])]


async def play(key: str, directory: Path) -> Verdict:
    trouble: list[str] = []
    worlds = FEW if key.startswith("few") else WORLDS
    for number in range(worlds):
        seed = f"{seed_of(key)}/{number}"
        folder = directory / str(number)
        folder.mkdir()
        trouble += [f"world {seed}: {one}" for one in await _world(seed, folder)]
    return Verdict(n=worlds, counts={"wrong": len(trouble)}, trouble="\n".join(trouble[:20]))


async def _world(seed: str, directory: Path) -> list[str]:
    from tests.bot.cortex.chat import chat

    world, data = World(seed), directory / "data"
    with capture_logs() as logs:
        trouble = await _forgotten(world, directory, data, chat)
    log = "\n".join(map(repr, logs))
    trouble += [f"{one} is in the log" for one in (*world.canaries, *world.others) if one in log]
    return trouble + _left(world, data)


async def _forgotten(world: World, directory: Path, data: Path, chat: Any) -> list[str]:
    """Let one world live, then Ann ask to be forgotten; return what is left of her, or gone of others."""
    async with chat(directory, _model) as bot:
        await _live(world, bot, data)
        await _remembers(world, bot, data)
        before = _Seen(data)
        assert any(one in text for one in world.canaries for text in before.words()), "she left no trace"
        await bot.hears("!forgetme now", ANN, mentions_bot=True, channel=f"console:dm:{ANN}")
        after = _Seen(data)
        trouble = _left(world, data) + before.lost(world, after)
        trouble += [f"damaged: {row}" for row in await bot.store.verify()]
        trouble += [f"gone: {one}" for one in world.others if not after.holds(one)]
        trouble += await _comes_back(world, bot, before)
    return trouble


def _model(request: Any) -> Any:
    """Answer, repeat the newest words or older ones, or remember them."""
    from tests.fakes.provider import calls, says

    newest = request.messages[-1]
    if newest.role != "user":
        # what a tool answered has no text of its own
        return says("noted")
    words = newest.text.splitlines()[-1]
    if "REMEMBER" in newest.text and request.tools:
        return calls(("memory_save", {"content": words.replace("REMEMBER", "").strip(), "type": "fact"}))
    if "RECALL" in newest.text:
        older = [m.text.splitlines()[-1] for m in request.messages[:-1] if m.role == "user"]
        return says("earlier: " + " / ".join(older[-2:]))
    return says(f"you said: {words}" if len(words) % 2 else "yes")


async def _live(world: World, bot: Any, data: Path) -> None:
    """Let people talk, and everything that words can get into be made."""
    from adapters.workspaces import Settings, create
    from bot.domain.ids import MAIN, ChannelId, ChannelKey

    rng, workspaces = world.random, create(data, Settings())
    for place in PLACES[:4]:
        other = next(who for who in place.people if who != ANN)
        await _says(bot, place, other, " ".join(SHARED))
    for number in range(rng.randint(6, 10)):
        place = rng.choice(PLACES)
        who = ANN if number < 2 and ANN in place.people else rng.choice(place.people)
        text = f"{rng.choice(('', '', 'REMEMBER', 'RECALL'))} {world.line(who, place.id)}".strip()
        await _says(bot, place, who, text, mentions_bot=rng.random() < 0.8)
        others = [one for one in place.people if one != ANN]
        if who == ANN and others and rng.random() < 0.5:
            await _says(bot, place, rng.choice(others), "RECALL that for me")
        if who == ANN and others and rng.random() < 0.5:
            await _quotes(world, bot, place, rng.choice(others), text)
        if rng.random() < 0.4:
            key = ChannelKey(MAIN, ChannelId(place.id))
            mine = rng.random() < 0.5 and ANN in place.people and world.canaries
            note = rng.choice(world.canaries) if mine and _spoke(bot, place) else rng.choice((PHRASE, *SHARED))
            if note != PHRASE or world.said & {(place.id, who) for who in (JAMES, EVE)}:
                await workspaces.write(key, f"note{number}.md", note.encode())
    if not world.canaries:
        await _says(bot, PLACES[0], ANN, world.line(ANN, PLACES[0].id))
    if rng.random() < 0.5:
        await bot.hears(f"!cortex export {rng.choice(PLACES[:4]).id.removeprefix('console:')} last", OWNER)
    if rng.random() < 0.3:
        await bot.app.maintenance.sweep()


async def _remembers(world: World, bot: Any, data: Path) -> None:
    """Let memories be had, changed, related, written to files, and some of another instance come in."""
    from bot.domain.ids import MAIN, ChannelId, ChannelKey, UserId
    from bot.domain.imported import MemoryImport, PastVersion
    from bot.domain.memory import MemoryProvenance, MemoryRelation, NewMemory, RelationKind
    from bot.domain.memory_file import ImportedMemory
    from bot.domain.revisions import ChangedBy

    rng, rows = world.random, list[int]()
    for number in range(rng.randint(2, 5)):
        who, place = rng.choice((ANN, JAMES, EVE)), rng.choice(PLACES[:4])
        if who not in place.people or (who == ANN and not _spoke(bot, place)):
            who = next(one for one in place.people if one != ANN)
        words = f"kept-8{rng.randrange(16**7):07x} as {who} said"
        (world.canaries if who == ANN else world.others).append(words.split()[0])
        past = (PastVersion(at=1, cause="saved", platform="console", actor=UserId(rng.choice((ANN, JAMES)))),)
        came = MemoryImport(instance="zz", memory=number + 1, at=2, own=False, past=past)
        provenance = MemoryProvenance(author=UserId(who), author_name=f"name{who}")
        relations = (MemoryRelation(kind=RelationKind.RELATED_TO, target=rng.choice(rows), weight=0.5),) if rows else ()
        memory = NewMemory(
            agent=MAIN, content=words, type="fact", importance=0.5, scope="channel", scope_id=place.id,
            channel=ChannelId(place.id), provenance=provenance, created_at=bot.clock.now(), relations=relations,
        )  # fmt: skip
        if rng.random() < 0.3:
            bare = memory.replace(provenance=provenance.replace(imported=came), relations=())
            one = ImportedMemory(memory=number + 1, body=bare)
            by = ChangedBy(platform="console", actor=UserId(OWNER), process="cortex")
            rows += (await bot.store.memory_archive.take_in([one], {}, bot.clock.now(), by)).values()
        else:
            rows += await bot.store.memories.add([memory])
    for place in PLACES[:4]:
        if ANN in place.people and _spoke(bot, place):
            # she sets something, and so does somebody else
            for who in (ANN, JAMES):
                key = ChannelKey(MAIN, ChannelId(place.id))
                state = await bot.store.channels.load(key)
                by = ChangedBy(platform="console", actor=UserId(who), process="command")
                await bot.store.channels.set_settings(key, state.settings.replace(model=f"by/{who}"), by)
    for row in rows:
        if rng.random() < 0.4:
            memory = await bot.store.memories.get(row)
            place = next(one for one in PLACES if one.id == memory.body.channel)
            await _says(bot, place, OWNER, f"!cortex memory forget {_name(row)}")
            await bot.presses("Forget")
            await bot.presses("Undo")
    for place in rng.sample(PLACES[:4], 2):
        await _says(bot, place, OWNER, rng.choice(("!cortex memory export", "!cortex memory export server")))


def _name(row: int) -> str:
    from bot.domain.handles import HandleKind, handle

    return handle(HandleKind.MEMORY, row)


async def _comes_back(world: World, bot: Any, before: _Seen) -> list[str]:
    """Say what of Ann's a file that was written before brings back; a copy of it that the program does not know of."""
    import io

    from bot.domain.ids import MAIN
    from bot.memory.memory_file_format import FileSeal, check_file, read_lines
    from bot.memory.take_in import MemoryIntake, TakeInRules
    from bot.memory.write import MemoryRules

    archive, trouble = bot.store.memory_archive, list[str]()
    for name, content in before.files.items():
        if not name.endswith("memories.jsonl"):
            continue
        checked = check_file(io.BytesIO(content), archive.sign, bot.store.instance, 1000)
        if checked.seal is not FileSeal.OWN:
            trouble.append(f"{name} is {checked.seal}")
        rules = TakeInRules(
            agent=MAIN, head=checked.head, own=True, same=True, now=bot.clock.now(), limits=MemoryRules(0.9, 0),
            erased=await archive.erased(), may=lambda _: True, guild_of=lambda _: "",
            current=lambda channel: channel, decides_all=True,
        )  # fmt: skip
        taken = list(MemoryIntake(rules).take(read_lines(io.BytesIO(content))))
        said = "\n".join(one.body.content for one in taken)
        trouble += [f"{one} would come back" for one in world.canaries if one in said and one.startswith("kept-")]
        trouble += ["her name would come back" for one in taken if f'"actor":"{ANN}"' in one.model_dump_json()]
    return trouble


async def _says(bot: Any, place: Place, who: str, text: str, *, mentions_bot: bool = True, **more: Any) -> None:
    from bot.domain.messages import ChannelPlace as Where

    where = Where(is_dm=not place.guild, guild_id=place.guild)
    await bot.hears(text, who, channel=place.id, place=where, mentions_bot=mentions_bot, **more)


async def _quotes(world: World, bot: Any, place: Place, who: str, text: str) -> None:
    """Let somebody answer what she said, or forward it, as a platform tells it; perhaps nothing else tells of it."""
    from bot.domain.messages import Author, MessageReference, ReferenceKind

    rng = world.random
    kind = rng.choice((ReferenceKind.ANSWERED, ReferenceKind.ANSWERED, ReferenceKind.THREAD, ReferenceKind.FORWARDED))
    author = Author(user_id=ANN, name="ann")  # type: ignore[arg-type]
    if kind is ReferenceKind.FORWARDED:
        reference = MessageReference(kind=kind, author=author)
    else:
        reference = MessageReference(kind=kind, author=author, text=text, message_id="1")
        world.beside.append(text := f"{rng.choice(('', 'RECALL'))} what of that, number{rng.randrange(16**7)}".strip())
    await _says(bot, place, who, text, mentions_bot=rng.random() < 0.7, refers=(reference,))


def _spoke(bot: Any, place: Place) -> bool:
    with closing(sqlite3.connect(bot.config.bot.data_dir + "/glassmind.db")) as connection:
        sql = "SELECT 1 FROM inbound WHERE channel = ? AND instr(body, ?)"
        return connection.execute(sql, (place.id, f'"user_id":"{ANN}"')).fetchone() is not None


def _left(world: World, data: Path) -> list[str]:
    files = [path for path in data.rglob("*") if path.is_file()]
    found = ((path, one) for path in files for one in world.canaries if one.encode() in path.read_bytes())
    return [f"{one} is left in {path.relative_to(data)}" for path, one in found]


class _Seen:
    """Everything that is kept, at one moment."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.tables: dict[str, dict[int, dict[str, Any]]] = {}
        with closing(sqlite3.connect(data / "glassmind.db")) as connection:
            connection.row_factory = sqlite3.Row
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                if "_fts" not in name and not name.startswith("sqlite_"):
                    rows = [dict(row) for row in connection.execute(f"SELECT * FROM {name}")]
                    self.tables[name] = {row["id"]: row for row in rows if "id" in row}
            self.pairs = {
                name: {tuple(row) for row in connection.execute(f"SELECT * FROM {name}")}
                for name in ("request_memory", "call_memory")
            }
        self.files = {
            str(path.relative_to(data)): path.read_bytes()
            for folder in ("workspaces", "context", "outgoing", "backups")
            for path in (data / folder).rglob("*")
            if path.is_file()
        }

    def holds(self, words: str) -> bool:
        """Say whether something is remembered, with its version, and in the newest copy and each file where it was."""
        memories = [row for row in self.tables["memory"].values() if words in str(row["content"])]
        versions = [row for row in self.tables["revision"].values() if words in str(row["words"])]
        return bool(memories and versions)

    def words(self) -> list[str]:
        return [str(row["text"]) for row in self.tables["inbound"].values()]

    def lost(self, world: World, after: _Seen) -> list[str]:
        """Name what is not hers and is not as it was."""
        kept = "\n".join(after.words())
        lost = [f"what somebody said beside her words is gone: {one}" for one in world.beside if one not in kept]
        return [*lost, *self._rows(world, after), *self._files(world, after), *self._copies(world, after)]

    def _rows(self, world: World, after: _Seen) -> list[str]:
        hers = {row["id"] for row in self.tables["inbound"].values() if f'"user_id":"{ANN}"' in row["body"]}
        turns = {self.tables["inbound"][row]["turn"] for row in hers} - {0}
        where = {self.tables["inbound"][row]["channel"] for row in hers}
        requests = self.tables["request"]
        trouble = []
        for table in ("inbound", "stage", "turn", "history", "outbox", "tool_call", "memory", "process", "attempt"):
            for number, row in self.tables[table].items():
                now = after.tables[table].get(number)
                request = requests.get(row.get("request", 0), {})
                turn = row["id"] if table == "turn" else row.get("turn", request.get("turn", 0))
                inbound = row["id"] if table == "inbound" else row.get("inbound", 0)
                channel = row.get("channel", request.get("channel", ""))
                about = table == "memory" and (row["author"] == ANN or f'"{ANN}"' in _without_past(row["body"]))
                if table == "memory" and not about:
                    row, now = _bare(row), _bare(now)
                text = self._text(table, row)
                if turn in turns or inbound in hers or about or row.get("actor") == ANN:
                    continue
                if channel in where and world.repeats(channel, text):
                    continue
                if channel == f"console:dm:{OWNER}" and any(one in text for one in world.canaries):
                    # a page that shows an admin what she had remembered
                    continue
                if now is None or after._text(table, now) != text or _plain(table, now) != _plain(table, row):
                    trouble.append(f"{table} {number} of {channel or 'a message'} was changed: {text[:150]}")
        trouble += self._of_memories(after)
        for number, row in requests.items():
            if row["channel"] not in where and after.tables["request"].get(number) != row:
                trouble.append(f"request {number} of {row['channel']} was changed")
            elif row["channel"] not in where and self._sent(row) != after._sent(row):
                trouble.append(f"what request {number} of {row['channel']} sent was changed")
        return trouble

    def _of_memories(self, after: _Seen) -> Iterator[str]:
        """Versions, relations, and what held a memory: nothing changes but what is hers, or names her."""
        memories = self.tables["memory"]
        hers = {n for n, row in memories.items() if row["author"] == ANN or f'"{ANN}"' in _without_past(row["body"])}
        for number, row in self.tables["revision"].items():
            is_hers = row["actor"] == ANN or (row["kind"] == "memory" and row["subject"] in hers)
            if not is_hers and after.tables["revision"].get(number) != row:
                yield f"version {number} of {row['kind']} {row['subject']} was changed"
        for number, row in after.tables["revision"].items():
            if row["actor"] == ANN:
                yield f"version {number} names her still"
        for number, row in self.tables["memory_edge"].items():
            if hers.isdisjoint((row["source"], row["target"])) and after.tables["memory_edge"].get(number) != row:
                yield f"relation {number} was changed"
        for name in ("request_memory", "call_memory"):
            if not self.pairs[name] <= after.pairs[name]:
                yield f"rows of {name} are gone"

    def _text(self, table: str, row: Mapping[str, Any]) -> str:
        if table == "history":
            blob = self.tables["blob"].get(row["blob"])
            return bytes(blob["body"]).decode() if blob else "gone"
        return "\n".join(str(value) for key, value in row.items() if key not in ("id", "h"))

    def _sent(self, request: Mapping[str, Any]) -> list[bytes]:
        sent, node = [], request["tail"]
        while node:
            row = self.tables["node"][node]
            sent.append(self.tables["blob"][row["blob"]]["body"])
            node = row["parent"]
        head = self.tables["head"][request["head"]]
        return [*sent, head["system"], head["plain"]]

    def _files(self, world: World, after: _Seen) -> list[str]:
        from bot.domain.base import digest_text

        hers = {row["channel"] for row in self.tables["inbound"].values() if f'"user_id":"{ANN}"' in row["body"]}
        rooms = {digest_text(channel)[:24]: channel for channel in (place.id for place in PLACES)}
        alone = {place.id for place in PLACES if set(place.people) == {ANN}}
        trouble = []
        for name, content in self.files.items():
            if after.files.get(name) == content or name.startswith("backups/"):
                continue
            text = content.decode("utf-8", "replace")
            if name.endswith("memories.jsonl"):
                trouble += _of_export(name, content, after.files.get(name, b""))
                continue
            channel = next((room for key, room in rooms.items() if f"/{key}/" in name), "")
            channel = channel or next((c for c in hers if f'"channel_id": "{c}"' in text), "")
            is_named = name.startswith("context/") and f'"{ANN}"' in text
            # where nobody but her ever spoke, a word that others use elsewhere is hers as well
            if channel not in hers or not (channel in alone or is_named or world.repeats(channel, text)):
                trouble.append(f"{name} of {channel} is gone: {text[:80]}")
        return trouble

    def _copies(self, world: World, after: _Seen) -> list[str]:
        """Every copy that is gone held words of hers, and a whole one of what is kept now is there."""
        trouble = []
        copies = {name for name in self.files if name.startswith("backups/")}
        for name in copies - after.files.keys():
            if f'"user_id":"{ANN}"'.encode() not in self.files[name]:
                trouble.append(f"{name} is gone and held nothing of hers")
        if copies and not any(name.startswith("backups/") for name in after.files):
            return [*trouble, "no copy is left"]
        for name in after.files:
            if name.startswith("backups/") and name not in copies:
                with closing(sqlite3.connect(f"file:{after.data / name}?mode=ro", uri=True)) as connection:
                    kept = connection.execute("SELECT count(*) FROM inbound").fetchone()[0]
                    whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
                if kept < len(self.tables["inbound"]) or whole != "ok":
                    trouble.append(f"{name} is no whole copy: {kept} rows, {whole}")
        return trouble


def _without_past(body: str) -> str:
    """Return what a memory is without what was done with it elsewhere: from there a name goes, and nothing else."""
    memory = orjson.loads(body)
    memory["provenance"].pop("imported", None)
    return orjson.dumps(memory).decode()


def _bare(row: Any) -> Any:
    """Return a memory's row without names in its past elsewhere, and without the seal over them."""
    return row and {**row, "body": _without_past(row["body"]), "h": b""}


def _of_export(name: str, before: bytes, after: bytes) -> Iterator[str]:
    """Name the lines of others that a file of memories does not have any more, byte for byte."""
    for line in before.splitlines()[1:-1]:
        body = orjson.loads(line)
        people = {body["body"]["provenance"]["author"], *body["body"]["subjects"]}
        names = {one["actor"] for one in body["versions"]} | {one["author"] for one in body["edges"]}
        if ANN not in people | names and line not in after.splitlines():
            yield f"a line of {name} is gone: {line[:120]!r}"
        if ANN in names - people and body["body"]["content"].encode() not in after:
            yield f"a memory of {name} is gone: {line[:120]!r}"


def _plain(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in _RESEALED.get(table, ())}


FAMILY = Family("R27", "somebody is forgotten: theirs goes, and nothing else", cases, play, seconds=120)
