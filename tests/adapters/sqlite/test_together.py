"""Units that share a commit with one that fails are kept, and what is remembered of them is true."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from adapters.sqlite import SqliteStore
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import StoreError
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START

HALL = ChannelId("console:#hall")


async def beside_a_failure(store: SqliteStore, *units: Awaitable[Any]) -> list[Any]:
    """Run units in one group, in front of and behind one that fails."""
    nothing = TurnEnd(turn=999, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
    fails = store.journal.end_turn(nothing), store.journal.end_turn(nothing)
    first, *done, last = await asyncio.gather(fails[0], *units, fails[1], return_exceptions=True)
    assert isinstance(first, StoreError) and isinstance(last, StoreError)
    return done


async def test_a_move_holds_in_memory_and_in_the_file(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.channels.hear([(v.KEY, v.message("before"))], 5)
        heard = store.channels.hear([(v.KEY, v.message("behind"))], 5)
        moved, _ = await beside_a_failure(store, store.channels.move(v.GENERAL, HALL, START), heard)
        assert moved is True
        assert store.channels.moves.current_id(v.GENERAL) == HALL
        assert not await store.channels.move(v.GENERAL, HALL, START)
    async with opened(tmp_path) as store:
        assert store.channels.moves.current_id(v.GENERAL) == HALL
        state = await store.channels.load(ChannelKey(MAIN, HALL))
        assert state is not None and [message.text for message in state.ambient] == ["before", "behind"]


async def test_a_move_holds_also_when_nobody_waits_for_it_any_more(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.channels.hear([(v.KEY, v.message("before"))], 5)
        moving = asyncio.get_running_loop().create_task(store.channels.move(v.GENERAL, HALL, START))
        await asyncio.sleep(0)
        moving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await moving
        await store.ledger.note([])
        assert store.channels.moves.current_id(v.GENERAL) == HALL


async def test_content_that_was_undone_is_stored_anew(tmp_path: Path):
    async with opened(tmp_path) as store:
        request = v.llm_request([v.message(f"line {n}") for n in range(5)])
        sections = (v.section(text="one"), v.section("status", text="two"))
        record = v.request_record(0, request, sections=sections)
        rows = await beside_a_failure(
            store, store.journal.record_request(record, []), store.journal.record_request(record, [])
        )
        assert len(set(rows)) == 2
        for row in rows:
            stored = await store.journal.request(row)
            assert stored is not None and stored.record == record
        assert not await store.verify()


async def test_the_same_message_twice_in_one_batch_is_kept_once(tmp_path: Path):
    async with opened(tmp_path) as store:
        batch = [v.arrival("one", "1"), v.arrival("again", "1"), v.arrival("two", "2")]
        first, again, second = await store.ledger.arrive(batch, None)
        assert first and second and again is None
        trail = await store.ledger.trail(second)
        assert trail is not None and {stage.inbound for stage in trail.stages} == {second}
        assert [row.inbound.text for row in await store.ledger.unsettled()] == ["one", "two"]
        assert not await store.verify()


async def test_a_stage_that_no_file_takes_fails_its_own_unit_alone(tmp_path: Path):
    async with opened(tmp_path) as store:
        (row,) = await store.ledger.arrive([v.arrival()], None)
        assert row is not None
        good, bad = (
            StageRow(inbound=row, at=START, stage=LedgerStage.TURN, verdict=StageVerdict.NOTED, reason=reason)
            for reason in ("good", "half a character: \ud800")
        )
        notes = (store.ledger.note([good]), store.ledger.note([good, bad]), store.ledger.note([good]))
        first, refused, last = await asyncio.gather(*notes, return_exceptions=True)
        assert isinstance(first, list) and isinstance(last, list) and isinstance(refused, Exception)
        trail = await store.ledger.trail(row)
        assert trail is not None
        assert [stage.id for stage in trail.stages if stage.reason == "good"] == [*first, *last]
        assert not await store.verify()
