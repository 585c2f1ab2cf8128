"""R33: whoever asks, in whatever words, reads no memory that was learnt where they may not read.

Five servers with three channels each, whose memories and authors are all canaries. Their admins and moderators list,
search, filter, page, open, find and propose; their models are asked to recall; an editor looks. What anybody reads
holds no canary of another server, and a moderator's none of a channel that they do not moderate.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.cli.host_queries import HostQueries
from bot.cortex.pages.memory_audit import AuditQuery
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryFilter, MemoryProvenance, MemoryScope
from bot.domain.messages import ChannelPlace, OutgoingFile, ToolResult
from bot.errors import UserError
from tests.bot.cortex.chat import OWNER, Chat, chat, config
from tests.fakes.provider import calls, says
from tests.faults.family import Family, Size, Verdict, seed_of, seeds

GUILDS, ROOMS = 5, 3
QUERIES = 100
"""How many are asked in a case; ten cases are a release."""


@dataclass(frozen=True)
class Canary:
    """A memory whose words and author occur nowhere else."""

    guild: int
    room: int
    what: str
    row: int = 0

    @property
    def words(self) -> str:
        return f"canary{self.what}g{self.guild}r{self.room}q7z"

    @property
    def author(self) -> str:
        return f"teller{self.what}g{self.guild}r{self.room}q7z"

    @property
    def marks(self) -> tuple[str, str]:
        return self.words, self.author


def room_of(guild: int, room: int) -> ChannelId:
    return ChannelId(f"console:#room{guild}{room}")


def admin_of(guild: int) -> str:
    return f"1{guild}"


def moderator_of(guild: int) -> str:
    return f"2{guild}"


@dataclass
class Town:
    """A bot on five servers."""

    bot: Chat
    chance: random.Random
    canaries: list[Canary]
    typed: set[tuple[int, int, str]] = field(default_factory=set)
    """Servers, rooms, and the words of canaries that the model there typed itself, when it asked its memory."""

    def any_canary(self) -> Canary:
        return self.chance.choice(self.canaries)

    def foreign(self, guild: int, room: int | None = None) -> list[str]:
        """What somebody may not read: of other servers, of private chats, and of other rooms where one is given."""
        return [
            mark
            for one in self.canaries
            if one.guild != guild or one.what == "private" or room not in {None, one.room}
            for mark in one.marks
            if not any((guild, there, mark) in self.typed for there in range(ROOMS) if room in {None, there})
        ]


_ECHO = re.compile(r"^Only: .*$", re.MULTILINE)
"""The line that says by which of their own words something was looked for."""
_LOOKS = re.compile(
    r"Older|‹ Newer|Newer|Counts|Draw it|(Requests|Answers|Memories|Summaries|Compactions|Branches|Workers) \("
)
"""Buttons that only show something."""
KINDS = ("kept", "server", "gone", "private")


async def _furnish(bot: Chat) -> list[Canary]:
    found: list[Canary] = []
    for guild in range(GUILDS):
        for room in range(ROOMS):
            channel = room_of(guild, room)
            bot.platform.admins.add((admin_of(guild), channel))
            bot.platform.readers |= {(admin_of(guild), channel), (moderator_of(guild), channel)}
            if room == 0:
                bot.platform.moderators.add((moderator_of(guild), channel))
            await bot.hears("hello", "100", channel, place=_place(guild))
            for what in KINDS:
                canary = Canary(guild, room, what)
                scope, scope_id, learnt = MemoryScope.CHANNEL, str(channel), channel
                if what == "server":
                    scope, scope_id = MemoryScope.GUILD, f"{guild}"
                if what == "private":
                    user = f"3{guild}{room}"
                    scope, scope_id, learnt = MemoryScope.USER, user, ChannelId(f"console:dm:{user}")
                told = MemoryProvenance(author=UserId(f"4{guild}{room}"), author_name=canary.author)
                row = await bot.remembers(canary.words, learnt, scope=scope, scope_id=scope_id, provenance=told)
                if what == "gone":
                    await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", OWNER, channel)
                    await bot.presses("Forget")
                found.append(Canary(guild, room, what, row))
    return found


def _place(guild: int) -> ChannelPlace:
    return ChannelPlace(guild_id=f"{guild}")


def _lines(town: Town) -> Iterator[str]:
    """Everything that can be typed about memories, with words, names and handles of anywhere."""
    chance = town.chance
    while True:
        one, other = town.any_canary(), town.any_canary()
        name = handle(HandleKind.MEMORY, one.row)
        where = f"#room{one.guild}{one.room}"
        yield from chance.sample(
            (
                "memory list",
                f"memory list {where}",
                f"memory list page {chance.randint(1, 4)}",
                "memory list server",
                f"memory list server by {one.author}",
                f"memory list by {one.author} older 1h",
                "memory list forgotten",
                "memory list scope server type decision",
                f"memory search {one.words}",
                f'memory search "{one.words} {other.author}" forgotten',
                "memory search canary teller q7z",
                f"memory by {one.author}",
                f"memory by 4{one.guild}{one.room}",
                f"memory show {name}",
                f"memory history {name}",
                f"memory spread {name}",
                f"memory spread by {one.author}",
                f"memory spread by 4{one.guild}{one.room}",
                "memory spread since 2h",
                f"memory spread {name} chart",
                f"memory spread by {one.author} chart",
                "memory chart",
                f"memory chart {where} 48h",
                "memory chart server 1y",
                f'memory propose spread {name} "why not"',
                "memory export",
                f"memory export {where}",
                "memory export server",
                "memory import",
                name,
                f"open {name}",
                f'memory propose forget {name} "why not"',
                f'memory propose merge {name} {handle(HandleKind.MEMORY, other.row)} "one" "two"',
                f'find "{one.words}"',
                f'find "{one.words}" {where}',
                "read memory",
                "last",
                f"context {where}",
            ),
            k=4,
        )


async def _asked(town: Town, line: str, guild: int, role: str) -> list[str]:
    """Let somebody ask; return what they, or everybody, could read that was not for them."""
    bot, who = town.bot, admin_of(guild) if role == "admin" else moderator_of(guild)
    room = 0 if role == "moderator" else None
    before = len(bot.platform.sent)
    where = room_of(guild, 0) if town.chance.random() < 0.7 else ChannelId(f"console:dm:{who}")
    place = ChannelPlace(is_dm=True) if "dm:" in where else _place(guild)
    await bot.hears(f"!cortex {line}", who, where, place=place)
    turns = [one for sent in bot.platform.sent[before:] for one in sent.buttons if _LOOKS.match(one.label)]
    for button in turns[:3]:
        await bot.press_data(button.data, who)
    wrong = []
    for sent in bot.platform.sent[before:]:
        closed = town.foreign(guild, room) if sent.to.private_to == who else _every(town)
        if sent.to.private_to not in {None, who}:
            # a proposal's card; its admin is one of the same server, or the owner
            closed = [] if sent.to.private_to == OWNER else town.foreign(guild)
        shown = "\n".join([_ECHO.sub("", sent.text), *(button.label for button in sent.buttons)])
        shown += _read(sent.file)
        wrong += [f"{role} of {guild}: {line!r} shows {mark}" for mark in closed if mark in shown]
    return wrong


def _read(file: OutgoingFile | None) -> str:
    return Path(file.path).read_bytes().decode("utf-8", "replace") if file is not None else ""


def _every(town: Town) -> list[str]:
    return [mark for one in town.canaries for mark in one.marks]


async def _recalled(town: Town, words: str, guild: int) -> list[str]:
    """Let a model recall in a room; return what it was told that was not known there."""
    bot, number = town.bot, town.chance.randrange(ROOMS)
    bot.provider.script[:] = [calls(("memory_recall", {"query": words, "limit": 25})), says("ok")]
    before = len(bot.provider.requests)
    await bot.hears("glass, what do you know?", "100", room_of(guild, number), place=_place(guild))
    told = []
    for request in bot.provider.requests[before:]:
        told.append(request.system_text)
        told += [part.text for message in request.messages for part in message.parts if isinstance(part, ToolResult)]
    text = "\n".join(told)
    foreign = town.foreign(guild)
    # from now on they stand in the requests of this room, as words of its own model
    town.typed.add((guild, number, words))
    return [f"recall {words!r} in {guild} tells {mark}" for mark in foreign if mark in text]


async def _edited(town: Town, one: Canary, guild: int) -> list[str]:
    """Let an editor look, to whom private chats are closed."""
    bot = town.bot
    eyes = HostQueries(bot.store, bot.config, bot.clock, is_closed=lambda channel: channel.place.is_dm, is_host=False)
    wanted = town.chance.choice(
        (MemoryFilter(), MemoryFilter(words=one.words), MemoryFilter(author=one.author), MemoryFilter(forgotten=True))
    )
    query = AuditQuery(wanted, town.chance.randint(1, 2), town.chance.random() < 0.5)
    shown = await eyes.memories(room_of(guild, town.chance.randrange(ROOMS)), query, bot.app.redactor)
    text = f"{_ECHO.sub('', shown.text)}\n{shown.value}"
    try:
        story = await eyes.memory(handle(HandleKind.MEMORY, one.row), bot.app.redactor)
    except UserError:
        pass
    else:
        text += f"\n{story.text}" if one.what == "private" else ""
    return [f"an editor is shown {mark}" for mark in town.foreign(guild) if mark in text]


async def _play(key: str, directory: Path) -> Verdict:
    many = 25 if key.startswith("short") else QUERIES
    people = {
        "owner_ids": [OWNER],
        "admin_ids": [admin_of(guild) for guild in range(GUILDS)],
        "moderator_ids": [moderator_of(guild) for guild in range(GUILDS)],
        "default_mode": "active",
    }
    settings = config(
        directory / "data", platforms={"console": people}, cortex={"per_minute": 10_000_000, "inspect_dms": False}
    )
    wrong: list[str] = []
    async with chat(directory, says("fine"), settings=settings) as bot:
        town = Town(bot, random.Random(seed_of(key)), await _furnish(bot))
        lines = _lines(town)
        for number in range(many):
            guild = town.chance.randrange(GUILDS)
            if number % 10 == 8:
                wrong += await _recalled(town, town.any_canary().words, guild)
            elif number % 10 == 9:
                wrong += await _edited(town, town.any_canary(), guild)
            else:
                wrong += await _asked(town, next(lines), guild, ("admin", "moderator")[number % 2])
        wrong += await _own_are_seen(town)
    return Verdict(n=many, counts={"foreign": len(wrong)}, trouble="\n".join(wrong[:8]))


async def _own_are_seen(town: Town) -> Sequence[str]:
    """Say what is hidden from those who may read it: a search that finds nothing leaks nothing either."""
    wrong = []
    for guild in range(GUILDS):
        for who, room in ((admin_of(guild), 1), (moderator_of(guild), 0)):
            before = len(town.bot.platform.sent)
            words = Canary(guild, room, "kept").words
            await town.bot.hears(f"!cortex memory search {words}", who, room_of(guild, room), place=_place(guild))
            if not any(words in sent.text for sent in town.bot.platform.sent[before:]):
                wrong.append(f"{who} does not find {words}")
    return wrong


def _cases(size: Size) -> Iterator[str]:
    if size is Size.SLICE:
        yield "short1"
    else:
        yield from seeds(0, 10, 40)(size)


FAMILY = Family("R33", "the reach of memories", _cases, _play, seconds=300)
