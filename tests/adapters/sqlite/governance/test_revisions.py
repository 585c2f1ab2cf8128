"""Every change has a version, and what was can be again."""

from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.channel import ChannelPause, ChannelSettings, ResponseMode
from bot.domain.finding import ForgetMemory
from bot.domain.ids import MAIN, ChannelId, PersonKey, UserId
from bot.domain.memory import MemoryProvenance
from bot.domain.revisions import ChangedBy, RevisionCause, RevisionKind
from bot.domain.rollback import RollBack, RollbackScope
from bot.errors import UserError
from bot.ports.store import RetentionPolicy
from tests.adapters.sqlite.governance.raids import FOLK, HOUR, RAIDER, ROOMS, Town, fresh_clock, meaning
from tests.adapters.sqlite.opened import opened
from tests.contracts.test_store import arrives, audited
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock
from tests.fakes.lengths import whole_or
from tests.faults.disks.aged import take_back

DAY = 24 * HOUR
CHANNELS = tuple(key.channel for key in ROOMS)
ANN = ChangedBy(platform="console", actor=UserId("100"), process="command")


def keeping(**changes: int) -> RetentionPolicy:
    ages = {"ambient_ms": 0, "messages_ms": 0, "requests_ms": 0, "records_ms": 0, "audit_ms": 0, "forgotten_ms": 0}
    return RetentionPolicy(**{**ages, **changes})


async def rolled_back(town: Town, since: int, user: str = "", channels=CHANNELS) -> int | None:
    """Take everything back since a time, or one person's part; return the audit row."""
    until = await town.store.revisions.newest()
    scope = RollbackScope(
        agent=MAIN,
        channels=channels,
        since=since,
        until=until,
        platform="console" if user else "",
        user=UserId(user),
    )
    town.clock.at += 1000
    return await town.fix(RollBack(scope=scope, memories=0, settings=0, summaries=0), UserId("1"))


async def test_a_memory_has_a_version_for_each_change_with_who_did_it(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 1)
        saved = v.memory("Ann likes tea", provenance=MemoryProvenance(author=UserId("100"), author_name="ann", turn=7))
        (row,) = await store.memories.add([saved])
        await town.talk(v.KEY, UserId("101"), (row,))
        clock.at += 5000
        await town.fix(ForgetMemory(memory=row, version=1), UserId("1"))
        found = await store.revisions.of(RevisionKind.MEMORY, row)
        causes = [RevisionCause.SAVED, RevisionCause.CONFIRMED, RevisionCause.FORGOTTEN]
        assert [one.cause for one in found] == causes
        assert [one.by.actor for one in found] == ["100", "101", "1"]
        assert [one.number for one in found] == [1, 2, 3]
        assert found[0].words == "Ann likes tea" and found[0].by.turn == 7
        assert found[1].memory.body.confirmed == 2 and found[2].memory.forgotten_at == START + 5000
        assert '"ann"' not in (found[0].state or "")


async def test_settings_have_a_version_and_what_was_before_the_first_change(tmp_path: Path):
    async with opened(tmp_path / "data") as store:
        await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        for _ in range(2):
            await store.channels.set_settings(v.KEY, v.settings(model="a/b"), ANN)
        pause = ChannelPause(by=UserId("100"), by_role="owner", at=START, inbound=1, reason="lunch")
        await store.channels.set_settings(v.KEY, v.settings(model="a/b", pause=pause), ANN)
        (history,) = await store.revisions.changed(MAIN, [v.GENERAL], START - 1)
        assert history.before is not None and history.before.settings == v.settings()
        assert [one.settings for one in history.since] == [
            v.settings(model="a/b"),
            v.settings(model="a/b", pause=pause),
        ]
        assert "lunch" not in (history.newest.state or "") and history.newest.words == "lunch"


async def test_reading_memories_is_no_change(tmp_path: Path):
    async with opened(tmp_path / "data") as store:
        (row,) = await store.memories.add([v.memory()])
        await store.memories.touched([row], START + 1)
        assert len(await store.revisions.of(RevisionKind.MEMORY, row)) == 1


async def test_words_of_a_forgotten_memory_go_from_its_versions_too_and_the_chain_holds(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 1)
        gone, kept = await store.memories.add([v.memory("XYZZY secret"), v.memory("PLUGH stays")])
        await town.fix(ForgetMemory(memory=gone, version=1), UserId("1"))
        clock.at += 2 * DAY
        await store.sweep(keeping(forgotten_ms=DAY), clock.at)
        found = await store.revisions.of(RevisionKind.MEMORY, gone)
        assert [one.cause for one in found][-1] is RevisionCause.WIPED
        assert not any(one.words for one in found)
        assert (await store.revisions.of(RevisionKind.MEMORY, kept))[0].words == "PLUGH stays"
        assert not await store.verify()
    held = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir() if path.is_file())
    assert b"XYZZY" not in held and b"PLUGH" in held


