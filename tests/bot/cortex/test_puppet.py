"""A model that may emit anything: whatever it calls and says, nothing changes and nothing of another place gets out."""

from __future__ import annotations

import asyncio
import itertools
import os
import random

from bot.cortex.inspection import Question
from bot.cortex.target import Target
from bot.diagnostics.collect import Ask
from bot.domain.base import canonical_json
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, Person, UserId
from bot.domain.messages import Place
from bot.errors import ToolError
from bot.tools.context_inspect import InspectionWish
from tests.bot.cortex.chat import ADMIN, ANN, chat
from tests.fakes import values as v
from tests.fakes.provider import calls, says

PROGRAMS = 600 if os.environ.get("SOAK") else 100
GUILDS, EACH = 4, 4
CHANNELS = [ChannelId(f"console:{g}:{n}") for g in range(GUILDS) for n in range(EACH)]
TOOLS = ("read_channel_context", "memory_recall", "channel_recall", "context_inspect", "memory_save", "memory_delete")
PARTS = ("outline", "tools", "status", "stats", "journal", "ledger", "dump", "section:memory_bulletin", "search:CANARY")


def stem(channel: ChannelId, what: str) -> str:
    """What a model may guess of a canary."""
    return f"CANARY{what}{channel.replace(':', '')}"


def canary(channel: ChannelId, what: str) -> str:
    return f"{stem(channel, what)}q7z"


async def fill(bot):
    bot.platform.admins.add((ADMIN, CHANNELS[0]))
    bot.platform.readers.add((ADMIN, CHANNELS[0]))
    for channel in CHANNELS:
        await bot.remembers(canary(channel, "memory"), channel, subjects=())
        for what in ("words", "more"):
            await bot.manager.heard([said_in(channel, what)], None)
    await bot.settled()


def said_in(channel, what):
    return v.inbound(
        canary(channel, what),
        f"{next(_IDS)}",
        channel=channel,
        channel_name=canary(channel, "name"),
        place=Place(guild_id=channel.split(":")[1]),
        author=v.author(ANN, "ann"),
    )


_IDS = itertools.count(90_000)


