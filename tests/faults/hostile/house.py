"""A whole bot in four guilds, with canaries wherever words can stand, admins, strangers, a server of foreign tools."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.base import digest_text
from bot.domain.finding import StoredSession
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import Button, ChannelPlace, OutgoingMessage
from bot.ports.toolservers import OnServerChange, ServedResult, ServedTool, ServerAddress
from bot.runtime.tasks import TaskSupervisor
from bot.tools.runtime.toolbox import Toolbox
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, OWNER, STRANGER, Chat, chat, config, dm_of
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import Step
from tests.faults.confirming import person_of
from tests.faults.family import Verdict
from tests.faults.hostile.puppet import CHANNELS, COMMON, HOME, canary, foreign_canaries

KEY = ChannelKey(MAIN, HOME)
LIVE = re.compile(r"https?://|tg://|discord://|(?<![\w\]])www\.|t\.me/|discord\.gg/|@everyone|@here|<@[!&]?\d", re.I)
FENCED = re.compile(r"(?ms)^(`{3,})[^`\n]*\n.*?^\1$")
CAME_BACK = re.compile(r"(?ms)^what came of it:\n(`{3,})[^`\n]*\n.*?^\1$")
"""What a tool returned, under a model's arguments: words of anybody, in a block in which nothing is live."""
BY_MODELS = ("it read members' text", "proposed by a model")
EVERYBODY = (ADMIN, ADMIN_TOO, OWNER, STRANGER, ANN)
FOREIGN = foreign_canaries()
OWN = {what: canary(HOME, what) for what in ("memory", "words", "more")}
_IDS = itertools.count(90_000)


