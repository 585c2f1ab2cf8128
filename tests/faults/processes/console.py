"""A house at a terminal: people type lines, and read what is printed.

A terminal keeps nothing for anybody: what was typed and had not been taken in when the process died is typed again.
"""

from __future__ import annotations

import os
import pty
import re
import termios
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from tests.dialogs.bot import PEOPLE
from tests.faults.processes.house import House
from tests.faults.story import ANY_ANSWER, Question, Story
from tests.servers.model import model_server

PLATFORM = """
[platforms.console]
names = ["glassmind"]
owner_ids = [1]
admin_ids = [2]
people = {{ {people} }}
platform_admins = [1, 2]
"""
HEAD = re.compile(r"\[(?P<place>[^\]]+)\] glassmind<(?: (?P<text>.*))?")


@dataclass
class Line:
    """What somebody typed, or the bot printed; `place` is a channel (`#kitchen`) or `dm root ▸ ...`."""

    place: str
    text: str
    who: str = "glassmind"


@dataclass
class Screen:
    """What stands on the terminal, and the store that lies behind it."""

    lines: list[Line] = field(default_factory=list)
    store: Any = None

    def print(self, line: bytes) -> None:
        """Take a line that was printed."""
        words = line.decode("utf-8", "replace")
        head = HEAD.fullmatch(words)
        if head is not None:
            self.lines.append(Line(head["place"], head["text"] or ""))
        elif self.written() and (not words or words.startswith("  ")):
            said = self.written()[-1]
            said.text = f"{said.text}\n{words[2:]}" if said.text else words[2:]
        else:
            self.lines.append(Line("", words))

    def key(self, place: str) -> ChannelKey:
        return ChannelKey(MAIN, ChannelId(f"console:{place}"))

    def written(self) -> list[Line]:
        return [line for line in self.lines if line.who == "glassmind"]

    def texts(self, place: str) -> list[str]:
        return [line.text for line in self.written() if line.place == place]

    def transcript(self, place: str) -> str:
        return "\n".join(f"{line.who}> {line.text}" for line in self.lines if line.place == place)


class Sums(Story):
    """One run."""

    rooms: Sequence[str] = ()

    @property
    def places(self) -> Sequence[str]:
        return (*self.rooms, "")

    def place_of(self, said: Line) -> str:
        return said.place

    async def rows(self, said: Line) -> list[StoredInbound]:
        found = await self.bot.store.ledger.recent(self.bot.key(said.place), 500)
        return [row for row in found if row.inbound.text == said.text]

    async def is_told(self, question: Question) -> bool:
        place = question.said.place
        words = [text for text in self.bot.texts(place) if not ANY_ANSWER.fullmatch(text)]
        return bool(words) or any(place in line.text for line in self.bot.lines if line.place.startswith("dm root"))


@dataclass
class ConsoleHouse(House):
    """A terminal that outlives its processes."""

    name: ClassVar[str] = "console"
    around: Screen = field(default_factory=Screen)
    _typing: list[int] = field(default_factory=list)

    async def open(self) -> None:
        self.story = Sums(0, self.around)
        self.story.rooms = self.rooms

    @property
    def platform(self) -> str:
        return PLATFORM.format(people=", ".join(f"{name} = {number}" for name, number in PEOPLE.items()))

    def addressed(self, text: str) -> str:
        return f"@glassmind {text}"

    async def start(self, *trap: Any) -> None:
        await super().start(*trap)
        known = [text for (text,) in self.rows("SELECT text FROM inbound")]
        for said in self.everything_said():
            if said.text not in known:
                self._type(said)
            else:
                known.remove(said.text)

    async def speak(self, who: str, text: str, room: int) -> Line:
        said = Line(self.rooms[room], text, who)
        self.around.lines.append(said)
        self._type(said)
        return said

    def ids(self, said: Line) -> set[str]:
        return {message for (message,) in self.rows("SELECT message_id FROM inbound WHERE text = ?", said.text)}

    def is_heard(self, known: set[str]) -> bool:
        texts = [text for (text,) in self.rows("SELECT text FROM inbound")]
        said = [one.text for one in self.everything_said()]
        return all(texts.count(text) >= said.count(text) for text in set(said))

    def private(self) -> list[str]:
        return [line.text for line in self.around.lines if line.place.startswith("dm root")]

    def public(self) -> list[str]:
        return [line.text for line in self.around.lines if not line.place.startswith("dm root")]

    async def close(self) -> None:
        await super().close()
        self._leave_keyboard()

    def _type(self, said: Line) -> None:
        os.write(self._typing[0], f"[{said.place}] {said.who}> {said.text}\n".encode())

    def files(self) -> tuple[int, int, int]:
        self._leave_keyboard()
        keyboard, terminal = pty.openpty()
        modes = termios.tcgetattr(terminal)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        self._typing.append(keyboard)
        return terminal, self.pipe(self.around.print), self.pipe(self._hear_log)

    def _leave_keyboard(self) -> None:
        while self._typing:
            os.close(self._typing.pop())


@asynccontextmanager
async def a_house(directory: Path, *, rooms: int = 2, **changes: Any) -> AsyncIterator[ConsoleHouse]:
    """Open a house with so many channels; `changes` are further fields of `House`."""
    async with model_server() as model:
        house = ConsoleHouse(directory, model, rooms=[f"#room{n}" for n in range(rooms)], **changes)
        await house.open()
        try:
            yield house
        finally:
            await house.close()
