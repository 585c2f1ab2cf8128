"""Measure what versions cost and how long going back takes: `python -m tests.bench.rollback` prints JSON.

A raid of 10,000 effects (memories, modes, lists, summaries in an hour, among what everybody else does) is previewed,
taken back and that undone; and 100 small raids are compared to the byte. What a save costs is measured with its version
and with the version left out.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.sqlite import StoreSettings, create
from adapters.sqlite.memories import memories as stored_memories
from bot.domain.ids import MAIN, UserId
from bot.domain.memory import MemoryProvenance
from bot.domain.revisions import ChangedBy
from bot.domain.rollback import RollBack, RollbackScope
from tests.adapters.sqlite.governance.raids import FOLK, RAIDER, ROOMS, Town, fresh_clock, meaning
from tests.contracts.test_store import audited
from tests.fakes import values as v
from tests.fakes.clock import FakeEntropy

EFFECTS = 10_000
RAIDS = 100
_CHANNELS = tuple(key.channel for key in ROOMS)


@asynccontextmanager
async def a_town(directory: Path, seed: int):
    """A town with some history in a store of its own."""
    clock = fresh_clock()
    store = await create(StoreSettings(directory, clock, FakeEntropy(), low_water=0, ballast=0))
    try:
        town = Town(store, clock, seed)
        await town.settle()
        yield town
    finally:
        await store.close()


async def scope_of(town: Town, user: str = "") -> RollbackScope:
    """Everything since the raid began, or one person's part."""
    return RollbackScope(
        agent=MAIN,
        channels=_CHANNELS,
        since=town.begun,
        until=await town.store.revisions.newest(),
        platform="console" if user else "",
        user=UserId(user),
    )


async def small_raids(count: int) -> dict[str, float]:
    """Take so many raids back, and compare with what was before; in every other one only the raider's part."""
    wrong = 0
    for seed in range(count):
        with tempfile.TemporaryDirectory() as directory:
            async with a_town(Path(directory) / "data", seed) as town:
                before = await meaning(town.store)
                await town.summarise(ROOMS[seed % len(ROOMS)], RAIDER)
                for _ in range(20):
                    others = seed % 2 == 0 and town.chance.random() < 0.3
                    await town.act(town.chance.choice(FOLK) if others else RAIDER, ROOMS)
                raided = await meaning(town.store)
                saved = dict[int, tuple[str, ...]]()
                if seed % 2:
                    await town.save(ROOMS[0], FOLK[0], 3)
                    saved = dict((await meaning(town.store)).memories.items() - raided.memories.items())
                town.clock.at += 1000
                scope = await scope_of(town, RAIDER if seed % 2 else "")
                await town.fix(RollBack(scope=scope, memories=0, settings=0, summaries=0), UserId("1"))
                after = await meaning(town.store)
                is_same = after.settings == before.settings and after.memories == {**before.memories, **saved}
                talks = all(after.talk[room][: len(was)] == was for room, was in before.talk.items())
                wrong += not (is_same and talks and not await town.store.verify())
    return {"raids": count, "raids_not_to_the_byte": wrong}


async def large_raid(directory: Path, effects: int) -> dict[str, float]:
    """Take one large raid back."""
    async with a_town(directory, 1) as town:
        store, clock = town.store, town.clock
        before = await meaning(store)
        for number in range(effects // 100):
            clock.at += 300
            await town.save(ROOMS[number % len(ROOMS)], RAIDER, 95)
            await town.save(ROOMS[number % len(ROOMS)], FOLK[0], 5)
            for _ in range(5):
                await town.act(RAIDER, ROOMS)
        raided = await meaning(store)
        clock.at += 1000
        scope = await scope_of(town, RAIDER)
        begun = time.perf_counter()
        plan = await store.revisions.plan(scope)
        planned = time.perf_counter()
        row = await town.fix(RollBack(scope=scope, memories=0, settings=0, summaries=0), UserId("1"))
        done = time.perf_counter()
        after = await meaning(store)
        folk = {row: said for row, said in raided.memories.items() if said[0].startswith("100 ")}
        assert after.settings == before.settings and after.memories == {**before.memories, **folk}
        assert row is not None
        undoing = time.perf_counter()
        await store.offers.undo(row, audited(at=clock.at, action="undo"))
        undone = time.perf_counter()
        assert await meaning(store) == raided
        checking = time.perf_counter()
        damage = await store.verify()
        checked = time.perf_counter()
        assert not damage
        return {
            "rollback_effects": len(plan.steps),
            "rollback_preview_s": planned - begun,
            # with the two looks that confirming takes
            "rollback_confirmed_s": done - planned,
            "rollback_undone_s": undone - undoing,
            "verify_s": checked - checking,
        }


async def saving(directory: Path, count: int) -> dict[str, float]:
    """Save memories one after the other, with versions and without."""
    kept = stored_memories.memory_saved
    store = await create(StoreSettings(directory, fresh_clock(), FakeEntropy(), low_water=0, ballast=0))
    taken: dict[bool, list[float]] = {True: [], False: []}
    said = MemoryProvenance(author=UserId("100"), author_name="ann")
    await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    try:
        for number in range(2 * count):
            has_version = number % 2 == 0
            stored_memories.memory_saved = kept if has_version else (lambda *_: None)
            new = v.memory(f"memory {number} of a few words, as they are", provenance=said)
            begun = time.perf_counter()
            await store.memories.add([new])
            taken[has_version].append((time.perf_counter() - begun) * 1000)
        stored_memories.memory_saved = kept
        setting = list[float]()
        by = ChangedBy(platform="console", actor=UserId("100"))
        for number in range(count):
            begun = time.perf_counter()
            await store.channels.set_settings(v.KEY, v.settings(model=f"a/{number}"), by)
            setting.append((time.perf_counter() - begun) * 1000)
    finally:
        await store.close()
    with_version, without = (statistics.median(taken[which]) for which in (True, False))
    return {
        "save_ms": with_version,
        "save_without_version_ms": without,
        "version_ms": with_version - without,
        "set_ms": statistics.median(setting),
    }


def main() -> None:
    effects, raids = (int(word) for word in (*sys.argv[1:3], *(str(EFFECTS), str(RAIDS))[len(sys.argv[1:3]) :]))
    with tempfile.TemporaryDirectory() as made:
        figures = asyncio.run(saving(Path(made) / "saving", 300))
        figures |= asyncio.run(large_raid(Path(made) / "large", effects))
    figures |= asyncio.run(small_raids(raids))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
