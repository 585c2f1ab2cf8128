"""A detached line of thought that reads, and always reports back exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.agent.processes.segment import ProcessSegment
from bot.agent.turn.ending import TurnResult
from bot.agent.turn.turn import RunningTurn, TurnJob, TurnRunner
from bot.domain.ledger import FailReason
from bot.domain.turn import NewOutbox, StoredOutbox, TurnStatus


@dataclass(frozen=True, slots=True)
class BranchConclusion:
    """The one report of a branch. `text` is what it found, or the plain reason why there is nothing."""

    kind: Literal["conclusion", "failure", "timeout"]
    text: str
    turn: int = 0
    requests: int = 0
    calls: int = 0


class Branch:
    """One line of thought. Its turn is open in the journal until it is ended together with its report.

    So a process that dies in between leaves an open turn, which says that a report is owed. `opened` is set once there
    is one: what is kept after that is kept with it.
    """

    def __init__(self, turns: TurnRunner) -> None:
        self._turns = turns
        self._segment = ProcessSegment(turns)
        self.reported = False
        self.opened = asyncio.Event()

    @property
    def number(self) -> int:
        """The number of its turn, 0 before it has one."""
        return self._segment.number

    async def conclude(self, job: TurnJob) -> BranchConclusion:
        """Think about the job's trigger with an EMPTY history; raises nothing but CancelledError and StoreError.

        The turn stands in the journal under its own kind, so that nothing which looks at the channel's turns finds it.
        """
        bare = replace(job, state=job.state.replace(turns=(), ambient=(), last=None))
        turn = await self._segment.begin(bare)
        self.opened.set()
        return _conclusion(turn, await self._segment.run(bare))

    async def end(self, outbox: Sequence[NewOutbox]) -> Sequence[StoredOutbox] | None:
        """End the turn and keep its report, in one transaction; None, and nothing is kept, when none was begun.

        What was reported already is returned as it is, so that a report which somebody stopped waiting for is no second
        one.
        """
        end = self._segment.end(outbox)
        if end is None:
            return None
        rows = await self._turns.journal.end_turn(end)
        self.reported = True
        return rows


def _conclusion(turn: RunningTurn, ending: TurnResult) -> BranchConclusion:
    def report(kind: Literal["conclusion", "failure", "timeout"], text: str) -> BranchConclusion:
        return BranchConclusion(kind, text, turn.number, turn.requests, len(turn.calls))

    if ending.status is TurnStatus.REPLIED and ending.text:
        return report("conclusion", ending.text)
    return report("timeout" if ending.failure is FailReason.TIMEOUT else "failure", ending.reason)
