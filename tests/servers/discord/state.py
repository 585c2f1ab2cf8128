"""Everything the world holds, and its counters: time is asked for, ids are counted, nothing is random."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from .limits import Limits
from .refusals import unknown
from .values import Json, Stored, Upload, User

if TYPE_CHECKING:
    from .bot import Bot
    from .channel import Channel
    from .guild import Guild
    from .interaction import Interaction
    from .message import Message

Thing = TypeVar("Thing")
HEX = re.compile("[0-9a-f]{1,12}")

START = 1_750_000_000  # seconds; what the clock says when none is given
EPOCH = 1_420_070_400_000  # the millisecond in which Discord's ids begin
DEAF = 1.0  # seconds of real time after which a bot that does not read is not waited for
PATIENCE = 10.0  # seconds of real time in which a test hears what it waits for


@dataclass(slots=True)
class Switches:
    """What a test may turn: behaviour that differs between accounts and reports, and the lengths of lives in seconds.

    `nonce_life`: how long a nonce is kept unique. `nonce_in_history`: whether a fetched message still shows its nonce,
    which is contested. `utf16`: whether lengths count UTF-16 units instead of code points, contested too.
    `acknowledge`: the time for the first answer to an interaction; `token_life`: for everything after it.
    `link_life`: how long an attachment's address is good. `identifies`: sessions, after which the token is reset.
    `identify_pace`: seconds between sessions, inside which a new one is invalid; the real one asks for 5.
    `creates`: command creations a day; `quota_status`: what a creation beyond them is answered with: 400, or 429 with
    the rest of the day as `retry_after`. `obfuscates`: channels that a bot may not view come without name and
    overwrites by the gateway, and not at all in a guild's list, as since 16 November 2026.
    """

    nonce_life: float = 120
    nonce_in_history: bool = False
    utf16: bool = True
    acknowledge: float = 3
    token_life: float = 900
    link_life: float = 86_400
    identifies: int = 1_000
    identify_pace: float = 0
    creates: int = 200
    quota_status: int = 400
    obfuscates: bool = False
    largest_upload: int = 10 * 1024 * 1024


@dataclass(eq=False, repr=False)
class State:
    """The world's content; `changed` wakes who waits for something to become so."""

    clock: Callable[[], float] = lambda: START
    passed: float = 0
    switches: Switches = field(default_factory=Switches)
    limits: Limits = field(default_factory=Limits)
    users: dict[int, User] = field(default_factory=dict)
    bots: dict[str, Bot] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    files: dict[str, Stored] = field(default_factory=dict)
    nonces: dict[tuple[int, str], Message] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = "http://127.0.0.1:0"
    last_id: int = 0

    @property
    def now(self) -> float:
        """Return the time in seconds."""
        return self.clock() + self.passed

    def snowflake(self) -> int:
        """Return a new id: the time in its upper bits, always larger than the one before."""
        self.last_id = max(self.last_id + 1, (int(self.now * 1000) - EPOCH) << 22)
        return self.last_id

    def count(self, what: str) -> int:
        """Return the next number of a series."""
        self.counters[what] = self.counters.get(what, 0) + 1
        return self.counters[what]

    def store(self, upload: Upload, channel: int) -> Stored:
        """Keep a file."""
        number = self.snowflake()
        path = f"attachments/{channel}/{number}/{upload.name}"
        kept = self.files[str(number)] = Stored(number, path, upload)
        return kept

    def signed(self, attachment: Json) -> Json:
        """Write the `Attachment` object with an address that is good from now on for a while."""
        stored = self.files.get(attachment["id"])
        if stored is None:
            return attachment
        return attachment | dict.fromkeys(("url", "proxy_url"), self._link(stored))

    def renewed(self, link: str) -> str | None:
        """Return a new address of a file, for one that has ended."""
        path = link.partition("?")[0].rpartition("/cdn/")[2]
        stored = next((one for one in self.files.values() if one.path == path), None)
        return None if stored is None else self._link(stored)

    def _link(self, stored: Stored) -> str:
        ends = int(self.now + self.switches.link_life)
        return f"{self.address}/cdn/{stored.path}?ex={ends:x}&is={int(self.now):x}&hm={stored.id ^ ends:x}"

    def opened(self, path: str, query: Mapping[str, str]) -> bytes | None:
        """Return the file of an address whose signature is right and has not ended."""
        stored = next((one for one in self.files.values() if one.path == path), None)
        ends = int(query["ex"], 16) if HEX.fullmatch(query.get("ex", "")) else 0
        is_signed = stored is not None and query.get("hm") == f"{stored.id ^ ends:x}"
        return stored.upload.content if stored and is_signed and ends >= self.now else None

    def only_bot(self) -> Bot:
        """Return the bot of a world that has one."""
        if len(self.bots) != 1:
            raise ValueError(f"name the bot: this world has {len(self.bots)}")
        return next(iter(self.bots.values()))

    def channel(self, number: object) -> Channel:
        """Find a channel, thread or direct message."""
        return found(self.channels, number, "Channel")

    async def until(self, question: Callable[[], Thing], words: Callable[[], str]) -> Thing:
        """Wait until something is so, asked again when anything happens; give up in these words."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not (answer := question()):
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(words()) from None
        return answer

    async def flushed(self) -> None:
        """Wait until every open connection has written what it has; for a bot that reads nothing only a while."""
        open_ones = [one.connection for bot in self.bots.values() for one in bot.sessions if one.connection]
        with suppress(TimeoutError):
            async with asyncio.timeout(DEAF):
                for connection in open_ones:
                    await connection.written()


def found(things: dict[int, Thing], number: object, what: str) -> Thing:
    """Find something by its id, as a path or a form gives it."""
    text = str(number)
    thing = things.get(int(text)) if text.isdecimal() else None
    if thing is None:
        raise unknown(what)
    return thing
