"""The turn of a proof or a replay: its runs are recorded in it, and it ends together with its one report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.channel import ProcessKind
from bot.domain.finding import StoredSession
from bot.domain.turn import NewOutbox, StoredOutbox, TurnEnd, TurnStart, TurnStatus
from bot.ports.clock import Clock
from bot.ports.store import Store


@dataclass(eq=False, kw_only=True)
class ReplayTurn:
    """One under way. Implements `bot.cortex.sessions.thread_poster.OwedReport`. `rounds`: how often it has asked."""

    store: Store
    clock: Clock
    session: StoredSession
    target: TargetChannel
    turn: int = 0
    status: TurnStatus = TurnStatus.INTERRUPTED
    reason: str = "the bot was stopped"
    reported: bool = False
    rounds: int = 1

    async def begin(self) -> None:
        """Open it; a process that dies leaves it open, which says that a report is owed."""
        key = self.target.key
        start = TurnStart(
            agent=key.agent, channel=key.channel, kind=ProcessKind.REPLAY, at=self.clock.now(), session=self.session.id
        )
        self.turn = await self.store.journal.begin_turn(start, ())

    async def end(self, outbox: Sequence[NewOutbox]) -> Sequence[StoredOutbox] | None:
        """End it and keep its report, in one transaction; None where none was begun."""
        if not self.turn:
            return None
        end = TurnEnd(
            turn=self.turn,
            agent=self.target.key.agent,
            channel=self.target.key.channel,
            at=self.clock.now(),
            status=self.status,
            reason=self.reason,
            rounds=self.rounds,
            outbox=tuple(outbox),
        )
        rows = await self.store.journal.end_turn(end)
        self.reported = True
        return rows
