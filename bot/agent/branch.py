"""A detached line of thought that reads, and always reports back exactly once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Literal

import structlog

from bot.agent.ending import CANCELLED, Ending
from bot.agent.turn import RunningTurn, TurnJob, Turns
from bot.domain.ledger import FailReason
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import StoreError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The one report of a branch. `text` is what it found, or the plain reason why there is nothing."""

    kind: Literal["conclusion", "failure", "timeout"]
    text: str
    turn: int = 0
    requests: int = 0
    calls: int = 0


async def conclude(turns: Turns, job: TurnJob) -> Conclusion:
    """Think about the job's trigger with an EMPTY history, and report; raises nothing but CancelledError.

    The turn stands in the journal under its own kind, so that nothing which looks at the channel's turns finds it.
    """
    empty = job.state.replace(turns=(), ambient=(), last=None)
    try:
        turn = await turns.begin(replace(job, state=empty))
        ending = await _run(turns, turn)
        await turns.journal.end_turn(_end(turns, turn, ending))
    except StoreError as error:
        log.error("branch_store_failed", channel=job.state.id, error=str(error))
        return Conclusion("failure", f"The store cannot be used: {error}")
    return _report(turn, ending)


async def _run(turns: Turns, turn: RunningTurn) -> Ending:
    try:
        return await turn.run()
    except asyncio.CancelledError:
        # whoever cancels does not wait for a report, but the journal must not keep an open turn
        await turns.journal.end_turn(_end(turns, turn, CANCELLED))
        raise


def _end(turns: Turns, turn: RunningTurn, ending: Ending) -> TurnEnd:
    return TurnEnd(
        turn=turn.number,
        agent=turn.job.state.key.agent,
        channel=turn.job.state.id,
        at=turns.clock.now(),
        status=ending.status,
        reason=ending.reason,
        rounds=turn.requests,
        context_tokens=turn.context_tokens,
    )


def _report(turn: RunningTurn, ending: Ending) -> Conclusion:
    def report(kind: Literal["conclusion", "failure", "timeout"], text: str) -> Conclusion:
        return Conclusion(kind, text, turn.number, turn.requests, len(turn.calls))

    if ending.status is TurnStatus.REPLIED and ending.text:
        return report("conclusion", ending.text)
    return report("timeout" if ending.failure is FailReason.TIMEOUT else "failure", ending.reason)
