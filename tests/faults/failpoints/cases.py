"""The cases: a platform, a scene, a place and how often it was passed; and how one is played."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults.failpoints.adding import adds_up, uncertain
from tests.faults.failpoints.house import House
from tests.faults.failpoints.houses import SCRIPTED, Furniture, a_house
from tests.faults.failpoints.mind import Mind
from tests.faults.failpoints.points import ANYWHERE, Aim
from tests.faults.failpoints.scenes import NAMED, SCENES, Scene
from tests.faults.family import Size, Verdict

MANY = {Size.NIGHTLY: 1000, Size.RELEASE: 3000}
TWICE = 8
"""Every so-manieth case is killed a second time, while it starts."""
STARTS = 12
"""Places that a start passes, of which the second kill meets one."""
LONGEST_RESTART = 2000.0
"""Milliseconds from a start to the end of recovery."""
SLICE = (
    "telegram/question/platform.send/after/1",
    "telegram/burst/wire.sendMessage/applied/1",
    "telegram/orders/store.outbox.sending/after/1",
    "telegram/streaming/store.previews.shown/before/1",
    "discord/memory/store.journal.end_turn/before/1",
    "discord/worker/store.processes.end/after/1",
    "discord/parts/platform.send/after/2",
    "console/talk/store.ledger.arrive/after/2",
    "console/inspection/store.journal.record_request/after/2+3",
    "console/fix/store.offers.execute/after/1",
    "console/compaction/store.compactions.commit/before/1",
    "console/greeting-and-move/store.channels.move/after/1",
)


@dataclass(frozen=True)
class Case:
    """One case. `again`: at which place of the start it is killed once more; 0: it is not."""

    platform: str
    scene: Scene
    aim: Aim
    again: int = 0

    @classmethod
    def of(cls, key: str) -> Case:
        platform, scene, rest = key.split("/", 2)
        place, nth = rest.rsplit("/", 1)
        first, _, again = nth.partition("+")
        return cls(platform, NAMED[scene], Aim(place, int(first)), int(again or 0))


async def play(key: str, directory: Path) -> Verdict:
    """Play one case."""
    case = Case.of(key)
    scene = case.scene
    mind = Mind()
    async with a_house(case.platform, directory, furniture(scene, mind), case.aim) as house:
        mind.clock = house.bot.clock if scene.streaming else None
        await scene.before(house)
        await house.lives_through(scene.script)
        is_reached = house.fell.is_set()
        await house.rises(Aim(ANYWHERE, case.again) if case.again else None)
        if house.fell.is_set():
            await house.rises()
        house.points.aim = None
        await _goes_on(house, scene)
        counts = {"kills": house.deaths, "unreached": int(not is_reached), "uncertain": await uncertain(house)}
        figures = {"restart_ms": max(house.restarts_ms)}
        assert figures["restart_ms"] <= LONGEST_RESTART, f"a start took so long: {figures}\n{house}"
        return Verdict(n=int(is_reached), counts=counts, figures=figures)


async def _goes_on(house: House, scene: Scene) -> None:
    """Check that all adds up, and that life goes on; who pressed in vain presses again."""
    await adds_up(house)
    try:
        await scene.after(house)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{house}") from error
    await house.mentions("root", "!resume")
    await house.asks("ann", "are you there again,")
    await house.rests()
    await adds_up(house)


def furniture(scene: Scene, mind: Mind) -> Furniture:
    model = SCRIPTED.format(model="max_output_tokens = 300" if scene.window < 10_000 else "")
    return Furniture(mind, model.replace("128000", str(scene.window)) + scene.more, scene.streaming)


async def places(platform: str, scene: Scene, directory: Path) -> list[str]:
    """Play a scene out, and return every place that it passed, in order."""
    mind = Mind()
    async with a_house(platform, directory, furniture(scene, mind), None) as house:
        mind.clock = house.bot.clock if scene.streaming else None
        await scene.before(house)
        await house.lives_through(scene.script)
        passed = list(house.points.passed)
        await adds_up(house)
        return passed


def cases(size: Size) -> Iterable[str]:
    """Give the keys of a size; for all but the slice every scene is played once to see where it leads."""
    return SLICE if size is Size.SLICE else chosen(_recorded(), MANY[size])


def _recorded() -> list[list[str]]:
    stages = [(platform, scene) for scene in SCENES for platform in scene.platforms]
    with ThreadPoolExecutor(1) as pool:  # a loop of its own, because the one who asks has one already
        return list(pool.map(_keys_of, stages))


def _keys_of(stage: tuple[str, Scene]) -> list[str]:
    platform, scene = stage
    with tempfile.TemporaryDirectory(prefix="glassmind-places-", ignore_cleanup_errors=True) as directory:
        passed = asyncio.run(places(platform, scene, Path(directory)))
    counts: dict[str, int] = {}
    keys = []
    for place in passed:
        counts[place] = counts.get(place, 0) + 1
        keys.append(f"{platform}/{scene.name}/{place}/{counts[place]}")
    return keys


def chosen(recorded: Sequence[Sequence[str]], many: int) -> list[str]:
    """Take the first passing of every place of every scene, then further ones by chance, as many as are wanted."""
    everything = [key for keys in recorded for key in keys]
    chance = random.Random(many)
    first = [key for key in everything if key.endswith("/1")]
    others = [key for key in everything if not key.endswith("/1")]
    chance.shuffle(first)
    chance.shuffle(others)
    return [
        f"{key}+{chance.randint(1, STARTS)}" if number % TWICE == 0 else key
        for number, key in enumerate((first + others)[:many])
    ]
