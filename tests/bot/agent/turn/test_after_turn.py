"""What is checked and learned behind the turns."""

from __future__ import annotations

import pytest
import structlog

from bot.agent.turn.after_turn import SPACING_SECONDS, AfterTurnChecks
from bot.domain.ledger import LedgerStage
from tests.bot.agent.room import Room
from tests.fakes.contexts import ask
from tests.fakes.provider import says
from tests.fakes.values import channel


def aftermath(room: Room, sample: float) -> AfterTurnChecks:
    return AfterTurnChecks(room.stack.contexts, room.models, room.notes, room.clock, room.tasks, sample)


@pytest.mark.parametrize(("sample", "compared"), [(0.0, []), (0.25, [4, 8]), (1.0, [1, 2, 3, 4, 5, 6, 7, 8])])
async def test_the_configured_share_of_turns_is_compared(sample, compared):
    room = Room(says(""))
    snapshot = await room.stack.contexts.snapshot(room.answering.ask_for(channel(), ask(channel()).trigger))
    with structlog.testing.capture_logs() as logs:
        for turn in range(1, 9):
            behind = aftermath(room, sample)
            behind.compare(turn, (turn,), snapshot, "not the sha")
            behind.over(turn)
        await room.tasks.idle()
    assert sorted(row.inbound for row in room.notes.rows) == compared
    assert sorted(entry["turn"] for entry in logs if entry["event"] == "drift") == compared
    assert {row.stage for row in room.notes.rows} <= {LedgerStage.ASSEMBLED}


async def test_what_was_sent_can_be_rebuilt():
    room = Room(says(""))
    snapshot = await room.stack.contexts.snapshot(room.answering.ask_for(channel(), ask(channel()).trigger))
    behind = aftermath(room, 1.0)
    behind.compare(1, (1,), snapshot, room.models.encode(snapshot.request).sha256)
    behind.over(1)
    await room.tasks.idle()
    assert room.notes.rows == []


async def test_counts_are_learned_from():
    room = Room(says(""))
    snapshot = await room.stack.contexts.snapshot(room.answering.ask_for(channel(), ask(channel()).trigger), exact=True)
    behind = aftermath(room, 0)
    behind.learn(1, snapshot, snapshot.stats.total * 2)
    behind.over(1)
    await room.tasks.idle()
    assert room.stack.meter.ratios == {"scripted/scripted-1": 1.2}


async def test_a_crowd_is_looked_at_once_a_second():
    room = Room(says(""))
    snapshot = await room.stack.contexts.snapshot(room.answering.ask_for(channel(), ask(channel()).trigger))
    behind = aftermath(room, 0.5)
    for turn in (2, 4, 6):
        room.clock.advance(SPACING_SECONDS if turn == 6 else 0)
        behind.compare(turn, (turn,), snapshot, "not the sha")
        behind.over(turn)
    await room.tasks.idle()
    assert [row.inbound for row in room.notes.rows] == [2, 6]


async def test_nothing_is_looked_at_before_the_turn_is_over():
    room = Room(says(""))
    snapshot = await room.stack.contexts.snapshot(room.answering.ask_for(channel(), ask(channel()).trigger))
    behind = aftermath(room, 1.0)
    behind.compare(1, (1,), snapshot, "not the sha")
    assert not room.tasks.busy
    behind.over(1)
    behind.over(1)
    await room.tasks.idle()
    assert [row.inbound for row in room.notes.rows] == [1]
