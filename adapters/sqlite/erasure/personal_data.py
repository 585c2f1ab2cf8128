"""Find what is kept of one person: their messages and what answered them, and whatever quotes either."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import orjson

from adapters.sqlite.engine.content_store import has_name, read_message
from adapters.sqlite.engine.json_without_text import REFERS_JSON
from adapters.sqlite.engine.sealed_rows import Value, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import portions
from adapters.sqlite.erasure.content_swap import ContentSwap
from adapters.sqlite.erasure.quote_matcher import (
    ERASED,
    QuoteMatcher,
    Token,
    erased_message,
    hosts_in,
    is_by,
    says_beginning_of,
    spoken_texts,
    without_hosts,
    without_lines,
    without_program,
    without_referred,
    without_told,
)
from bot.domain.base import digest_text
from bot.domain.channel import ProcessKind
from bot.domain.channel_moves import ChannelMoves
from bot.domain.finding import NewProposal, SaveMemory
from bot.domain.handles import SLOTS, Handle, HandleKind, handle, handle_pattern, parse_handle
from bot.domain.ids import ChannelId, PersonKey, platform_of
from bot.domain.memory_file import ImportMemories
from bot.domain.messages import AuthorKind, Inbound, Message, Role
from bot.domain.references import is_forward_of, tells_of_writing_here
from bot.domain.turn import MarkKind, OutboxState

_AUTHOR = "CASE WHEN json_valid(body) THEN json_extract(body, '$.author.user_id') END = ? AND adapter = ?"
"""As in the index that knows it."""
OUTGOING = "outgoing"
EXPORT_FOLDERS = ("context", OUTGOING)
_MAX_FILES = 20_000
_MAX_BYTES = 256 * 1024 * 1024
_SPARE_IDS = 1000
_MAX_HOSTS = 500
_GZIP = b"\x1f\x8b"
_CHANNEL = re.compile(r'"channel_id": ?"((?:[^"\\]|\\.)*)"')
"""How an export says which channel it is of; a text within one has its quotation marks escaped."""
_REPLY = re.compile(r"reply-([a-z0-9]+)")
_UNDER_WAY = (OutboxState.NEW.value, OutboxState.SENDING.value)
_EACH = "SELECT value FROM json_each(?)"
_NAMED = (HandleKind.INBOUND, HandleKind.MEMORY, HandleKind.REQUEST, HandleKind.TURN)
_HANDLE = re.compile(rf"\b{handle_pattern(*_NAMED)}\b")
_TO_ADMINS = """(agent, channel) IN (SELECT agent, dm_channel FROM session WHERE last_at >= :since)
    AND message_id <> '' AND turn = 0 AND inbound = 0"""
"""Pages that quote what was said in a channel, in the private threads of those who asked about it."""
_WORDY = {HandleKind.INBOUND: ("inbound", "text"), HandleKind.MEMORY: ("memory", "content")}
"""Records that have words of their own, and where those stand."""
_HERE = "agent IN (SELECT value FROM json_each(:agents)) AND channel IN (SELECT value FROM json_each(:channels))"


class PersonalData(NamedTuple):
    """Rows, by table. `rows` are the ledger rows of everything that they ever wrote, `names` its ids on
    the platform, `strangers` the rows of people with the same id elsewhere.

    `places` are the channels where they wrote under every id that those ever had, `since` is when they first did.
    `quoting` are messages of other people that bring words of theirs, by their id; of `forwards` nothing else is said.
    """

    user: str
    platform: str
    rows: frozenset[int]
    names: frozenset[str]
    strangers: frozenset[int]
    turns: frozenset[int]
    messages: tuple[int, ...]
    answers: tuple[int, ...]
    calls: tuple[int, ...]
    memories: tuple[int, ...]
    work: tuple[int, ...]
    lines: tuple[int, ...]
    requests: tuple[int, ...]
    channels: tuple[ChannelId, ...]
    places: tuple[ChannelId, ...]
    agents: tuple[str, ...]
    since: int
    quotes: QuoteMatcher
    quoting: tuple[int, ...] = ()
    forwards: frozenset[int] = frozenset()
    quoted_in: tuple[ChannelId, ...] = ()
    hosts: frozenset[str] = frozenset()
    """Servers to which nobody but them ever linked: the sources of what was made of such a page name them."""

    @property
    def here(self) -> dict[str, Value]:
        """The parameters of `_HERE`, and of what was kept since they first wrote."""
        return {"agents": _json(self.agents), "channels": _json(self.places), "since": self.since}


def find_personal_data(
    person: PersonKey, moves: ChannelMoves, within: Collection[ChannelId] | None, connection: SqlConnection
) -> PersonalData:
    """Find what is theirs by author and by subject, by indexes; `within` some channels, None: everywhere."""
    platform, user = person
    names_of = None if within is None else {name for channel in within for name in moves.names(channel)}

    def inside(rows: Iterable[SqlRow]) -> list[SqlRow]:
        return [row for row in rows if names_of is None or row["channel"] in names_of]

    written = inside(verified_rows(connection, "inbound", f"WHERE {_AUTHOR}", (user, platform)))
    own = frozenset(row["id"] for row in written)
    # what came back of the work that they had done is theirs too, although the program wrote it down
    work = inside(verified_rows(connection, "process", "WHERE platform = ? AND actor = ?", (platform, user)))
    returned = [row["returned"] for row in work if row["returned"]]
    written += verified_rows(connection, "inbound", f"WHERE id IN ({_EACH}) AND kind = 'result'", (_json(returned),))
    rows = frozenset(row["id"] for row in written)
    same_id = f"WHERE {_AUTHOR.replace('adapter = ', 'adapter <> ')}"
    strangers = frozenset(row["id"] for row in verified_rows(connection, "inbound", same_id, (user, platform)))
    turns = frozenset(row["turn"] for row in written if row["turn"])
    turns |= {turn for row in work for turn in orjson.loads(row["turns"])}
    named = _json(sorted(rows)), _json(sorted(turns))
    kept_text = f"text IS NOT NULL AND state NOT IN {_UNDER_WAY}"
    answers = _ids(
        connection,
        f"""SELECT id FROM outbox WHERE inbound > 0 AND inbound IN ({_EACH}) AND {kept_text}
            UNION SELECT id FROM outbox WHERE turn > 0 AND turn IN ({_EACH}) AND {kept_text}""",  # noqa: S608
        *named,
    )
    calls = f"SELECT id FROM tool_call WHERE arguments IS NOT NULL AND turn IN ({_EACH})"  # noqa: S608
    requests = f"""SELECT id FROM request WHERE head IS NOT NULL AND turn IN ({_EACH})
        AND NOT EXISTS (SELECT 1 FROM request_mark WHERE request = request.id AND kind = '{MarkKind.REDACTED}')"""  # noqa: S608
    lines = f"""SELECT id FROM history WHERE inbound > 0 AND inbound IN ({_EACH})
        UNION SELECT id FROM history WHERE turn > 0 AND turn IN ({_EACH})"""  # noqa: S608 - constants of ours
    memories = inside(memories_of(person, connection))
    kept = [row for row in written if row["text"] is not None or _is_named(row["body"])]
    said = [(row["arrived_at"], row["text"]) for row in written if row["text"]]
    said += [(memory["created_at"], memory["content"]) for memory in memories]
    said += [(row["started_at"], text) for row in work for text in (row["task"], row["result"]) if text]
    channels = tuple(dict.fromkeys(ChannelId(row["channel"]) for row in written if row["id"] in own))
    own_lines = _lines(connection, _ids(connection, lines, *named))
    own_words = [(row, message) for row, message in own_lines if _is_theirs(message, user, rows, strangers, turns, row)]
    said += [(row["at"], text) for row, m in own_words if is_by(m, user, rows, strangers) for text in spoken_texts(m)]
    quoted = [one for one in _quoted(person, connection) if one.row["id"] not in rows]
    quoting = [one.row for one in quoted]
    inside_of = {row["id"] for row in inside(quoting)}
    quoted = [one for one in quoted if one.row["id"] in inside_of]
    here = [one for one in quoted if one.is_here]
    said += [(one.row["arrived_at"], text) for one in here for text in one.texts]
    # who was answered in a channel wrote there, whether the bot was told of it or not
    wrote = dict.fromkeys((*channels, *(ChannelId(one.row["channel"]) for one in here)))
    return PersonalData(
        user=user,
        platform=platform,
        rows=rows,
        names=frozenset(row["message_id"] for row in written),
        strangers=strangers,
        turns=turns,
        messages=tuple(row["id"] for row in kept),
        answers=answers,
        calls=_ids(connection, calls, named[1]),
        memories=tuple(memory["id"] for memory in memories),
        work=tuple(row["id"] for row in work if row["task"] is not None),
        lines=tuple(row["id"] for row, message in own_words if erased_message(message).json_text != message.json_text),
        requests=_ids(connection, requests, named[1]),
        channels=channels,
        places=tuple(dict.fromkeys(ChannelId(name) for channel in wrote for name in moves.names(channel))),
        agents=tuple(row[0] for row in connection.execute("SELECT DISTINCT agent FROM channel")),
        since=_since(connection, min(own | inside_of, default=0)),
        quotes=QuoteMatcher(one for one in said if one[1] != ERASED),
        quoting=tuple(one.row["id"] for one in quoted),
        forwards=frozenset(one.row["id"] for one in quoted if one.is_forward),
        quoted_in=tuple(dict.fromkeys(ChannelId(one.row["channel"]) for one in quoted)),
        hosts=_own_hosts(connection, rows, {host for _, text in said if text for host in hosts_in(text)}),
    )


def _own_hosts(connection: SqlConnection, rows: frozenset[int], hosts: set[str]) -> frozenset[str]:
    """Return those of some servers that nobody else ever named."""
    sql = "SELECT id FROM inbound WHERE text IS NOT NULL AND instr(lower(text), ?) > 0"
    named = sorted(hosts)[:_MAX_HOSTS]
    return frozenset(host for host in named if rows.issuperset(row for (row,) in connection.execute(sql, (host,))))


def origins_with(found: PersonalData, connection: SqlConnection) -> tuple[list[int], list[int]]:
    """Return the memories of others and their work, where somebody wrote, whose sources name a server of theirs."""
    named = []
    for table in ("memory", "process"):
        tail = f"WHERE {_HERE} AND instr(body, '\"origins\":') > 0"
        rows = verified_rows(
            connection, table, tail, {"agents": found.here["agents"], "channels": found.here["channels"]}
        )
        named.append([row["id"] for row in rows if any(host in row["body"].casefold() for host in found.hosts)])
    return named[0], named[1]


class _Quoted(NamedTuple):
    """Somebody else's message that brings words of a person: whether it shows that they wrote right there."""

    row: SqlRow
    texts: tuple[str, ...]
    is_here: bool
    is_forward: bool


