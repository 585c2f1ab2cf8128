"""R26: what an admin did in private, in a talk, an inspection or by a worker, is theirs alone, whatever anybody names.

Canaries stand in everything that such processes leave: questions, answers, arguments, pages, verdicts, tasks, results;
words of a fork, answers in a replay and in the runs of a proof, and the file of such a proof. Then everybody reads, by
every way that there is: tools of models in every kind of process, commands, files, buttons of others, the inspector for
other programs. Handles are guessed well: every one that exists is among them. One that is somebody
else's is answered as one that does not exist, to the letter; and whoever it belongs to does get it.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from bot.cli.inspector_tools import INSPECTOR_TOOLS, DataDirectory
from bot.config import LoadedConfig
from bot.domain.access import Authority
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import ChannelPlace
from bot.errors import BotError
from bot.tools.runtime.effects import TurnEffects
from bot.tools.runtime.tool import CallOrigin, Tool, ToolContext
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, GENERAL, OWNER, STRANGER, Chat, chat, config, dm_of
from tests.bot.tools.kit import context
from tests.fakes.provider import calls, says
from tests.faults.confirming import person_of
from tests.faults.family import Family, Size, Verdict, seed_of

OWNER_TOO, MODERATOR = "4", "5"
ACTORS = (OWNER, ADMIN)
"""Whose private business the canaries are."""
EVERYBODY = (OWNER, OWNER_TOO, ADMIN, ADMIN_TOO, MODERATOR, ANN, STRANGER)
KEY = ChannelKey(MAIN, GENERAL)
OTHER = ChannelId("console:#other")
WHAT = ("question", "answer", "argument", "focus", "page", "verdict", "task", "name", "result", "fork", "rerun", "run")
CANARIES = {(actor, what): f"CANARY{what}{actor}q7z" for actor in ACTORS for what in WHAT}
LOGS = ("retrieve_tool_call_log", "check_task", "await_result", "worker_inspect", "channel_recall", "memory_recall")
PLACES: tuple[tuple[ProcessKind, bool], ...] = (
    (ProcessKind.CHANNEL, False),
    (ProcessKind.BRANCH, False),
    (ProcessKind.WORKER, False),
    (ProcessKind.WORKER, True),
    (ProcessKind.CORTEX, False),
    (ProcessKind.INSPECTION, False),
)
"""Which process reads, and whether it works for somebody in private."""
COMMANDS = (
    "open {0}", "this {0}", "context {0}", "context sent {0}", "export {0}", "diff {0} last", "diff last {0}",
    "cache {0}", "find CANARY", "find {0} CANARY", "why {0}", "gap {0}", "cancel {0}", "undo {0}", "work", "audit",
    "ledger", "memory show {0}", "memory search CANARY", "compactions", "usage", "use {0}",
    "prove {0}", 'prove {0} "CANARY"', "replay {0}", 'fork {0} with section:identity "x"', "bundle {0}", "bundle",
    "checks", "checks keep {0}", "checks run {0}", "checks drop {0}", "read {0}", "sources {0}", "fix", "fix retry {0}",
)  # fmt: skip
PROGRAMS, FEW = 2500, 400


class House:
    """The bot, what was found wrong in it, and what whoever may read it has read."""

    def __init__(self, bot: Chat, chance: random.Random) -> None:
        self.bot, self.chance = bot, chance
        self.counts: Counter[str] = Counter()
        self.stories: list[str] = []
        self.own: set[tuple[str, str]] = set()
        self.handles: list[str] = []
        self.private: dict[str, str] = {}
        """Handles of what somebody did in private, and who that was."""

    def check(self, text: str, reader: str, how: str) -> None:
        """What somebody reads holds nothing of what somebody else did in private; `reader` is empty for a channel."""
        if "q7z" not in text:
            return
        for (actor, what), word in CANARIES.items():
            if word in text and actor == reader:
                self.own.add((actor, what))
            elif word in text:
                self.wrong("foreign", f"{reader or 'a channel'} by {how}: {word} in {text[:300]!r}")

    def wrong(self, what: str, story: str) -> None:
        self.counts[what] += 1
        self.stories.append(f"{what}: {story}")

    def name(self) -> str:
        """A handle: nearly always one that there is."""
        if self.chance.random() < 0.95:
            return self.chance.choice(self.handles)
        return handle(self.chance.choice(list(HandleKind)), self.chance.randrange(1, 10**6))

    def never(self, name: str) -> str:
        """A handle of the same kind that there is not."""
        parsed = parse_handle(name)
        assert parsed is not None
        return handle(parsed.kind, 700_000)


class Model:
    """Does all that leaves something: calls, pages, verdicts, work."""

    def __init__(self) -> None:
        self.actor = self.replay = ""

    def __call__(self, request: LLMRequest) -> LLMResponse:
        if not self.actor:
            return says("yes")
        word = {what: CANARIES[self.actor, what] for what in WHAT}
        names = {tool.name for tool in request.tools}
        if self.replay:
            return says(f"yes, {word[self.replay]}")
        came_back = bool(request.messages[-1].results)
        if "config_inspect" in names:
            if came_back:
                return says(word["answer"])
            return calls(
                ("config_inspect", {"prefix": word["argument"]}),
                ("context_inspect", {"focus": word["focus"]}),
                ("spawn_worker", {"task": word["task"], "name": word["name"]}),
            )
        if "read_channel_context" in names:
            if came_back:
                return says(canonical_json({"findings": [], "summary": word["verdict"]}))
            return calls(("read_channel_context", {"channel_id": GENERAL, "part": f"search:{word['page']}"}))
        if "finish" in names:
            return calls(("finish", {"outcome": "done", "result": word["result"]}))
        return says("yes")


@asynccontextmanager
async def a_house(directory: Path, seed: int) -> AsyncIterator[House]:
    """Open a bot and let an owner and an admin do all kinds of things in private."""
    people = {"owner_ids": [OWNER, OWNER_TOO], "admin_ids": [ADMIN, ADMIN_TOO], "moderator_ids": [MODERATOR]}
    settings = config(
        directory / "data",
        platforms={"console": {**people, "default_mode": "active"}},
        cortex={"per_minute": 10_000_000},
    )
    model = Model()
    with capture_logs() as logs:
        async with chat(directory, model, settings=settings) as bot:
            house = House(bot, random.Random(seed))
            for who in (ADMIN, ADMIN_TOO):
                bot.platform.admins.add((who, GENERAL))
            await bot.hears("hello")
            await bot.hears("hello", channel=OTHER, place=ChannelPlace(guild_id="1"))
            for actor in ACTORS:
                model.actor = actor
                await bot.hears("!cortex context", actor)
                await bot.dm(f"what about {CANARIES[actor, 'question']}?", actor)
                assert await bot.presses("Send a worker", actor) == "Sent."
                await bot.settled()
                await _asks_again(house, model, actor)
            model.actor = ""
            for who in EVERYBODY:
                await bot.dm("hello", who)
            await bot.hears("hello again")
            house.check(str(bot.provider.requests[-1].model_dump()), "", "the next request of the channel")
            house.handles = [handle(kind, row) for kind in HandleKind for row in range(1, 13)]
            yield house
    for line in logs:
        if line["log_level"] in ("error", "critical"):
            house.wrong("wrong", str(line))


async def _asks_again(house: House, model: Model, actor: str) -> None:
    """Let somebody fork what was answered, prove why, and take the proof away as a file."""
    bot = house.bot
    for model.replay, line, label in (
        ("rerun", f'fork with section:identity "{CANARIES[actor, "fork"]}"', "Ask it again"),
        ("run", 'prove "yes"', "Prove it"),
    ):
        await bot.dm(f"!cortex {line}", actor)
        assert (await bot.presses(label, actor)).startswith("Asking now;")
        await bot.settled()
    model.replay = ""
    verdict = next(sent.text for sent in reversed(bot.private) if "refuted" in sent.text)
    turn = re.findall(r"\bt(?=\w*\d)[0-9a-z]{4,5}\b", verdict)[-1]
    await bot.dm(f"!cortex bundle {turn}", actor)
    assert "runs of the proof" in bot.last, bot.last


class Readers:
    """Everybody, with every way to read that they have."""

    def __init__(self, house: House) -> None:
        self.house, self.bot = house, house.bot
        self.services = house.bot.cortex.inquiry.inspecting.branches
        self.contexts: dict[ProcessKind, ToolContext] = {}
        loaded = LoadedConfig(config=house.bot.config, origins={}, secrets={})
        self.eyes = DataDirectory(house.bot.app.edges, loaded)
        self.sent = 0

    async def program(self, number: int) -> None:
        """Let somebody read something, and the same of what does not exist."""
        roll = number % 50
        if roll < 3:
            await self.command()
        elif roll == 3:
            await self.look()
        elif roll == 4:
            await self.pressed()
        elif roll < 14:
            await self.opened()
        else:
            await self.tool()
        self.check_sent()

    async def tool(self) -> None:
        """A model calls one of the tools that read records, for anybody, from any kind of process."""
        house, chance = self.house, self.house.chance
        kind, is_private = chance.choice(PLACES)
        who = chance.choice((OWNER, OWNER_TOO, ADMIN, ADMIN_TOO) if is_private or kind in _TALKS else EVERYBODY)
        tools = {tool.name: tool for tool in self.services.toolbox.of(kind) if tool.name in LOGS}
        tool = tools[chance.choice(sorted(tools))]
        ctx = await self._context(kind, who, is_private=is_private)
        name = house.name()
        given = self._arguments(tool.name, name)
        text = await self._call(tool, given, ctx)
        told_alone = is_private or kind in _TALKS
        house.check(text, who if told_alone else "", f"{kind} {tool.name} {given}")
        self._compare(text, await self._call(tool, _instead(given, name, house.never(name)), ctx), name, who, tool.name)

    def _arguments(self, tool: str, name: str) -> dict[str, Any]:
        match tool:
            case "retrieve_tool_call_log":
                return self.house.chance.choice([{}, {"record_id": name}, {"turn_summary_id": name}])
            case "check_task" | "await_result":
                return {"task": name}
            case "worker_inspect":
                part = self.house.chance.choice(["outline", "all", "result", "task"])
                return self.house.chance.choice([{}, {"id": name, "part": part}])
            case _:
                return {"query": self.house.chance.choice([*CANARIES.values(), "CANARY", "hello"])}

    async def _context(self, kind: ProcessKind, who: str, *, is_private: bool) -> ToolContext:
        if kind not in self.contexts:
            self.contexts[kind] = await context(kind, Authority.ADMIN)
        by = self.bot.access.caller(person_of(who), who)
        origin = CallOrigin(KEY, "console", guild_id="1", message_id="m1", inbound=1, is_private=is_private)
        return replace(self.contexts[kind], origin=origin, caller=by, effects=TurnEffects())

    async def _call(self, tool: Tool, given: Mapping[str, Any], ctx: ToolContext) -> str:
        try:
            return await tool.call(tool.args.model_validate(dict(given)), ctx)
        except BotError as error:
            return str(error)

    async def opened(self) -> None:
        """Somebody opens a record, as by command or button."""
        who, name = self.house.chance.choice(EVERYBODY), self.house.name()
        opener = self.bot.cortex.presses.opener
        text = await opener.open(person_of(who), name) or "nothing"
        self.house.check(text, who, f"open {name}")

    async def command(self) -> None:
        """Somebody types a command in their own private chat."""
        house = self.house
        who, written = house.chance.choice(EVERYBODY[:5]), house.chance.choice(COMMANDS)
        name = house.name()
        told = await self._typed(f"!cortex {written.format(name)}", who)
        never = await self._typed(f"!cortex {written.format(house.never(name))}", who)
        # a handle without a digit may be a word, and what is typed a question
        if "{0}" in written and written.split()[0] not in ("use", "diff") and any(map(str.isdigit, name)):
            self._compare(told, never, name, who, written)

    async def _typed(self, text: str, who: str) -> str:
        self.check_sent()
        await self.bot.dm("!cortex use #general", who)
        self.bot.clock.advance(1)
        before = len(self.bot.platform.sent)
        await self.bot.dm(text, who)
        sent = self.bot.platform.sent[before:]
        told = "\n".join((*(one.text for one in sent), *(b.label for one in sent for b in one.buttons)))
        self.house.check(told, who, text)
        for one in sent:
            if one.file is not None:
                # of a picture only what is written in it
                content = await asyncio.to_thread(Path(one.file.path).read_text, "utf-8", "replace")
                self.house.check(content, who, f"the file of {text}")
        return told

    async def pressed(self) -> None:
        """Somebody presses a button that was made for somebody else."""
        shown = [(sent, button) for sent in self.bot.platform.sent[-40:] for button in sent.buttons]
        if not shown:
            return
        sent, button = self.house.chance.choice(shown)
        who = self.house.chance.choice([one for one in EVERYBODY if one != sent.to.private_to])
        before = len(self.bot.platform.sent), len(self.bot.provider.requests)
        answer = await self.bot.press_data(button.data, who, self.house.chance.choice((dm_of(who), sent.to.channel)))
        self.house.check(answer, who, f"a press of {button.label}")
        if before != (len(self.bot.platform.sent), len(self.bot.provider.requests)):
            self.house.wrong("wrong", f"{button.label!r} of {sent.to.private_to} did something for {who}: {answer}")

    async def look(self) -> None:
        """Another program looks, with the token of the bot."""
        chance, name = self.house.chance, self.house.name()
        look = chance.choice(sorted(INSPECTOR_TOOLS))
        wanted = {"channel": GENERAL, "words": "CANARY"} | dict.fromkeys(NAMED, name)
        told, never = [
            await self._looked(look, {key: _named(value, name, instead) for key, value in wanted.items()})
            for instead in (name, self.house.never(name))
        ]
        self.house.check(told, "", f"{look} {name}")
        self._compare(told, never, name, "", look)

    async def _looked(self, name: str, wanted: Mapping[str, str]) -> str:
        one = INSPECTOR_TOOLS[name]
        given = {key: value for key, value in wanted.items() if key in one.args.model_fields}
        try:
            shown = await one.look(one.args.model_validate(given), self.eyes)
        except BotError as error:
            return str(error)
        return f"{shown.text}\n{shown.value}"

    def _compare(self, told: str, never: str, name: str, who: str, how: str) -> None:
        """What is somebody else's is answered as what does not exist."""
        owner = self.house.private.get(name)
        if owner is not None and owner != who and told.replace(name, "#") != never.replace(self.house.never(name), "#"):
            self.house.wrong("leaked", f"{who} by {how} of {name}: {told[:200]!r}, not {never[:200]!r}")

    def check_sent(self) -> None:
        """What went out went to whom it belongs to."""
        for sent in self.bot.platform.sent[self.sent :]:
            alone = sent.to.private_to if sent.to.channel == dm_of(sent.to.private_to or "") else None
            self.house.check(sent.text, alone or "", f"a message to {sent.to.channel}")
        self.sent = len(self.bot.platform.sent)


