"""The life of a bot whose disk is watched: `python -m tests.faults.disks.living DATA MARKS SEED STEPS`.

Into MARKS goes a line at every moment from which on something must be on the disk: `state NAME` when a commit has
returned, before anybody hears of it, and `copy NAME` when a copy of the database has got its name.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import Any

from adapters.simulated import create as simulated
from adapters.sqlite import restore_copy, store
from adapters.sqlite.engine import copies, writer
from tests.dialogs.bot import Bot, NoTable
from tests.dialogs.test_ledger_walk import SCRIPTED, scripted
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.logs import plain_logs
from tests.faults.disks.contents import name_of
from tests.inside.store import writer_of

HOUR = 3600
PLACES = ("#general", "#hall", "#yard")
RETENTION = "[retention]\nambient_hours = 24\nmessages_days = 2\nrequests_days = 1\n"
PATIENT = SCRIPTED.replace("turn_timeout = 0.5", "turn_timeout = 60")


def a_bot(data: Path) -> Bot:
    """Make a bot whose model does at once what it is told to; it is not open yet."""
    providers = {"simulated": simulated("simulated", {}), **scripted()}
    return Bot(data, FakeClock(), FakeEntropy(), providers, NoTable(), PATIENT + RETENTION)


def watch(marks: Path) -> Callable[[str], None]:
    """Let every commit and every copy leave a mark."""
    file = os.open(marks, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def mark(line: str) -> None:
        os.write(file, f"{line}\n".encode())

    def after(work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def watched(*args: Any) -> Any:
            done = work(*args)
            mark(f"state {name_of(args[-1])}")
            return done

        return watched

    def published(path: Path) -> Path:
        done = publish(path)
        mark(f"copy {done.name}")
        return done

    publish = copies.publish
    writer._commit_group = after(writer._commit_group)
    store._bring_up = after(store._bring_up)
    store.begin_history = after(store.begin_history)
    copies.publish = published
    return mark


class Life:
    """What happens, as chance will have it."""

    def __init__(self, data: Path, seed: int, mark: Callable[[str], None]) -> None:
        self._chance = random.Random(seed)
        self._mark = mark
        self._bot = a_bot(data)

    async def happen(self, steps: int) -> None:
        """Live, and every other time put a copy in the database's place."""
        await self.lives(steps)
        if self._chance.random() < 0.5:
            await self._is_restored()
            await self._talk()
            await self._bot.close()

    async def lives(self, steps: int) -> None:
        """Let so many things happen, and a copy be made after them; end in order."""
        await self._opens()
        doings: tuple[Callable[[], Awaitable[Any]], ...] = (
            *(self._talk,) * 5,
            *(self._everybody_talks,) * 3,
            *(self._remembers,) * 2,
            *(self._asks_the_cortex, self._edits, self._steers, self._a_day_passes, self._restarts),
        )
        for _ in range(steps):
            await self._chance.choice(doings)()
        await self._a_day_passes()
        await self._talk()
        await self._bot.close()

    async def _opens(self) -> None:
        await self._bot.open(self._checkpoints_often)

    async def _checkpoints_often(self) -> None:
        pages = self._chance.choice((8, 20, 40))
        work: Callable[[sqlite3.Connection], Any] = lambda raw: raw.execute(  # noqa: E731
            f"PRAGMA wal_autocheckpoint = {pages}"
        ).fetchall()
        writer = writer_of(self._bot.store)
        await writer.run_alone(work)
        # at times the log is copied beside the writer, at times by a commit, and most times by whoever comes first
        writer.wal.worth_it, writer.wal.rest = pages // 4, 0.0

    def _line(self) -> str:
        who, place = self._chance.choice(("ann", "james", "bo")), self._chance.choice(PLACES)
        words = " ".join(self._chance.choices(("tea", "parrot", "zinc", "Übermut", "sleeps", "why"), k=9))
        text = self._chance.choice(("@glassmind {}", "@glassmind {} with a tool", "{}", "@glassmind no answer, {}"))
        return f"[{place}] {who}> {text.format(words)}"

    async def _talk(self) -> None:
        await self._bot.types(self._line())

    async def _everybody_talks(self) -> None:
        for _ in range(self._chance.randint(3, 9)):
            await self._bot.console.type(self._line(), self._bot.app.manager)
        await self._bot.app.settled()
        self._bot.clock.advance(1)

    async def _remembers(self) -> None:
        some = [v.memory(f"{self._line()} {n}") for n in range(self._chance.randint(1, 6))]
        await self._bot.store.memories.add(some)

    async def _asks_the_cortex(self) -> None:
        await self._bot.says("root", self._chance.choice(("!cortex why", "!cortex doctor", "@glassmind /usage")))

    async def _edits(self) -> None:
        await self._bot.says("ann", "a slip of the pen")
        said = self._bot.console.world.said[-1]
        await self._bot.types(f"/edit {said.message_id} a slip of the tongue")

    async def _steers(self) -> None:
        await self._bot.says("root", "@glassmind /pause lunch")
        await self._bot.says("ann", "@glassmind are you there?")
        await self._bot.says("root", "@glassmind /resume")

    async def _a_day_passes(self) -> None:
        self._bot.clock.advance(self._chance.choice((25, 49)) * HOUR)
        await self._bot.app.maintenance.sweep()
        await self._bot.app.settled()

    async def _restarts(self) -> None:
        await self._bot.restart(self._checkpoints_often)

    async def _is_restored(self) -> None:
        """Stop, put the newest copy in the database's place, and go on."""
        bot, said = self._bot, self._bot.console.world.next_id
        bot.clock.advance(HOUR)
        done = await restore_copy(bot.data, copies.find_copies(bot.data)[0].path.name, bot.clock, bot.entropy)
        raw = sqlite3.connect(f"file:{bot.data / 'glassmind.db'}?mode=ro", uri=True)
        self._mark(f"state {name_of(raw)}")
        raw.close()
        self._mark(f"copy {Path(done.replaced).name}")
        await self._opens()
        bot.console.world.next_id = said  # the platform went on counting


def main() -> None:
    plain_logs()
    data, marks, seed, steps = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    asyncio.run(Life(data, seed, watch(marks)).happen(steps))


if __name__ == "__main__":
    main()