def _quoted(person: PersonKey, connection: SqlConnection) -> Iterator[_Quoted]:
    """Yield the messages that refer to a person's, by the index that knows what refers to anything."""
    platform, user = person
    tail = f"WHERE adapter = ? AND instr(body, '{REFERS_JSON}') > 0 AND instr(body, ?) > 0"
    for row in verified_rows(connection, "inbound", tail, (platform, f'"user_id":"{user}"')):
        bare = Inbound.model_validate_json(row["body"])
        theirs = [one for one in bare.refers if one.is_by(user)]
        if theirs:
            texts = tuple(one.text for one in theirs if one.text)
            is_here = any(tells_of_writing_here(one, user) for one in theirs)
            yield _Quoted(row, texts, is_here, is_forward_of(bare, user))


def memories_of(person: PersonKey, connection: SqlConnection) -> list[SqlRow]:
    """Return the rows of what is remembered by somebody or about them."""
    # what names them is looked at more closely; the rest costs no reading of JSON
    tail = """WHERE content IS NOT NULL AND platform = :platform AND (author = :user OR instr(body, :named) > 0
        AND EXISTS (SELECT 1 FROM json_each(memory.body, '$.subjects') WHERE value = :user))"""
    platform, user = person
    return verified_rows(connection, "memory", tail, {"platform": platform, "user": user, "named": f'"{user}"'})