NAMED = ("target", "context", "before", "memory")
"""What a look of another program names by a handle."""
_TALKS = (ProcessKind.CORTEX, ProcessKind.INSPECTION)


def _instead(given: Mapping[str, Any], name: str, never: str) -> dict[str, Any]:
    return {key: _named(value, name, never) for key, value in given.items()}


def _named(value: str, name: str, instead: str) -> str:
    return instead if value == name else value


async def find_private(house: House) -> None:
    """Note what is private from what was kept: turns by their session, and all that is of such a turn."""
    store = house.bot.store
    for row in range(1, 200):
        turn = await store.journal.turn(row)
        session = await store.sessions.get(turn.session) if turn and turn.session else None
        if turn is None or session is None:
            continue
        rows = [(HandleKind.TURN, row)]
        rows += [(HandleKind.REQUEST, stored.id) for stored in await store.journal.requests_of_turn(row)]
        rows += [(HandleKind.CALL, call.record_id) for call in await store.journal.calls_of_turn(row)]
        house.private |= {handle(*one): session.body.actor for one in rows}
    for process in await store.processes.of_channel(KEY, 100):
        house.private[process.handle] = process.body.by.person.user_id
    house.handles += [name for name in house.private for _ in range(3)]
    kinds = {parsed.kind for parsed in map(parse_handle, house.private) if parsed}
    assert kinds == {HandleKind.TURN, HandleKind.REQUEST, HandleKind.CALL, HandleKind.WORKER}


async def play(key: str, directory: Path) -> Verdict:
    """Play a few hundred or thousand reads in one house."""
    programs = FEW if key.startswith("few/") else PROGRAMS
    async with a_house(directory, seed_of(key)) as house:
        await find_private(house)
        readers = Readers(house)
        readers.check_sent()
        for number in range(programs):
            await readers.program(number)
        for actor in ACTORS:
            for name in house.handles:
                house.check(await house.bot.cortex.presses.opener.open(person_of(actor), name) or "", actor, "open")
    assert house.own == set(CANARIES), f"whose it is did not get {set(CANARIES) - house.own}"
    counts = {name: house.counts[name] for name in ("foreign", "leaked", "wrong")}
    return Verdict(n=programs, counts=counts, trouble="\n".join(house.stories[:8]))


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        yield "few/seed0"
        return
    yield from (f"seed{number}" for number in range({Size.NIGHTLY: 4, Size.RELEASE: 40}[size]))


FAMILY = Family("R26", "whose process a record is of", _cases, play, seconds=300)