async def test_who_is_forgotten_is_in_no_version_and_everybody_else_is_untouched(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 1)
        await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        await arrives(store, "XYZZY wrote", "1", author=v.author("100", "XYZZYname"))
        await arrives(store, "PLUGH wrote", "2", author=v.author("101", "PLUGHname"))
        mine, theirs = await store.memories.add(
            [
                v.memory("XYZZY said", provenance=MemoryProvenance(author=UserId("100"), author_name="XYZZYname")),
                v.memory("PLUGH said", provenance=MemoryProvenance(author=UserId("101"), author_name="PLUGHname")),
            ]
        )
        for user, reason in (("101", "PLUGH pause"), ("100", "XYZZY pause")):
            pause = ChannelPause(by=UserId(user), by_role="owner", at=START, inbound=1, reason=reason)
            by = ChangedBy(platform="console", actor=UserId(user))
            await store.channels.set_settings(v.KEY, v.settings(pause=pause), by)
        await store.erasures.erase(PersonKey("console", UserId("100")))
        assert not any(one.by.actor for one in await store.revisions.of(RevisionKind.MEMORY, mine))
        last = (await store.revisions.of(RevisionKind.MEMORY, mine))[-1]
        assert last.cause is RevisionCause.ERASED
        settings = await store.revisions.of(RevisionKind.SETTINGS, 1)
        assert [(one.by.actor, one.words) for one in settings[1:3]] == [("101", "PLUGH pause"), ("", None)]
        (kept,) = await store.revisions.of(RevisionKind.MEMORY, theirs)
        assert (kept.by.actor, kept.words) == ("101", "PLUGH said")
        assert not await store.verify()
        assert await rolled_back(town, START - 1, channels=(v.GENERAL,)) is not None
        erased = await store.memories.get(mine)
        assert erased is not None and erased.forgotten_at and not erased.body.content
    held = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir() if path.is_file())
    assert b"XYZZY" not in held and b"PLUGH said" in held


@pytest.mark.parametrize("seed", range(whole_or(6, 2)))
async def test_a_raid_is_taken_back_to_the_byte(tmp_path: Path, seed: int):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, seed)
        await town.settle()
        before = await meaning(store)
        for _ in range(25):
            await town.act(RAIDER if town.chance.random() < 0.7 else town.chance.choice(FOLK), ROOMS[:2])
        await town.summarise(ROOMS[0], RAIDER)
        for _ in range(5):
            await town.act(town.chance.choice(FOLK), ROOMS[2:])
        elsewhere = await meaning(store)
        audit = await rolled_back(town, town.begun, channels=CHANNELS[:2])
        assert audit is not None
        after = await meaning(store)
        raided, apart = set(CHANNELS[:2]), CHANNELS[2]
        for room in raided:
            assert after.settings[room] == before.settings[room]
            assert after.talk[room][: len(before.talk[room])] == before.talk[room]
        where = {row: said[4] for row, said in elsewhere.memories.items() | before.memories.items()}
        assert {row: said for row, said in after.memories.items() if where[row] in raided} == {
            row: said for row, said in before.memories.items() if where[row] in raided
        }
        assert after.settings[apart] == elsewhere.settings[apart] and after.talk[apart] == elsewhere.talk[apart]
        assert not await store.verify()
        await store.offers.undo(audit, audited(at=clock.at, action="undo"))
        assert (await meaning(store)) == elsewhere


@pytest.mark.parametrize("seed", range(whole_or(6, 2)))
async def test_only_the_part_of_one_person_is_taken_back(tmp_path: Path, seed: int):
    """The same town without the raider is what is left."""
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, seed)
        await town.settle()
        before = await meaning(store)
        await town.summarise(ROOMS[1], RAIDER)
        for _ in range(12):
            await town.act(RAIDER, ROOMS)
        raided = await meaning(store)
        for _ in range(6):
            await town.save(town.chance.choice(ROOMS), town.chance.choice(FOLK), 2)
        saved = (await meaning(store)).memories.items() - raided.memories.items()
        await rolled_back(town, town.begun, RAIDER)
        after = await meaning(store)
        assert after.settings == before.settings
        assert after.memories == {**before.memories, **dict(saved)}
        for room in CHANNELS:
            assert after.talk[room][: len(before.talk[room])] == before.talk[room]