def versions_by(
    person: PersonKey, moves: ChannelMoves, within: Collection[ChannelId] | None, connection: SqlConnection
) -> list[int]:
    """Return the versions of memories, settings and summaries that somebody made."""
    sql = """SELECT revision.id, coalesce(memory.channel, channel.channel, compaction.channel) FROM revision
        LEFT JOIN memory ON revision.kind = 'memory' AND memory.id = subject
        LEFT JOIN channel ON revision.kind = 'settings' AND channel.id = subject
        LEFT JOIN compaction ON revision.kind = 'summary' AND compaction.id = subject
        WHERE revision.platform = ? AND revision.actor = ? AND revision.actor <> ''"""
    names = None if within is None else {name for channel in within for name in moves.names(channel)}
    return [row for row, place in connection.execute(sql, tuple(person)) if names is None or place in names]


def imported_past_of(
    person: PersonKey, moves: ChannelMoves, within: Collection[ChannelId] | None, connection: SqlConnection
) -> list[int]:
    """Return the memories that came in by a file in whose past somebody is named."""
    platform, user = person
    tail = """WHERE platform = ? AND content IS NOT NULL AND instr(body, '"imported":') > 0 AND instr(body, ?) > 0"""
    rows = verified_rows(connection, "memory", tail, (platform, f'"actor":"{user}"'))
    names = None if within is None else {name for channel in within for name in moves.names(channel)}
    return [row["id"] for row in rows if names is None or row["channel"] in names]


def pauses_by(
    person: PersonKey, moves: ChannelMoves, within: Collection[ChannelId] | None, connection: SqlConnection
) -> list[int]:
    """Return the channels in whose settings somebody is named, as who set something."""
    platform, user = person
    tail = "WHERE substr(channel, 1, length(?)) = ? AND instr(settings, ?) > 0"
    rows = verified_rows(connection, "channel", tail, (f"{platform}:", f"{platform}:", f'"by":"{user}"'))
    names = None if within is None else {name for channel in within for name in moves.names(channel)}
    return [row["id"] for row in rows if names is None or row["channel"] in names]


