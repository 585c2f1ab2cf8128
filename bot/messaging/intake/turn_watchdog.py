"""Close turns that run far longer than any may: what should have ended them never did, and nobody else will."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import structlog

from bot.domain.ledger import Outcome, Settlement
from bot.domain.turn import StoredOutbox, StoredTurn
from bot.errors import DamagedRow
from bot.messaging.intake.recovery import Owed, interrupted
from bot.ports.store import Store

log = structlog.get_logger(__name__)

REASON = "it ran longer than a turn may"


class TurnWatchdog(NamedTuple):
    """What closing takes. `is_live` says whether somebody here is at work on a turn: a clock may have jumped."""

    store: Store
    owed: Owed
    is_live: Callable[[StoredTurn], bool]
    enqueue: Callable[[Sequence[StoredOutbox]], None]


async def close_overdue(desk: TurnWatchdog, now: int, most_ms: int) -> int:
    """End turns that began more than `most_ms` ago and send what they owe; return how many there were."""
    journal = desk.store.journal
    overdue = [turn for turn in await journal.running_turns(own=True) if turn.started_at < now - most_ms]
    closed = 0
    for turn in overdue:
        if desk.is_live(turn):
            continue
        settled = (Settlement(inbound=row, at=now, outcome=Outcome.INTERRUPTED, reason=REASON) for row in turn.inbounds)
        end = await interrupted(desk.store, turn, desk.owed, now)
        try:
            rows = await journal.end_turn(end.replace(reason=REASON, settlements=tuple(settled)))
        except DamagedRow as error:
            log.error("turn_not_closed", turn=turn.id, error=str(error))
            continue
        desk.enqueue(rows)
        log.error("turn_overdue", turn=turn.id, channel=turn.channel)
        closed += 1
    return closed