async def test_what_somebody_else_set_since_stays(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 1)
        await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        raider = ChangedBy(platform="console", actor=RAIDER)
        clock.at += 1000
        worse = v.settings(model="x/y", tools_off=("exec",))
        await store.channels.set_settings(v.KEY, worse, raider)
        await store.channels.set_settings(v.KEY, worse.replace(model="a/b"), ANN)
        await rolled_back(town, START, RAIDER, (v.GENERAL,))
        state = await store.channels.load(v.KEY)
        assert state is not None and state.settings == v.settings(model="a/b")


async def test_an_instance_from_before_has_its_memories_as_they_were_found(tmp_path: Path):
    clock = FakeClock()
    directory = tmp_path / "data"
    async with opened(directory, clock=clock) as store:
        (row,) = await store.memories.add([v.memory("old")])
        await store.channels.meet(v.KEY, "#general", v.GUILD, ChannelSettings(mode=ResponseMode.ACTIVE))
        assert await store.revisions.since() == 0
    before_versions(directory)
    clock.at += HOUR
    async with opened(directory, clock=clock) as store:
        found = await store.revisions.of(RevisionKind.MEMORY, row)
        assert [(one.cause, one.at, one.words) for one in found] == [(RevisionCause.FOUND, START + HOUR, "old")]
        assert await store.revisions.since() == START + HOUR
        town = Town(store, clock, 1)
        clock.at += 1000
        await town.fix(ForgetMemory(memory=row, version=1), RAIDER)
        await rolled_back(town, START + HOUR, channels=(v.GENERAL,))
        memory = await store.memories.get(row)
        assert memory is not None and not memory.forgotten_at
        assert not await store.verify()


def before_versions(directory: Path) -> None:
    """Make a database what one of the schema before was."""
    take_back(directory / "glassmind.db", 14)


async def test_going_back_across_a_move_leaves_the_channel_where_it_is(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 3)
        await town.settle()
        old, new = ROOMS[0], ROOMS[0]._replace(channel=ChannelId("console:#elsewhere"))
        before = await store.memories.listed(MAIN, old.channel, "")
        settings = (await store.channels.load(old)).settings
        for _ in range(8):
            await town.act(RAIDER, [old])
        await store.channels.move(old.channel, new.channel, clock.at)
        for _ in range(8):
            await town.act(RAIDER, [new])
        assert not await store.verify()
        await rolled_back(town, town.begun, RAIDER, (new.channel,))
        after = [memory for memory in await store.memories.listed(MAIN, new.channel, "") if not memory.forgotten_at]
        assert {memory.id for memory in after} == {memory.id for memory in before if not memory.forgotten_at}
        assert {memory.body.scope_id for memory in after} == {new.channel}
        assert (await store.channels.load(new)).settings == settings
        assert not await store.verify()


async def test_two_channels_that_become_one_keep_their_versions(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 3)
        await town.settle()
        for key in ROOMS[:2]:
            await town.act(RAIDER, [key])
            await store.channels.set_settings(key, v.settings(model="a/b"), ANN)
        await store.channels.move(ROOMS[0].channel, ROOMS[1].channel, clock.at)
        assert not await store.verify()


async def test_a_fix_that_was_undone_is_gone_back_over_and_not_undone_twice(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 1)
        (row,) = await store.memories.add([v.memory("Ann likes tea", created_at=clock.at)])
        clock.at += 1000
        fixed = await town.fix(ForgetMemory(memory=row, version=1), RAIDER)
        assert fixed is not None
        await store.offers.undo(fixed, audited(at=clock.at, actor=RAIDER, action="undo"))
        assert await rolled_back(town, START, channels=(v.GENERAL,)) is None
        (again,) = await store.memories.add([v.memory("Bo likes tea", created_at=START - 1)])
        forgotten = await town.fix(ForgetMemory(memory=again, version=1), RAIDER)
        assert forgotten is not None
        assert await rolled_back(town, START, channels=(v.GENERAL,)) is not None
        with pytest.raises(UserError, match="has changed since"):
            await store.offers.undo(forgotten, audited(at=clock.at, action="undo"))
        assert (await store.memories.get(again)).forgotten_at == 0