def find_swaps(found: PersonalData, connection: SqlConnection) -> ContentSwap:
    """Find the content that holds their words, what stands in its place, and every row that names it.

    Only where they wrote, only what came after their first words there, and of the rest what is told by their id.
    """
    swap = ContentSwap()
    turns, requests = _scope(connection, found)
    swap.find(connection, requests, _history(connection, found))
    looked = _Looked(found, connection)
    own = _blobs_of_turns(connection, found.turns)
    blobs = [row for some in portions(sorted(swap.named)) for row in _blobs(connection, some)]
    blobs = [row for row in blobs if looked.at_blob(row, mine=row["id"] in own)]
    rows = list(_texts(connection, found, turns, requests))
    rows = [one for one in rows if looked.at(one.text)]
    quotes = looked.quotes()
    certain = found._replace(quotes=quotes)
    fresh = {row["id"]: _instead(row, certain, mine=row["id"] in own) for row in blobs}
    swap.take({row: new for row, new in fresh.items() if new is not None})
    for one in rows:
        if quotes.are_in(one.text):
            one.into(swap)
    for one in _pages_of_theirs(found, connection):
        one.into(swap)
    swap.attempts += _attempts_of(connection, found.turns)
    swap.processes += found.work
    return swap


_Asked = tuple[str, str, str, Mapping[str, Value], str]


class _Kept(NamedTuple):
    """A text that a row holds; `kind` is among which rows of a swap it belongs (empty: the reasons)."""

    text: str
    kind: str
    place: tuple[str, str, int]

    def into(self, swap: ContentSwap) -> None:
        """Put this row down among those that have to go."""
        if self.kind:
            getattr(swap, self.kind).append(self.place[2])
        else:
            swap.reasons.append(self.place)


class _Looked:
    """What of theirs the program repeats where they wrote, and what of that is theirs alone."""

    def __init__(self, found: PersonalData, connection: SqlConnection) -> None:
        self._found = found
        self._connection = connection
        self._hits: set[Token] = set()

    def at(self, text: str) -> bool:
        hits = set(self._found.quotes.found_in(text))
        self._hits |= hits
        return bool(hits)

    def at_blob(self, row: SqlRow, *, mine: bool) -> bool:
        if _instead(row, self._found, mine=mine) is None:
            return False
        self.at(bytes(row["body"]).decode("utf-8", "replace"))
        return True

    def quotes(self) -> QuoteMatcher:
        """Return what was repeated and is theirs."""
        return their_words(self._found, self._hits, self._connection)


def their_words(found: PersonalData, repeated: Collection[Token], connection: SqlConnection) -> QuoteMatcher:
    """Return what no other person ever said where they wrote, nor the program before they did."""
    mine = found.quotes.only(repeated)
    if not mine:
        return mine
    nobodys: set[Token] = set()
    texts = f"SELECT id, kind, text FROM inbound WHERE {_HERE} AND text IS NOT NULL"  # noqa: S608
    for row in connection.execute(texts, found.here):
        if row["id"] not in found.rows and row["id"] not in found.forwards and row["kind"] != "result":
            nobodys |= set(mine.found_in(row["text"]))
    texts = f"SELECT id, created_at, text FROM outbox WHERE {_HERE} AND message_id <> '' AND text IS NOT NULL"  # noqa: S608
    answers = set(found.answers)
    for row in connection.execute(texts, found.here):
        if row["id"] not in answers:
            nobodys |= {one for one in mine.found_in(row["text"]) if row["created_at"] < mine.first[one]}
    return mine.only(mine.first.keys() - nobodys)


def _since(connection: SqlConnection, first: int) -> int:
    """Return the earliest time of what arrived since a row, whatever the clock did meanwhile; 0 for none."""
    sql = "SELECT arrived_at FROM inbound INDEXED BY inbound_by_age WHERE id >= ? ORDER BY arrived_at LIMIT 1"
    found = connection.execute(sql, (first,)).fetchone() if first else None
    return int(found[0]) if found else 0


def _scope(connection: SqlConnection, found: PersonalData) -> tuple[list[int], list[int]]:
    """Return the turns and the requests of the channels where they wrote, since they did."""
    kinds = "kind IN (SELECT value FROM json_each(:kinds))"
    args = {**found.here, "kinds": _json([kind.value for kind in ProcessKind])}
    turn = "SELECT coalesce(min(id), 0) FROM turn WHERE started_at >= :since"
    sql = f"SELECT id FROM turn WHERE {_HERE} AND {kinds} AND id >= ({turn})"  # noqa: S608 - constants of this file
    turns = [row[0] for row in connection.execute(sql, args)]
    request = "SELECT coalesce(min(id), 0) FROM request WHERE at >= :since"
    sql = f"SELECT id FROM request WHERE {_HERE} AND {kinds} AND id >= ({request})"  # noqa: S608 - the same
    requests = [row[0] for row in connection.execute(sql, args)]
    sql = f"SELECT id FROM request WHERE turn IN ({_EACH})"  # noqa: S608 - the same
    return sorted({*turns, *found.turns}), sorted({*requests, *_ids(connection, sql, _json(sorted(found.turns)))})