class Served4Nobody:
    """A server of foreign tools: whatever reaches it is noted. Implements `ToolServers` and `ToolServer`."""

    title, ended = "house 1.0", ""

    def __init__(self) -> None:
        self.called: list[str] = []

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def connect(self, address: ServerAddress, stir: OnServerChange) -> AsyncIterator[Served4Nobody]:
        yield self

    async def misfits(self, schema: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        return ()

    async def tools(self) -> tuple[ServedTool, ...]:
        schema = '{"type":"object","properties":{}}'
        return tuple(ServedTool(name, name, schema, digest_text(name)) for name in ("wipe", "read"))

    async def call(self, name: str, arguments: Mapping[str, Any], timeout: float, asker: str = "") -> ServedResult:
        self.called.append(name)
        return ServedResult((f"{name} is done",))

    def last_words(self) -> str:
        return ""


@dataclass
class House:
    """The bot, and what was found wrong so far."""

    bot: Chat
    server: Served4Nobody
    counts: Counter[str] = field(default_factory=Counter)
    stories: list[str] = field(default_factory=list)
    own: Counter[str] = field(default_factory=Counter)
    """How often somebody was told a canary of the home channel, as they may be."""
    confirmed: set[int] = field(default_factory=set)
    """Memories of which the admin who was asked said yes."""

    def wrong(self, what: str, story: str) -> None:
        self.counts[what] += 1
        self.stories.append(f"{what}: {story}"[:400])

    def check_told(self, texts: Sequence[str]) -> None:
        """What a model or a person reads about the home channel holds nothing of another place."""
        for text in texts:
            if "q7z" in text:
                self.own.update(what for what, word in OWN.items() if word in text)
                for found in (word for word in FOREIGN if word in text):
                    self.wrong("foreign", f"{found} in {text[:200]!r}")

    def check_sent(self, sent: OutgoingMessage) -> None:
        """What went out went to the right place, and what a model wrote for an admin is dead."""
        self.check_told([sent.text])
        private = sent.to.private_to
        if private is None:
            # what a conversation answers goes to where it was spoken to
            if sent.to.channel not in (HOME, dm_of(ADMIN)):
                self.wrong("elsewhere", f"{sent.to.channel}: {sent.text[:200]!r}")
            return
        if sent.to.channel != dm_of(private) or private not in (ADMIN, ADMIN_TOO, OWNER):
            self.wrong("elsewhere", f"for {private} in {sent.to.channel}: {sent.text[:200]!r}")
        self.check_private(sent.text)

    def check_private(self, text: str) -> None:
        """What an admin gets to read of a model's words is dead."""
        # what people wrote is quoted as it is, in a block in which nothing is live; a model's words are dead everywhere
        shown = CAME_BACK.sub("", text) if any(words in text for words in BY_MODELS) else FENCED.sub("", text)
        if (found := LIVE.search(shown)) is not None:
            self.wrong("live", f"{found[0]!r} in {text[:300]!r}")
        self.check_told([text])

    async def let_go(self) -> None:
        """End what was handed out and is under way."""
        for process in await self.bot.store.processes.of_channel(KEY, 100):
            await self.bot.app.mind.work.stop(process, "the test is over")

    async def session(self) -> tuple[StoredSession, TargetChannel]:
        """Open a talk of the admin about the home channel."""
        desk = self.bot.cortex
        caller = self.bot.access.caller(person_of(ADMIN), "admin")
        target = await desk.targets.of(KEY)
        assert target is not None
        return await desk.threads.open(self.bot.platform, caller, target, "t"), target

    async def offer(self, session: StoredSession, target: TargetChannel) -> tuple[int, list[Button]]:
        """Offer the admin to forget something."""
        row = await self.bot.remembers("they like tea", HOME)
        memory = await self.bot.store.memories.get(row)
        assert memory is not None
        said = await self.bot.cortex.presses.offering.forget(session, target, memory)
        return row, list(said.buttons)

    def verdict(self, programs: int) -> Verdict:
        """Say how it came out."""
        counts = {name: self.counts[name] for name in ("unconfirmed", "foreign", "live", "elsewhere")}
        return Verdict(n=programs, counts=counts, trouble="\n".join(self.stories[:8]))

    @property
    def toolbox(self) -> Toolbox:
        found: Toolbox = self.branches.toolbox
        return found

    @property
    def inspecting(self) -> Any:
        return self.bot.cortex.inquiry.inspecting

    @property
    def branches(self) -> Any:
        return self.inspecting.branches


@asynccontextmanager
async def a_house(directory: Path, model: Step, after: House | None = None) -> AsyncIterator[House]:
    """Open one and fill it; while that is done the model says yes. `after`: it is the next life of that one."""
    server = Served4Nobody()
    tools = {
        "files": {"enabled": True},
        "mcp": {
            "house": {
                "command": "house",
                "enabled": True,
                "kinds": ["channel", "worker", "branch"],
                "authority": "owner",
            }
        },
    }
    settings = config(directory / "data", cortex={"per_minute": 10_000_000}, tools=tools)
    with capture_logs() as logs:
        past = {"clock": after.bot.clock, "platform": FakePlatform(idempotent=True, max_units=4096)} if after else {}
        first = model if after else v.llm_response("yes")
        async with chat(directory, first, settings=settings, tool_servers=server, **past) as bot:
            if after is None:
                await _fill(bot)
            else:
                _let_in(bot)
            bot.provider.script[:] = [model]
            house = House(bot, server)
            tasks = TaskSupervisor()
            (source,) = house.toolbox.sources
            source.start(tasks)  # type: ignore[attr-defined]
            await bot.until(lambda: bool(source.tools()))
            yield house
            await tasks.close()
            bot.provider.script[:] = [v.llm_response("yes")]
            await bot.settled()
    for line in logs:
        if line["log_level"] in ("error", "critical"):
            house.wrong("broke", str(line))


def _let_in(bot: Chat) -> None:
    for who, channel in ((ADMIN, HOME), (ADMIN_TOO, CHANNELS[1])):
        bot.platform.admins.add((who, channel))
        bot.platform.readers.add((who, channel))


async def _fill(bot: Chat) -> None:
    _let_in(bot)
    for channel in CHANNELS:
        await bot.remembers(f"{canary(channel, 'memory')} {COMMON}", channel, subjects=())
        for what in ("words", "more"):
            await bot.manager.receive([said_in(channel, f"{canary(channel, what)} {COMMON}")], None)
    await bot.settled()
    bot.platform.sent.clear()
    bot.provider.requests.clear()


def said_in(channel: ChannelId, text: str, by: str = ANN) -> Any:
    """Something that somebody says in one of the channels."""
    return v.inbound(
        text,
        f"{next(_IDS)}",
        channel=channel,
        channel_name=canary(channel, "name"),
        place=ChannelPlace(guild_id=channel.split(":")[1]),
        author=v.author(by, "ann"),
    )
