"""What every store promises about checkpoints. Runs on SQLite; another store comes in through `store`."""

from __future__ import annotations

import asyncio

from bot.domain.base import JsonText
from bot.domain.finding import NewSession
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.ports.checkpoints import StoredCheckpoint
from bot.ports.store import RetentionPolicy, Store
from tests.fakes import values as v
from tests.fakes.clock import START

FOREVER = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)


def checkpoint(name: str = "inspection-1", turn: int = 1, **changes: object) -> StoredCheckpoint:
    body = JsonText('{"request":"why?"}')
    base = {"agent": "main", "session_id": name, "turn": turn, "at": START, "state": "running", "version": 1}
    return StoredCheckpoint(**{**base, "body": body, **changes})  # type: ignore[arg-type]


async def test_the_newest_takes_the_place_of_the_one_before(store: Store):
    await store.checkpoints.save(checkpoint())
    later = checkpoint(turn=2, at=START + 1, state="waiting", body='{"request":"why not?"}')
    await store.checkpoints.save(later)
    assert await store.checkpoints.restore("main", "inspection-1") == later
    assert await store.checkpoints.of_turn(2) == later
    assert await store.checkpoints.of_turn(1) is None


async def test_what_is_not_there_is_none(store: Store):
    assert await store.checkpoints.restore("main", "inspection-9") is None
    assert await store.checkpoints.take_up("main", "inspection-9", START) is None
    await store.checkpoints.save(checkpoint())
    assert await store.checkpoints.restore("other", "inspection-1") is None


async def test_what_was_under_way_is_interrupted_at_a_start_and_nothing_else(store: Store):
    states = ("created", "running", "waiting", "completed", "failed", "cancelled", "interrupted")
    for number, state in enumerate(states, 1):
        await store.checkpoints.save(checkpoint(f"inspection-{number}", number, state=state))
    assert await store.checkpoints.interrupt(START + 5) == 3
    assert await store.checkpoints.interrupt(START + 6) == 0
    found = [await store.checkpoints.of_turn(number) for number in range(1, 8)]
    assert [one.state for one in found if one] == ["interrupted"] * 3 + list(states[3:])


async def test_what_was_done_from_one_channel_is_interrupted_alone(store: Store):
    """An inspection is done from the private chat in which it was asked for."""
    private, session = ChannelId("console:private"), await a_session(store)
    for number, start in enumerate((v.turn_start(), v.turn_start(session=session)), 1):
        await store.checkpoints.save(checkpoint(f"task {number}", await store.journal.begin_turn(start, [])))
    assert await store.checkpoints.interrupt(START + 5, [ChannelId("console:#other")]) == 0
    assert await store.checkpoints.interrupt(START + 5, [private]) == 1
    assert [one.state if (one := await store.checkpoints.restore("main", f"task {n}")) else None for n in (1, 2)] == [
        "running",
        "interrupted",
    ]
    assert await store.checkpoints.interrupt(START + 6, [private, v.GENERAL]) == 1


async def a_session(store: Store) -> int:
    session = NewSession(
        platform="console",
        actor=UserId("1"),
        actor_name="root",
        agent=MAIN,
        target=v.GENERAL,
        dm_channel=ChannelId("console:private"),
        dm_thread="",
        title="a talk",
        created_at=START,
    )
    return (await store.sessions.open(session)).id


async def test_an_interrupted_task_is_taken_up_once(store: Store):
    await store.checkpoints.save(checkpoint(state="interrupted"))
    taken = await asyncio.gather(*(store.checkpoints.take_up("main", "inspection-1", START + 1) for _ in range(5)))
    (one,) = [found for found in taken if found is not None]
    assert (one.state, one.at, one.body) == ("running", START + 1, checkpoint().body)
    await store.checkpoints.save(checkpoint(state="completed"))
    assert await store.checkpoints.take_up("main", "inspection-1", START + 2) is None


async def test_old_checkpoints_go_with_the_requests_that_they_tell_of(store: Store):
    await store.checkpoints.save(checkpoint())
    await store.checkpoints.save(checkpoint("inspection-2", 2, at=START + 100))
    await store.sweep(FOREVER, START + 1000)
    assert await store.checkpoints.of_turn(1) is not None
    counts = await store.sweep(FOREVER.replace(requests_ms=950), START + 1000)
    assert counts["checkpoints"] == 1
    assert await store.checkpoints.of_turn(1) is None and await store.checkpoints.of_turn(2) is not None