def _history(connection: SqlConnection, found: PersonalData) -> list[tuple[int, int]]:
    """Return the lines, with what they say, of the channels where they wrote, since they did."""
    first = "SELECT coalesce(min(id), 0) FROM history WHERE at >= :since"
    sql = f"SELECT id, blob FROM history WHERE {_HERE} AND id >= ({first})"  # noqa: S608 - constants of this file
    lines = {row[0]: row[1] for row in connection.execute(sql, found.here)}
    own = f"SELECT id, blob FROM history WHERE id IN ({_EACH})"  # noqa: S608 - the same
    lines |= {row[0]: row[1] for row in connection.execute(own, (_json(found.lines),))}
    return sorted(lines.items())


def _texts(
    connection: SqlConnection, found: PersonalData, turns: Sequence[int], requests: Sequence[int]
) -> Iterator[_Kept]:
    """Yield what rows of the channels where they wrote say, since they did."""
    here, of_turns, of_requests = found.here, {"ids": _json(turns)}, {"ids": _json(requests)}
    ids = "(SELECT value FROM json_each(:ids))"
    first = "SELECT coalesce(min(id), 0) FROM inbound WHERE arrived_at >= :since"
    arrived = f"SELECT id FROM inbound WHERE {_HERE} AND id >= ({first})"  # noqa: S608 - constants of this file
    out = f"text IS NOT NULL AND state NOT IN {_UNDER_WAY}"
    result = f"{_HERE} AND id >= ({first}) AND kind = 'result' AND text IS NOT NULL"
    at_work = f"{_HERE} AND (started_at >= :since OR ended_at = 0 OR ended_at >= :since)"
    asked: tuple[_Asked, ...] = (
        ("tool_call", "coalesce(arguments, '') || ' ' || coalesce(output, '')", f"turn IN {ids}", of_turns, "calls"),
        ("attempt", "coalesce(response, '') || ' ' || body", f"request IN {ids}", of_requests, "attempts"),
        ("outbox", "text", f"turn > 0 AND turn IN {ids} AND {out}", of_turns, "answers"),
        ("outbox", "text", f"inbound > 0 AND inbound IN ({arrived}) AND {out}", here, "answers"),
        ("outbox", "text", f"{_HERE} AND message_id <> '' AND created_at >= :since AND {out}", here, "answers"),
        ("checkpoint", "body", f"turn IN {ids}", of_turns, "checkpoints"),
        ("compaction", "missing", f"{_HERE} AND missing IS NOT NULL", here, "compactions"),
        ("inbound", "text", result, here, "results"),
        ("process", "coalesce(task, '') || ' ' || coalesce(result, '') || ' ' || progress", at_work, here, "processes"),
        # one word alone is ours
        ("inbound", "outcome_reason", f"id IN ({arrived}) AND instr(outcome_reason, ': ') > 0", here, ""),
        ("stage", "reason", f"inbound IN ({arrived}) AND instr(reason, ': ') > 0", here, ""),
        ("turn", "reason", f"id IN {ids} AND instr(reason, ': ') > 0", of_turns, ""),
        ("channel", "last", f"{_HERE} AND instr(last, ': ') > 0", here, ""),
    )
    for table, column, where, args, kind in asked:
        sql = f"SELECT id, {column} FROM {table} WHERE {where}"  # noqa: S608 - constants of this file
        for row, text in connection.execute(sql, args):
            if text.strip():
                yield _Kept(text, kind, (table, column, row))


def _pages_of_theirs(found: PersonalData, connection: SqlConnection) -> Iterator[_Kept]:
    """Yield what admins were shown in private that repeats them, and nobody else.

    A page does not say of whom it is. One that names a record of theirs is about them, and what nobody else ever said
    is theirs wherever it stands; everything else may be somebody else's.
    """
    sql = f"""SELECT id, text FROM outbox WHERE {_TO_ADMINS} AND created_at >= :since
        AND text IS NOT NULL AND state NOT IN {_UNDER_WAY}"""  # noqa: S608 - constants of this file
    pages = [(row, text, set(found.quotes.found_in(text))) for row, text in connection.execute(sql, found.here)]
    told = found.quotes.only(set[Token]().union(*(hits for _, _, hits in pages)))
    theirs = told.only(told.first.keys() - _said_by_others(told, found, connection)) if told else told
    records = _records_of_theirs(found)
    for row, text, hits in pages:
        named = records.intersection(map(parse_handle, _HANDLE.findall(text)))
        is_about_them = bool(named) and (bool(hits) or _quotes_one(text, named, found, connection))
        if is_about_them or not hits.isdisjoint(theirs.first):
            yield _Kept(text, "answers", ("outbox", "text", row))


