"""F7: one bit of the database flips: what was altered is never used unseen, the bot goes on, a copy brings all back.

Everything that a store can be asked is asked before and after. An answer may lack what was damaged, if the store says
so; an answer that holds anything that was not stored is `unseen`, and there may be none.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE, create_subprocess_exec
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from adapters.sqlite import SqliteStore, StoreSettings, create
from adapters.sqlite.engine import copies
from bot.domain.ids import PersonKey, UserId
from bot.domain.ledger import StreamCursor
from bot.errors import DamagedRow, StoreError
from tests.adapters.sqlite.opened import opened
from tests.adapters.sqlite.upkeep.test_backups import KEEP
from tests.adapters.sqlite.upkeep.test_integrity import furnish
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.faults.disks.contents import Cells, read_cells
from tests.faults.disks.living import Life, a_bot
from tests.faults.disks.place import quick
from tests.faults.disks.questions import SUMS, Answers, Questions, questions_of
from tests.faults.family import Family, Size, Verdict

BATCHES = {Size.SLICE: (1, 6), Size.NIGHTLY: (6, 100), Size.RELEASE: (50, 100)}
"""How many batches, and how many flips of each."""
WHOLE_BOT = 10
"""Of so many flips one is met by a whole bot."""
STEPS = 8


def _cases(size: Size) -> Iterable[str]:
    batches, flips = BATCHES[size]
    return (f"batch{seed}/{flips}" for seed in range(batches))


async def _play(key: str, directory: Path) -> Verdict:
    seed, flips = key.removeprefix("batch").split("/")
    with quick(directory) as place:
        return await _Flips(place, int(seed)).flip(int(flips))


class _Flips:
    def __init__(self, place: Path, seed: int) -> None:
        self._right, self._here = place / "right", place / "flipped"
        self._seed = seed
        self._chance = random.Random(seed)
        self._counts: Counter[str] = Counter(unseen=0)
        self._story: list[str] = []

    async def flip(self, many: int) -> Verdict:
        """Make a store, flip so many bits of it, one at a time, and restore the copy in the end."""
        cells = await self._made()
        async with opened(self._right) as store:
            questions = await questions_of(store, self._right / "glassmind.db")
            right = await questions.ask(store)
            assert not any(isinstance(answer, Exception) for answer in right.values()), right
            assert {probe.state for probe in await store.probe()} == {"ok"}
        image = (self._right / "glassmind.db").read_bytes()
        held = await asyncio.to_thread(read_cells, self._right / "glassmind.db")
        for _ in range(many):
            at, bit = self._place(image, held), 1 << self._chance.randrange(8)
            self._flipped(image, at, bit)
            found = await self._look(questions, right)
            if found:
                self._counts["unseen"] += 1
                self._story.append(f"byte {at}, bit {bit}: {found}")
            if self._chance.randrange(WHOLE_BOT) == 0:
                self._flipped(image, at, bit)
                try:
                    await self._lives(questions, right)
                except AssertionError as error:
                    raise AssertionError(f"batch {self._seed}, byte {at}, bit {bit}: {error}") from error
        await self._drill(image, cells)
        assert not self._story, "\n".join([f"batch {self._seed}: {dict(self._counts)}", *self._story])
        return Verdict(n=many, counts=self._counts)

    def _place(self, image: bytes, held: Cells) -> int:
        """Choose a byte: anywhere, or every other time in something that a table holds, whichever table it is."""
        if self._chance.randrange(2) == 0:
            rows = held[self._chance.choice([table for table in sorted(held) if held[table] and "_fts" not in table])]
            row = self._chance.choice(rows)
            bodies = [value.encode() if isinstance(value, str) else value for value in row]
            texts = [body for body in bodies if isinstance(body, bytes) and len(body) > 3]
            if texts:
                (body,) = self._chance.choices(texts, [len(body) for body in texts])
                if (at := image.find(body)) > 0:
                    return at + self._chance.randrange(len(body))
        return self._chance.randrange(len(image))

    async def _made(self) -> Cells:
        """A store with rows in every table, or one that a bot lived with; and its daily copy."""
        if self._seed % 2 == 0:
            await furnish(self._right)
            async with opened(self._right) as store:
                await add_single_ones(store)
                await store.back_up(KEEP, START)
        else:
            async with opened(self._right) as store:
                await add_single_ones(store)
            await Life(self._right, self._seed, lambda line: None).lives(STEPS)
        return await asyncio.to_thread(read_cells, copies.find_copies(self._right)[0].path)

    def _flipped(self, image: bytes, at: int, bit: int) -> None:
        shutil.rmtree(self._here, ignore_errors=True)
        shutil.copytree(self._right, self._here)
        (self._here / "glassmind.db").write_bytes(image[:at] + bytes([image[at] ^ bit]) + image[at + 1 :])

    async def _look(self, questions: Questions, right: Answers) -> str:
        """Ask everything; return what was altered and not noticed."""
        try:
            store = await create(StoreSettings(self._here, FakeClock(), FakeEntropy(), 0, 0))
        except (StoreError, DamagedRow) as error:
            assert "restore" in str(error).lower() or "Install" in str(error), error
            self._counts["refused"] += 1
            return ""
        try:
            found = await questions.ask(store)
            states = [probe.state for probe in await store.probe()]
        finally:
            await store.close()
        is_told = "failed" in states or bool(store.damaged)
        self._counts["named"] += "failed" in states
        self._counts["altered"] += found != right
        self._counts["sums"] += any(found[name] != right[name] for name in SUMS)
        return questions.unseen(found, right, is_told=is_told)

    async def _lives(self, questions: Questions, right: Answers) -> None:
        """Start a whole bot on it: it answers, or it says that the database is damaged and what to do."""
        bot = a_bot(self._here)
        try:
            await bot.open()
        except (StoreError, DamagedRow) as error:
            assert "damaged" in str(error) or "estore" in str(error) or "Install" in str(error), error
            return
        try:
            bot.console.world.next_id = 100_000
            lines = await bot.says("ann", "@glassmind are you there?", "#attic")
            doctor = "\n".join(await bot.says("root", "!cortex doctor", "#attic"))
            fatal = bot.app.fatal.error
            found = await bot.store.verify()
            is_told = bool(found or bot.store.damaged)
            if fatal is not None:
                assert "damaged" in str(fatal), fatal
                self._counts["ended"] += 1
                return
            assert any("glassmind<" in line for line in lines), f"it says nothing: {lines}"
            assert not found or "store integrity" in doctor, f"the doctor does not name {found}: {doctor}"
            unseen = questions.unseen(await questions.ask(bot.store), right, is_told=is_told, grows=True)
            assert not unseen, f"after a while: {unseen}"
            self._counts["lived"] += 1
        finally:
            await bot.close()

    async def _drill(self, image: bytes, cells: Cells) -> None:
        """Damage the file past use, and restore the copy as its owner would."""
        self._flipped(image, 0, 1)
        (copy,) = [one.path.name for one in copies.find_copies(self._here)][:1]
        command = ("-m", "bot", "restore", "--data", str(self._here), copy)
        process = await create_subprocess_exec(sys.executable, *command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
        said, complaint = await process.communicate()
        assert process.returncode == 0, complaint.decode()
        assert f"restored from {self._here / 'backups' / copy}" in said.decode(), said
        restored = await asyncio.to_thread(read_cells, self._here / "glassmind.db")
        changed = {"meta"}  # the instance is another from now on, so that no platform takes new words for old
        if self._seed % 2 == 0:  # here something was under way when the copy was made, and is marked
            changed |= {"inbound", "outbox", "stage", "sqlite_sequence"}
        for table in cells.keys() - changed:
            assert restored[table] == cells[table], f"table {table} is not as it was when the copy was made"
        async with opened(self._here) as store:
            assert {probe.state for probe in await store.probe()} == {"ok"}
        self._counts["restored"] += 1


async def add_single_ones(store: SqliteStore) -> None:
    """Store what there is one of: how far streams were read, who opted out, what was learned, when it started."""
    for stream, value in (("updates", "834512077"), ("channel 7", "1380000000000000009")):
        await store.ledger.arrive([], StreamCursor(adapter="telegram", stream=stream, value=value))
    for number in range(5):
        await store.opt_outs.opt_out(PersonKey("telegram", UserId(f"{510_000_000 + number}")), START)
        await store.meter.learn_ratio(f"provider/model-{number}", 1.25 + number / 7)
        await store.starts.started(START + number)


FAMILY = Family("F7", "one bit of the database flips; restore drills", _cases, _play, seconds=300)