class Puppet:
    """A model that calls anything with anything, and ends with anything."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def __call__(self, request):
        if "You are the inspection branch" not in request.system_text:
            return says("yes")
        if self.chance.random() < 0.4:
            return self.ending()
        wanted = [self.chance.choice(TOOLS) for _ in range(self.chance.randrange(1, 4))]
        return calls(*((name, self.arguments(name)) for name in wanted))

    def anything(self):
        channel, chance = self.chance.choice(CHANNELS), self.chance
        number = handle(chance.choice(list(HandleKind)), chance.randrange(1, 80))
        words = [channel, stem(channel, "memory"), stem(channel, "words"), number, "here", "context", "CANARY", "*"]
        return chance.choice(words)

    def arguments(self, name):
        if name == "read_channel_context":
            home = CHANNELS[0] if self.chance.random() < 0.7 else self.anything()
            return {"channel_id": home, "part": self.chance.choice([*PARTS, f"search:{self.anything()}"])}
        if name in {"memory_recall", "channel_recall"}:
            foreign = {"channel_id": self.anything()} if self.chance.random() < 0.3 else {}
            return {"query": self.anything(), **foreign}
        return {"channel_id": self.anything(), "focus": self.anything()}

    def ending(self):
        finding = {
            "claim": self.anything(),
            "confidence": self.chance.choice(["confirmed", "likely", "no"]),
            "evidence": [self.anything() for _ in range(self.chance.randrange(3))],
            "quotes": [{"handle": self.anything(), "text": self.chance.choice(["CANARY", self.anything()])}],
            "fix": {"kind": "forget_memory", "memory": self.anything()} if self.chance.random() < 0.5 else None,
        }
        text = canonical_json({"findings": [finding], "summary": self.anything()})
        return says(self.chance.choice([text, f"```json\n{text}\n```", "words only"]))


class Inquest:
    """Runs programs against the home channel, and keeps what every one of them reported."""

    def __init__(self, bot) -> None:
        self.bot = bot
        self.inquiry = bot.cortex._desk.inquiry
        self.reports = []

    async def run(self, programs):
        bot = self.bot
        target = Target(ChannelKey(MAIN, CHANNELS[0]), canary(CHANNELS[0], "name"), Place(guild_id="0"))
        caller = bot.access.caller(Person("console", UserId(ADMIN)), "admin")
        session = await bot.cortex._desk.threads.open(bot.platform, caller, target, "t")
        diagnosis = await self.inquiry.diagnosis(target, Ask())
        question = Question(caller, target, session.id, "what?", "", diagnosis)
        inspecting = self.inquiry._desk.inspecting
        branches = inspecting._desk.branches
        for _ in range(programs // 50):
            thoughts = [branches.branch() for _ in range(50)]
            found = await asyncio.gather(*(branches.report(question, branch) for branch in thoughts))
            self.reports += found
            for branch, report in zip(thoughts, found, strict=True):
                said = inspecting._reported(session, report)
                await bot.cortex._desk.post.report(session, branch, said)
        await bot.settled()


async def test_no_program_reaches_another_place(tmp_path):
    async with chat(tmp_path, Puppet(11)) as bot:
        await fill(bot)
        bot.provider.requests.clear()
        inquest = Inquest(bot)
        await inquest.run(PROGRAMS)
        foreign = [canary(c, what) for c in CHANNELS[1:] for what in ("memory", "words", "more")]
        foreign += [canary(c, "name") for c in CHANNELS if not c.startswith("console:0:")]
        requests = bot.provider.requests
        told = {part.text for r in requests for message in r.messages for part in message.results}
        seen = told | {r.system_text for r in requests} | {m.text for r in requests for m in r.messages}
        assert len(requests) > PROGRAMS
        assert any(canary(CHANNELS[0], "memory") in text for text in told)
        assert any(canary(CHANNELS[0], "words") in text for text in told)
        assert [word for word in foreign for text in seen if word in text] == []
        posted = {sent.text for sent in bot.platform.tried}
        assert [word for word in foreign for text in posted if word in text] == []
        assert all(sent.to.private_to == ADMIN or sent.text == "yes" for sent in bot.platform.tried)


async def test_no_program_changes_anything(tmp_path):
    async with chat(tmp_path, Puppet(12)) as bot:
        await fill(bot)
        before = [await bot.store.channels.load(ChannelKey(MAIN, channel)) for channel in CHANNELS]
        inquest = Inquest(bot)
        await inquest.run(100)
        assert [await bot.store.channels.load(ChannelKey(MAIN, channel)) for channel in CHANNELS] == before
        memories = [await bot.store.memories.get(row) for row in range(1, len(CHANNELS) + 2)]
        assert [(m.version, m.forgotten_at) for m in memories[:-1]] == [(1, 0)] * len(CHANNELS)
        assert memories[-1] is None
        assert await bot.store.audit.newest(None, 10) == []
        fixes = [f.fix for r in inquest.reports if r.verified for f in r.verified.findings if f.fix]
        assert all(fix.memory == 1 for fix in fixes)


async def test_the_tool_of_the_cortex_chat_reaches_no_other_guild(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await fill(bot)
        caller = bot.access.caller(Person("console", UserId(ADMIN)), "admin")
        for channel in CHANNELS[1:]:
            for named in (channel, canary(channel, "name"), channel.removeprefix("console:")):
                try:
                    await bot.cortex.begin(InspectionWish(caller, ChannelKey(MAIN, CHANNELS[0]), named, "", 0))
                except ToolError as error:
                    written = str(error).replace(named, "")
                    assert "CANARY" not in written.replace(canary(CHANNELS[0], "name"), "")
                else:
                    raise AssertionError(f"{named} was inspected")