def _quotes_one(page: str, named: Collection[Handle | None], found: PersonalData, connection: SqlConnection) -> bool:
    """Say whether a page has the words of one of the records of theirs that it names, be they ever so few."""
    slots = {kind: {one.slot for one in named if one is not None and one.kind is kind} for kind in _WORDY}
    for kind, (table, column) in _WORDY.items():
        rows = [row for row in (found.rows if table == "inbound" else found.memories) if row % SLOTS in slots[kind]]
        sql = f"SELECT {column} FROM {table} WHERE id IN ({_EACH}) AND {column} IS NOT NULL"  # noqa: S608 - see _WORDY
        if any(says_beginning_of(page, text) for (text,) in connection.execute(sql, (_json(rows),))):
            return True
    return False


def offers_with(found: PersonalData, connection: SqlConnection) -> list[int]:
    """Return the offers to admins that repeat them: what is to be remembered of them, and what a preview says of it."""
    rows = verified_rows(connection, "proposal", "WHERE created_at >= ?", (found.since,))
    offers = [(row["id"], NewProposal.model_validate_json(row["body"])) for row in rows]
    told = {row: set(found.quotes.found_in(_told_by(offer))) for row, offer in offers if offer.target in found.places}
    theirs = their_words(found, set[Token]().union(*told.values()), connection).first.keys()
    return [
        row
        for row, offer in offers
        if _is_of_them(offer, found) or _takes_in(offer, found) or not theirs.isdisjoint(told.get(row, ()))
    ]


def _takes_in(offer: NewProposal, found: PersonalData) -> bool:
    """Say whether an offer would take something of theirs in from a file, which may be about any channel."""
    fix = offer.fix
    return isinstance(fix, ImportMemories) and offer.platform == found.platform and found.user in fix.people


def _is_of_them(offer: NewProposal, found: PersonalData) -> bool:
    if platform_of(offer.target) != found.platform or offer.target not in {
        *found.places,
        *found.channels,
        *found.quoted_in,
    }:
        return False
    if isinstance(offer.fix, SaveMemory):
        memory = offer.fix.memory
        if found.user in {memory.provenance.author, *memory.subjects} or (
            offer.suggested and offer.actor == found.user
        ):
            return True
    return any(f"(id {found.user})" in line for line in offer.preview)


def _told_by(offer: NewProposal) -> str:
    words = [offer.fix.memory.content] if isinstance(offer.fix, SaveMemory) else []
    words += [one.body.content for one in offer.fix.memories] if isinstance(offer.fix, ImportMemories) else []
    return "\n".join((*offer.preview, *words))


def _records_of_theirs(found: PersonalData) -> frozenset[Handle]:
    """Return what their messages, turns, memories and requests are called."""
    own = {
        HandleKind.INBOUND: found.rows,
        HandleKind.TURN: found.turns,
        HandleKind.MEMORY: found.memories,
        HandleKind.REQUEST: found.requests,
    }
    return frozenset(Handle(kind, row % SLOTS) for kind, rows in own.items() for row in rows)


def _said_by_others(told: QuoteMatcher, found: PersonalData, connection: SqlConnection) -> set[Token]:
    """Return what of this somebody else said, in any channel."""
    words = [token if isinstance(token, str) else max(token, key=len) for token in told.first]
    # what is not ASCII has small letters that only Python knows
    is_ascii = all(map(str.isascii, words))
    holds = "AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(text), value) > 0)" if is_ascii else ""
    sql = f"SELECT id, text FROM inbound WHERE text IS NOT NULL AND kind <> 'result' {holds}"  # noqa: S608 - constants
    args = (_json(sorted(set(words))),) if is_ascii else ()
    own = found.rows | found.forwards
    return {token for row, text in connection.execute(sql, args) if row not in own for token in told.found_in(text)}


def found_elsewhere(found: PersonalData, connection: SqlConnection) -> ContentSwap:
    """Find what requests of other channels say by their id: lines of linked channels, and their memories.

    Only such a line goes there, and nothing that is only like what they said.
    """
    marks = [f"(id {found.user}) | ", *(f"- {handle(HandleKind.MEMORY, row)} | " for row in found.memories)]
    told = " OR ".join(["instr(body, ?) > 0"] * len(marks))
    first = "SELECT min(blob) FROM history WHERE id >= (SELECT min(id) FROM history WHERE at >= ?)"
    # content is numbered as it is stored, so nothing before their first words repeats them
    oldest = connection.execute(first, (found.since,)).fetchone()[0] or 0
    least = 0 if found.memories else max(oldest - _SPARE_IDS, 0)
    sql = f"SELECT id, hash, body FROM blob WHERE id >= ? AND ({told})"  # noqa: S608 - question marks
    told_of = connection.execute(sql, (least, *marks))
    fresh = {row["id"]: new for row in told_of if (new := _without_lines(row, marks)) is not None}
    swap = ContentSwap()
    if fresh:
        swap.find_everywhere(connection, fresh, f"{found.platform}:")
    return swap


