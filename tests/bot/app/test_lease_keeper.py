"""A process stands by until it may work, and stops where another one may have taken over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.app import lease_keeper
from bot.app.core import FatalFailure
from bot.app.lease_keeper import LeaseKeeper, kept
from bot.errors import LeaseLost, StoreError
from bot.ports.leases import WHOLE_BOT, Lease, LeaseHolder, OneProcess
from tests.fakes.clock import FakeClock
from tests.fakes.leases import FakeLeases
from tests.fakes.logs import logged

ONE, TWO = LeaseHolder("process 1 on yard", 4.2), LeaseHolder("process 2 on yard", 0.1)


@asynccontextmanager
async def at_work(leases: FakeLeases, clock: FakeClock) -> AsyncIterator[tuple[LeaseKeeper, FatalFailure]]:
    fatal = FatalFailure()
    async with kept(leases, clock) as keeper:
        assert await keeper.take(asyncio.Event()) == Lease(WHOLE_BOT, 1, "")
        async with keeper.telling(fatal.hear):
            await passes(clock, 0)
            yield keeper, fatal


async def passes(clock: FakeClock, seconds: float) -> None:
    """Let time pass in steps, and everything happen that happens then."""
    for step in range(round(seconds * 2) + 1):
        clock.advance(0.5 if step else 0)
        for _ in range(6):
            await asyncio.sleep(0)


async def test_it_stands_by_until_nobody_else_is_at_work_and_says_who_is():
    leases = FakeLeases(ONE, ONE, TWO)
    with logged(lease_keeper) as lines:
        async with at_work(leases, FakeClock(auto=False)) as (keeper, _):
            assert keeper.is_at_work()
    assert [line["at_work"] for line in lines] == ["process 1 on yard", "process 2 on yard"]
    # never longer than the other one may still have it
    assert leases.waited == [0.5, 0.5, 0.1]
    assert leases.gave_back and not keeper.is_at_work()


async def test_one_that_is_asked_to_end_while_it_stands_by_was_never_at_work():
    stop, leases = asyncio.Event(), FakeLeases(ONE)
    stop.set()
    async with kept(leases, FakeClock(auto=False)) as keeper:
        assert await keeper.take(stop) is None
        assert not keeper.is_at_work()


async def test_the_lease_is_renewed_as_long_as_it_is_at_work():
    leases, clock = FakeLeases(), FakeClock(auto=False)
    async with at_work(leases, clock) as (keeper, fatal):
        await passes(clock, 20)
        assert leases.renewed == 1 + 20 and keeper.is_at_work() and fatal.error is None


async def test_where_another_one_has_taken_over_it_hears_at_once_that_it_is_to_stop():
    leases, clock = FakeLeases(), FakeClock(auto=False)
    async with at_work(leases, clock) as (keeper, fatal):
        clock.advance(3600)  # it stood still
        assert not keeper.is_at_work()
        leases.has.clear()
        await passes(clock, 1)
        assert isinstance(fatal.error, LeaseLost) and str(fatal.error).startswith("Another process has taken over")


async def test_while_the_database_is_away_nothing_is_said_and_then_it_shows_whether_another_one_has_taken_over():
    leases, clock = FakeLeases(), FakeClock(auto=False)
    async with at_work(leases, clock) as (keeper, fatal):
        leases.is_away = True
        await passes(clock, 3)
        assert keeper.is_at_work()
        await passes(clock, 3)
        assert not keeper.is_at_work() and fatal.error is None
        leases.is_away = False
        await passes(clock, 1)
        assert keeper.is_at_work() and fatal.error is None
        leases.is_away = True
        await passes(clock, 3)
        leases.is_away = False
        leases.has.clear()
        await passes(clock, 1)
        assert isinstance(fatal.error, LeaseLost)


async def test_a_database_that_was_never_there_is_told_of_and_one_that_goes_while_it_stands_by_is_waited_for():
    leases = FakeLeases(ONE, ONE)
    leases.is_away = True
    async with kept(leases, FakeClock()) as keeper:
        with pytest.raises(StoreError):
            await keeper.take(asyncio.Event())
    leases, clock = FakeLeases(ONE, ONE), FakeClock(auto=False)
    async with kept(leases, clock) as keeper, asyncio.TaskGroup() as group:
        waiting = group.create_task(keeper.take(asyncio.Event()))
        await leases.wanted.wait()
        leases.is_away = True
        await passes(clock, 2)
        leases.is_away = False
        await passes(clock, 1)
        assert await waiting == Lease(WHOLE_BOT, 1, "")


async def test_a_database_that_does_not_answer_keeps_nobody_from_ending(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lease_keeper, "GOODBYE_SECONDS", 0.001)
    leases = FakeLeases()
    async with at_work(leases, FakeClock(auto=False)):
        leases.is_stuck = True
    assert not leases.gave_back


async def test_one_process_with_a_file_of_its_own_is_at_work_for_ever():
    clock, stop = FakeClock(auto=False), asyncio.Event()
    async with kept(OneProcess(), clock) as keeper:
        assert await keeper.take(stop) == Lease(WHOLE_BOT, 1, "")
        clock.advance(10**9)
        assert keeper.is_at_work()
