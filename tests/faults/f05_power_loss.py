"""F5: the power fails at any moment: what was acknowledged is there, what is there is whole, and the bot goes on.

A bot lives under strace; every state that it committed is named at the moment at which the commit returned. Then the
disk is put together as it was at many moments of that life, once with nothing that was not synced and once with any
512 bytes of it, and the real store opens it: what it finds must be the last acknowledged state or the one under way.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from asyncio.subprocess import DEVNULL, PIPE, create_subprocess_exec
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adapters.sqlite import StoreSettings, create
from bot.errors import StoreError
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.faults.disks import tracing
from tests.faults.disks.aged import age, newest
from tests.faults.disks.contents import name_of
from tests.faults.disks.living import a_bot
from tests.faults.disks.place import quick
from tests.faults.disks.platter import Platter
from tests.faults.family import Family, Size, Verdict
from tests.inside.store import database_of

LONGEST = 24
"""Things that happen in a life; fewer where fewer images are made."""
LIVES = {Size.SLICE: (1, 4), Size.NIGHTLY: (20, 100), Size.RELEASE: (120, 100)}
"""How many lives, and how many images of each."""
NAMES = frozenset({"make", "rename", "link", "unlink", "folder"})
WHOLE_BOT = 20
"""Of so many images one is opened by a whole bot."""


def _cases(size: Size) -> Iterable[str]:
    lives, images = LIVES[size]
    return (f"life{seed}/{images}" for seed in range(lives))


async def _play(key: str, directory: Path) -> Verdict:
    life, images = key.removeprefix("life").split("/")
    with quick(directory) as place:
        return await _Power(place, int(life), min(LONGEST, int(images))).fails(int(images))


@dataclass
class _Promises:
    """What must be there after a moment: one of `states` from `state` on, and every copy."""

    states: list[str]
    state: int = -1
    copies: set[str] = field(default_factory=set)

    def hear(self, line: str) -> None:
        kind, name = line.split()
        if kind == "copy":
            self.copies.add(name)
        else:
            self.state += 1

    def verdict(self, found: str) -> str:
        """Say what became of the state; empty when it is the last one or the one under way."""
        now = max(self.state, 0)
        if found in self.states[now : now + 2]:
            return ""
        return "lost" if found in self.states[:now] else "corrupt"


class _Power:
    def __init__(self, place: Path, seed: int, long: int) -> None:
        self._long = str(long)
        self._data, self._marks, self._log = place / "data", place / "marks", place / "log"
        self._image = place / "image"
        self._seed = seed
        self._chance = random.Random(seed)
        self._counts: Counter[str] = Counter()
        self._story: list[str] = []

    async def fails(self, images: int) -> Verdict:
        """Let a bot live, and the power fail at so many moments of its life."""
        # two of three begin with an upgrade
        if version := self._seed % 3 and self._seed % newest():
            await age(self._data, version)
        platter = Platter(self._data)
        steps = await self._lived(platter)
        promises = _Promises([step.split()[1] for step in self._lines(steps) if step.startswith("state")])
        assert promises.states, "no commit was seen"
        moments = self._moments(steps, images // 2)
        for moment, step in enumerate(steps):
            for line in self._lines([step]):
                promises.hear(line)
            platter.do(step)
            if moment in moments:
                for chance in (None, random.Random(f"{self._seed}:{moment}")):
                    await self._look(platter, promises, moment, chance)
        assert not self._story, "\n".join([f"life {self._seed}: {dict(self._counts)}", *self._story])
        return Verdict(n=2 * len(moments), counts={"lost": 0, "corrupt": 0})

    def _moments(self, steps: list[tracing.Step], many: int) -> set[int]:
        """Choose moments: a third where files come, go and change their names, which is seldom, the rest anywhere."""
        named = [n for n, step in enumerate(steps) if step.what in NAMES]
        around = sorted({n + near for n in named for near in range(-1, 4) if 0 <= n + near < len(steps)})
        chosen = set(self._chance.sample(around, min(many // 3, len(around))))
        left = [n for n in range(len(steps)) if n not in chosen]
        return chosen.union(self._chance.sample(left, min(many - len(chosen), len(left))))

    async def _lived(self, platter: Platter) -> list[tracing.Step]:
        self._marks.touch()
        arguments = ("-m", "tests.faults.disks.living", str(self._data), str(self._marks), str(self._seed), self._long)
        process = await create_subprocess_exec(
            *tracing.command(self._log, *arguments), stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE
        )
        _, said = await process.communicate()
        assert process.returncode == 0, said.decode("utf-8", "replace")[-3000:]
        here = str(self._data)
        found = await asyncio.to_thread(lambda: list(tracing.steps(self._log)))
        self._log.unlink()
        return [step for step in found if step.path.startswith(here) or step.path == str(self._marks)]

    def _lines(self, steps: Iterable[tracing.Step]) -> Iterator[str]:
        marks = str(self._marks)
        return (step.data.decode().strip() for step in steps if step.path == marks and step.what == "write")

    async def _look(self, platter: Platter, promises: _Promises, moment: int, chance: random.Random | None) -> None:
        platter.image(self._image, chance)
        try:
            trouble, why = await self._opened(platter, promises)
            if not trouble and self._chance.randrange(WHOLE_BOT) == 0:
                await self._goes_on()
        except (StoreError, OSError) as error:
            trouble, why = "corrupt", str(error)
        finally:
            shutil.rmtree(self._image)
        if trouble:
            self._counts[trouble] += 1
            model = "what was not synced is gone" if chance is None else "some of what was not synced is there"
            self._story.append(f"after step {moment}, where {model}: {trouble}: {why}")

    async def _opened(self, platter: Platter, promises: _Promises) -> tuple[str, str]:
        lacking = [name for name in promises.copies if not self._has(name, platter.seen(name))]
        if lacking:
            return "lost", f"copies that were made: {lacking}"
        store = await create(StoreSettings(self._image, FakeClock(START), FakeEntropy(), 0, 0))
        try:
            found = await database_of(store).read(name_of)
            damage = await store.verify()
        finally:
            await store.close()
        if damage:
            return "corrupt", "; ".join(map(str, damage))
        return promises.verdict(found), f"state {found} instead of {promises.state} of {len(promises.states)}"

    def _has(self, name: str, body: bytes | None) -> bool:
        copy = self._image / "backups" / name
        return body is None or (copy.exists() and copy.read_bytes() == body)

    async def _goes_on(self) -> None:
        """A whole bot starts on it: everything that was under way comes to an end, and it answers."""
        bot = a_bot(self._image)
        await bot.open()
        try:
            await bot.app.settled()
            assert await bot.store.ledger.unsettled() == [], "a message has no outcome"
            assert await bot.store.outbox.pending() == [], "something still waits to be sent"
            bot.console.world.next_id = 100_000
            lines = await bot.says("ann", "@glassmind are you there?", "#attic")
            assert any("answer to: @glassmind are you there?" in line for line in lines), lines
            assert await bot.store.verify() == []
        finally:
            await bot.close()


FAMILY = Family("F5", "power loss: images of the disk", _cases, _play, seconds=300, missing=tracing.missing)