def find_references(found: PersonalData, connection: SqlConnection) -> ContentSwap:
    """Find what conversations and requests say of somebody beside other people's messages, by their id alone."""
    swap = ContentSwap()
    if not found.quoting:
        return swap
    first = "SELECT min(blob) FROM history WHERE id >= (SELECT min(id) FROM history WHERE at >= ?)"
    oldest = connection.execute(first, (found.since,)).fetchone()[0] or 0
    sql = "SELECT id, hash, body FROM blob WHERE id >= ? AND instr(body, ?) > 0"
    fresh: dict[int, Message | str] = {}
    # a header is a text within the JSON of its message, so its quotation marks are escaped
    for row in connection.execute(sql, (max(oldest - _SPARE_IDS, 0), f'\\"id\\":\\"{found.user}\\"')):
        if not has_name(row["body"], row["hash"]) or b'"role":"' not in row["body"]:
            continue
        message = read_message(row["hash"], row["body"])
        if message.inbound in found.quoting and (new := without_referred(message, found.user)) is not None:
            fresh[row["id"]] = new
    if fresh:
        swap.find_everywhere(connection, fresh, f"{found.platform}:")
        lines = f"SELECT id FROM history WHERE blob IN ({_EACH})"  # noqa: S608 - a constant
        swap.fresh, swap.lines = fresh, _ids(connection, lines, _json(sorted(fresh)))
    return swap


def _without_lines(row: SqlRow, marks: Sequence[str]) -> Message | str | None:
    body = bytes(row["body"])
    if not body.startswith(b'{"ambient"') and b'"role":"' not in body:
        text = body.decode("utf-8", "replace")
        clean = without_lines(text, marks)
        return clean if clean != text and not _is_ours(text) else None
    message = read_message(row["hash"], body)
    if message.role is not Role.USER or message.author is None:
        return None
    return without_told(message, marks)


def _attempts_of(connection: SqlConnection, turns: frozenset[int]) -> tuple[int, ...]:
    sql = f"""SELECT attempt.id FROM request JOIN attempt ON attempt.request = request.id
        WHERE (attempt.response IS NOT NULL OR instr(attempt.body, '"error":""') = 0)
          AND request.turn IN ({_EACH})"""  # noqa: S608 - a constant of ours
    return _ids(connection, sql, _json(sorted(turns)))


def files_with(directory: Path, found: PersonalData) -> list[tuple[str, frozenset[Token]]]:
    """Name the files of the channels where they wrote that repeat their words, with what they repeat. Blocks.

    Nothing is repeated by those that are known by somebody's id. Names are relative to the data directory. A file of
    another channel is not theirs, whatever it says.
    """
    if not found.places:
        return []
    marks = [f'"{found.user}"', f'\\"{found.user}\\"', f"id {found.user})", f"id {found.user},"]
    mine = {handle(HandleKind.INBOUND, row) for row in found.rows} | {handle(HandleKind.TURN, t) for t in found.turns}
    names: list[tuple[str, frozenset[Token]]] = []
    for path in islice((path for folder in EXPORT_FOLDERS for path in _files(directory / folder)), _MAX_FILES):
        reply = _REPLY.match(path.name)
        if reply is not None:
            # what was too long for a message is named after what it answers
            names += [(str(path.relative_to(directory)), frozenset())] if reply[1] in mine else []
            continue
        try:
            text, is_whole = _text_of(path)
        except OSError:
            continue
        of = _CHANNEL.search(text)
        if of is None or orjson.loads(f'"{of[1]}"') not in found.places:
            continue
        name = str(path.relative_to(directory))
        if not is_whole or any(mark in text for mark in marks):
            names.append((name, frozenset()))
        elif hits := frozenset(found.quotes.found_in(text)):
            names.append((name, hits))
    # imported here: no start needs it
    from adapters.workspaces.tree import FOLDER, texts

    folders = {digest_text(place)[:24] for place in found.places}
    for name, text in texts(directory):
        _, _, channel, *_ = *name.split("/", 3), "", "", ""
        if name.startswith(f"{FOLDER}/") and channel in folders and (hits := frozenset(found.quotes.found_in(text))):
            names.append((name, hits))
    return sorted(names, key=lambda one: one[0])


def copy_holds(copy: Path, person: PersonKey) -> bool:
    """Say whether a copy of the database has words or the name of somebody; one that cannot be read may. Blocks."""
    platform, user = person
    mark = f'"user_id":"{user}"'
    arrived = "SELECT text, body FROM inbound WHERE instr(body, ?) AND adapter = ?"
    kept = {
        "memory": "SELECT 1 FROM memory WHERE instr(body, ?) AND platform = ? AND content IS NOT NULL",
        "process": "SELECT 1 FROM process WHERE actor = ? AND platform = ? AND task IS NOT NULL",
        "revision": "SELECT 1 FROM revision WHERE actor = ? AND platform = ? AND words IS NOT NULL",
    }
    try:
        with closing(sqlite3.connect(f"file:{quote(str(copy))}?mode=ro", uri=True)) as connection:
            for text, body in connection.execute(arrived, (mark, platform)):
                if text is not None or _is_named(body):
                    return True
            there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            told = {"memory": f'"{user}"', "process": user, "revision": user}
            asked = [(sql, (told[table], platform)) for table, sql in kept.items() if table in there]
            return any(connection.execute(*one).fetchone() for one in asked)
    except (sqlite3.Error, ValueError, KeyError):
        return True