async def test_confirming_an_offer_keeps_what_came_after_it_was_made(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        town = Town(store, clock, 1)
        clock.at += 1000
        (early,) = await store.memories.add([v.memory("early", created_at=clock.at)])
        until = await store.revisions.newest()
        (late,) = await store.memories.add([v.memory("late", created_at=clock.at)])
        scope = RollbackScope(agent=MAIN, channels=(v.GENERAL,), since=START, until=until)
        await town.fix(RollBack(scope=scope, memories=1, settings=0, summaries=0), UserId("1"))
        assert (await store.memories.get(early)).forgotten_at
        assert not (await store.memories.get(late)).forgotten_at


async def at_times(store, times: list[int]) -> list[list[tuple[int, str]]]:
    """What counted at some times."""
    told = []
    for at in times:
        found = await store.revisions.memories_at(MAIN, CHANNELS, at)
        told.append([(one.then.subject, one.now.body.content) for one in found])
    return told


@pytest.mark.parametrize("seed", range(whole_or(8, 2)))
async def test_an_old_past_goes_and_what_came_after_can_still_be_told_and_undone(tmp_path: Path, seed: int):
    """Two stores live through the same; one of them lets its versions go after ten days."""
    told, after = [], []
    for name in ("whole", "cut"):
        clock = fresh_clock()
        async with opened(tmp_path / name, clock=clock) as store:
            town = Town(store, clock, seed)
            await town.settle()
            for _ in range(30):
                clock.at += HOUR
                await town.act(town.chance.choice((RAIDER, *FOLK)), ROOMS)
            clock.at += 20 * DAY
            since = clock.at - 10 * DAY
            times = [since + 1, since + 5 * DAY]
            for _ in range(20):
                clock.at += HOUR
                times.append(clock.at - 1)
                await town.act(town.chance.choice((RAIDER, *FOLK)), ROOMS)
            if name == "cut":
                before = len(await store.memories.listed(MAIN, ROOMS[0].channel, ""))
                counts = await store.sweep(keeping(versions_ms=clock.at - since), clock.at)
                assert counts["versions"] > 20 and await store.revisions.since() == since
                assert len(await store.memories.listed(MAIN, ROOMS[0].channel, "")) == before
                assert not await store.verify() and await store.audit.verify() == 0
                (noted,) = await store.audit.newest(None, 1)
                assert noted.body.action == "forget versions" and noted.body.detail.startswith(f"{counts['versions']} ")
                # once a day is enough, and what is in effect is carried over but once
                clock.at += HOUR
                assert "versions" not in await store.sweep(keeping(versions_ms=10 * DAY), clock.at)
            else:
                clock.at += HOUR
            told.append(await at_times(store, times))
            await rolled_back(town, clock.at - 12 * HOUR)
            after.append(await meaning(store))
            assert not await store.verify()
    assert told[0] == told[1] and after[0] == after[1]


async def test_before_its_beginning_the_past_names_nobody(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        await store.memories.add([v.memory("PLUGH stays", provenance=MemoryProvenance(author=UserId("777")))])
        await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        await store.channels.set_settings(v.KEY, v.settings(model="a/b"), ANN.replace(actor=UserId("777")))
        for year in (1, 2):
            clock.at += 400 * DAY
            await store.sweep(keeping(versions_ms=365 * DAY), clock.at)
            (one,) = await store.revisions.of(RevisionKind.MEMORY, 1)
            assert (one.cause, one.number, one.words) == (RevisionCause.FOUND, 1, "PLUGH stays"), year
            assert one.by.actor == "" and one.at == clock.at - 365 * DAY
            assert not await store.verify()
        await town_forgets(store, clock)
        assert [one.cause for one in await store.revisions.of(RevisionKind.MEMORY, 1)][-1] is RevisionCause.FORGOTTEN


async def town_forgets(store, clock: FakeClock) -> None:
    await Town(store, clock, 1).fix(ForgetMemory(memory=1, version=1), UserId("1"))


async def test_an_edit_is_not_carried_over_as_if_it_were_said(tmp_path: Path):
    clock = fresh_clock()
    async with opened(tmp_path / "data", clock=clock) as store:
        await store.memories.add([v.memory("PLUGH stays")])
    with closing(sqlite3.connect(tmp_path / "data" / "glassmind.db")) as raw:
        raw.execute("UPDATE revision SET words = 'PLUGH goes'")
        raw.commit()
    async with opened(tmp_path / "data", clock=clock) as store:
        clock.at += 400 * DAY
        assert "versions" not in await store.sweep(keeping(versions_ms=365 * DAY), clock.at)
        assert await store.verify()


async def test_an_upgrade_reads_memories_in_helpings(tmp_path: Path):
    """However many there are, it never holds more than a few hundred."""
    peaks = {}
    few, many_more = whole_or((600, 2000), (400, 800))
    for many in (few, many_more):
        directory = tmp_path / str(many)
        async with opened(directory) as store:
            await store.memories.add([v.memory(f"fact {n} {'word ' * 60}") for n in range(many)])
        before_versions(directory)
        tracemalloc.start()
        async with opened(directory) as store:
            peaks[many] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert await store.revisions.newest() == many and not await store.verify()
    assert peaks[many_more] - peaks[few] < 2_000_000, peaks
