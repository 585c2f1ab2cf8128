"""A bot somewhere, and the people around it: the same things can be said and done wherever it is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import AuthorKind, InboundKind
from bot.ports.edges import Edges
from tests.faults.failpoints.points import Aim, Points, watch
from tests.faults.story import ANSWER

LONGEST = 20.0
"""Real seconds in which anything must have come to rest."""


@dataclass
class Owed:
    """Something that was said or done, and the words that must stand somewhere because of it, once.

    `key` is where it was said, `message_id` the platform's number of it (empty: it was no message). `instead` is what
    may stand there in its place.
    """

    name: str
    words: str
    key: ChannelKey
    message_id: str
    is_question: bool = False
    instead: str = ""


class _Due(NamedTuple):
    """What is owed for words that are about to be said."""

    name: str
    words: str
    is_question: bool = False
    instead: str = ""


@dataclass
class House:
    """One conversation. `places` are where people talk: `kitchen`, `yard`, `dm` (of whoever speaks)."""

    bot: Any
    aim: Aim | None = None
    points: Points = None  # type: ignore[assignment]
    owed: list[Owed] = field(default_factory=list)
    diary: list[str] = field(default_factory=list)
    fell: asyncio.Event = field(default_factory=asyncio.Event)
    restarts_ms: list[float] = field(default_factory=list)
    asked: int = 0
    deaths: int = 0

    # what each platform says

    name = ""
    at = ""

    async def say(self, who: str, text: str, place: str = "kitchen", file: bytes = b"") -> Any:
        """Let somebody write, and go on at once."""
        raise NotImplementedError

    async def edit(self, said: Any, text: str) -> None:
        raise NotImplementedError

    async def delete(self, said: Any) -> None:
        raise NotImplementedError

    async def press(self, who: str, label: str) -> None:
        """Let somebody press the newest button whose label begins so; go on when all came of it."""
        raise NotImplementedError

    def key(self, who: str, place: str) -> ChannelKey:
        raise NotImplementedError

    def number(self, said: Any) -> str:
        """The platform's number of a message."""
        raise NotImplementedError

    def told(self) -> list[tuple[str, str]]:
        """Everything that the bot wrote and that stands, with where: (channel, text), files as their names."""
        raise NotImplementedError

    def is_marked(self, owed: Owed) -> bool:
        """Whether the bot has put a reaction on a message."""
        return False

    async def settled(self) -> None:
        await self.bot.settled()

    def leaves(self) -> None:
        """Leave behind what a dead process leaves; nothing more goes out."""
        self.bot.falls()

    async def dies(self) -> None:
        await self.bot.dies()

    async def lives_again(self) -> None:
        await self.bot.lives_again()

    # what holds everywhere

    def watched(self, edges: Edges) -> None:
        """Hang places around a new life."""
        self.points = Points(self.falls, self.aim, armed=self.deaths > 0)
        watch(edges, self.points)

    def falls(self) -> None:
        """Be killed, at this very moment."""
        self.deaths += 1
        self.fell.set()
        self.note(f"killed at {self.aim}")
        self.leaves()

    def note(self, what: str) -> None:
        self.diary.append(what)

    async def asks(self, who: str, text: str = "tell me", place: str = "kitchen", **more: Any) -> Any:
        """Let somebody ask something that has an answer of its own; go on at once."""
        name = f"q{self.asked}"
        self.asked += 1
        return await self._says(who, f"{text} {name}", place, _Due(name, ANSWER.format(name), is_question=True), **more)

    async def says(self, who: str, text: str, place: str = "kitchen", *, owes: str = "", instead: str = "") -> Any:
        """Let somebody say something to which these words are owed, and everything come of it."""
        said = await self._says(who, text, place, _Due(text, owes, instead=instead))
        await self.rests()
        return said

    async def mentions(self, who: str, text: str, place: str = "kitchen", *, owes: str = "") -> Any:
        """Say it to the bot."""
        return await self.says(who, self.to_bot(text, place), place, owes=owes)

    async def presses(self, who: str, label: str, *, owes: str = "") -> None:
        """Press, and let everything come of it."""
        self.note(f"{who} presses {label}")
        if owes:
            self.owed.append(Owed(label, owes, self.key(who, "dm"), ""))
        await self.press(who, label)
        await self.rests()

    def expects(self, name: str, words: str, instead: str) -> None:
        """Note what must be said in the kitchen in the end, beside the answers."""
        self.owed.append(Owed(name, words, self.key("ann", "kitchen"), "", instead=instead))

    def handle(self, memory: int) -> str:
        return handle(HandleKind.MEMORY, memory)

    def to_bot(self, text: str, place: str) -> str:
        return text if place == "dm" else f"{self.at} {text}"

    async def _says(self, who: str, text: str, place: str, due: _Due, **more: Any) -> Any:
        self.note(f"{who} in {place}: {text}")
        whole = self.to_bot(text, place) if due.is_question else text
        if not self.points.armed or not due.words:
            return await self.say(who, whole, place, **more)
        # noted before it is said: who is killed while it hears that comes no further here
        owed = Owed(due.name, due.words, self.key(who, place), "", due.is_question, due.instead)
        self.owed.append(owed)
        said = await self.say(who, whole, place, **more)
        owed.message_id = self.number(said)
        return said

    async def rests(self) -> None:
        """Wait until nothing is under way."""
        async with asyncio.timeout(LONGEST):
            await self.settled()
        self.bot.clock.advance(1)

    async def lives_through(self, script: Callable[[Any], Awaitable[None]]) -> None:
        """Play a script until its end, or until the bot falls."""
        self.points.armed = True
        await self._until_it_falls(script(self))

    async def rises(self, aim: Aim | None = None) -> None:
        """Die where it fell, or here and now, and live again until it is at rest, or falls again at another place."""
        if not self.fell.is_set():
            self.falls()
        self.points.over = True
        await self.dies()
        self.fell.clear()
        self.aim = aim
        began, worked = time.perf_counter(), time.thread_time()
        await self._until_it_falls(self.lives_again())
        spent = time.perf_counter() - began, time.thread_time() - worked
        self.restarts_ms.append(round(1000 * spent[0], 1))
        assert spent[1] < 2.0, f"the restart took {spent[1]:.1f} s of the processor"
        if not self.fell.is_set():
            await self._until_it_falls(self.rests())

    def lets_go(self) -> None:
        """Let whoever fell end in order, because the case is over."""
        self.points.aim, self.points.over = None, False
        self.points.fell.clear()

    async def _until_it_falls(self, doing: Any) -> None:
        playing = asyncio.get_running_loop().create_task(doing)
        falling = asyncio.get_running_loop().create_task(self.fell.wait())
        try:
            async with asyncio.timeout(LONGEST):
                await asyncio.wait([playing, falling], return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            raise AssertionError(f"it never came to rest\n{self}") from None
        finally:
            falling.cancel()
            if not playing.done():
                playing.cancel()
            await asyncio.wait([playing, falling])
        if not playing.cancelled() and not self.fell.is_set():
            playing.result()

    async def rows(self, owed: Owed) -> list[StoredInbound]:
        """Everything that the ledger knows of a message."""
        found = await self.bot.store.ledger.recent(owed.key, 500)
        return [row for row in found if row.inbound.message_id == owed.message_id]

    async def messages(self, key: ChannelKey) -> list[StoredInbound]:
        """Every message of people in a channel that the ledger knows, oldest first."""
        found = await self.bot.store.ledger.recent(key, 500)
        people = [row for row in reversed(found) if row.inbound.author.kind is AuthorKind.PERSON]
        return [row for row in people if row.inbound.kind is InboundKind.MESSAGE]

    def __str__(self) -> str:
        told = (f"    {where} | {text}" for where, text in self.told())
        return "\n".join((*self.diary, "the bot wrote:", *told))