def _text_of(path: Path) -> tuple[str, bool]:
    """Return what a file says, packed or not, and whether that is all of it."""
    content, is_whole = path.read_bytes(), True
    if content.startswith(_GZIP):
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            content = unpacker.decompress(content, _MAX_BYTES)
        except zlib.error:
            return "", False
        is_whole = unpacker.eof
    return content.decode("utf-8", "replace"), is_whole


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _instead(row: SqlRow, found: PersonalData, *, mine: bool) -> Message | str | None:
    """Return what is to stand in the place of a text; None where it may stay."""
    body = bytes(row["body"])
    if not body.startswith(b'{"ambient"') and b'"role":"' not in body:
        text = body.decode("utf-8", "replace")
        return ERASED if not _is_ours(text) and text != ERASED and found.quotes.are_in(text) else None
    if not (mine or _may_be_theirs(body, found)):
        return None
    message = read_message(row["hash"], body)
    theirs = is_by(message, found.user, found.rows, found.strangers)
    is_program = message.author is None or message.author.kind is AuthorKind.SELF
    if theirs or (mine and is_program) or (is_program and _quotes(message, found)):
        new = erased_message(message)
        return None if new.json_text == message.json_text else new
    bare = without_program(message, found.quotes, found.user)
    if not found.hosts:
        return bare
    return without_hosts(bare or message, found.hosts) or bare


def _may_be_theirs(body: bytes, found: PersonalData) -> bool:
    """Say without reading it as a message whether one may be by them, stand for theirs, name or repeat them."""
    by, named = f'"user_id":"{found.user}"'.encode(), f" (id {found.user}) | ".encode()
    if by in body or named in body or b'"summary":' in body or b'"kind":"self"' in body:
        return True
    text = body.decode("utf-8", "replace")
    return found.quotes.are_in(text) or (b'"origins":' in body and any(host in text.casefold() for host in found.hosts))


def _quotes(message: Message, found: PersonalData) -> bool:
    summary = message.summary
    if summary is not None and (found.names.intersection(summary.source_ids) or found.turns & set(summary.turns)):
        return True
    return found.quotes.are_in(message.json_text)


def _is_ours(text: str) -> bool:
    """Say whether it describes a section, which names no words, or defines a tool."""
    return text.startswith("{") and ('"stability":' in text or '"parameters":' in text)


def _is_theirs(
    message: Message,
    user: str,
    rows: frozenset[int],
    strangers: frozenset[int],
    turns: frozenset[int],
    row: SqlRow,
) -> bool:
    is_program = message.author is None or message.author.kind is AuthorKind.SELF
    return is_by(message, user, rows, strangers) or (is_program and row["turn"] in turns)


def _lines(connection: SqlConnection, lines: Sequence[int]) -> list[tuple[SqlRow, Message]]:
    found = []
    for some in portions(lines):
        marks = ", ".join("?" * len(some))
        sql = f"""SELECT history.turn, history.at, history.id, blob.hash, blob.body FROM history
            JOIN blob ON blob.id = history.blob WHERE history.id IN ({marks})"""  # noqa: S608 - question marks
        for row in connection.execute(sql, some):
            if has_name(row["body"], row["hash"]):
                found.append((row, read_message(row["hash"], row["body"])))
    return found


def _blobs(connection: SqlConnection, rows: Sequence[int]) -> Iterator[SqlRow]:
    sql = f"SELECT id, hash, body FROM blob WHERE id IN ({', '.join('?' * len(rows))})"  # noqa: S608 - question marks
    yield from connection.execute(sql, rows)


def _blobs_of_turns(connection: SqlConnection, turns: frozenset[int]) -> set[int]:
    sql = f"SELECT blob FROM history WHERE turn > 0 AND turn IN ({_EACH})"  # noqa: S608 - a constant
    return {row[0] for row in connection.execute(sql, (_json(sorted(turns)),))}


def _json(values: Collection[object]) -> str:
    return orjson.dumps(list(values)).decode()


def _ids(connection: SqlConnection, sql: str, *args: str) -> tuple[int, ...]:
    return tuple(row[0] for row in connection.execute(sql, args))


def _is_named(body: str) -> bool:
    value = orjson.loads(body)
    return bool(value["author"]["name"] or value.get("attachments"))
