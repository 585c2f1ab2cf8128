"""One turn of a process that is no channel: begun, run, and open in the journal until whoever began it ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.agent.turn.ending import CANCELLED, TurnResult
from bot.agent.turn.model_attempts import Listen
from bot.agent.turn.turn import RunningTurn, TurnJob, TurnRunner
from bot.domain.turn import NewOutbox, TurnEnd
from bot.tools.runtime.effects import ConfirmedMemory, RetractedPreference, SavedMemory


class ProcessSegment:
    """A process that dies leaves its turn open, which says that something is owed for it."""

    def __init__(self, turns: TurnRunner) -> None:
        self._turns = turns
        self._opened = asyncio.Event()
        self.turn: RunningTurn | None = None
        self.ending: TurnResult = CANCELLED

    @property
    def number(self) -> int:
        """The number of its turn, 0 before it has one."""
        return self.turn.number if self.turn is not None else 0

    async def begin(self, job: TurnJob) -> RunningTurn:
        """Open the turn; whoever is cancelled meanwhile finds it open all the same."""
        try:
            return await asyncio.shield(self._open(job))
        except asyncio.CancelledError:
            # the store begins it all the same, and nobody could end what nobody knows of
            await self._opened.wait()
            raise

    async def run(self, job: TurnJob, listen: Listen | None = None) -> TurnResult:
        """Begin and go on until it ends one way; raises nothing but CancelledError and StoreError."""
        turn = self.turn or await self.begin(job)
        self.ending = await turn.run(listen)
        return self.ending

    def end(self, outbox: Sequence[NewOutbox] = ()) -> TurnEnd | None:
        """Return what ends the turn, with everything that it does to the world; None where none was begun."""
        turn = self.turn
        if turn is None:
            return None
        remembered = () if self.ending.poisonous else turn.effects.of(SavedMemory)
        return TurnEnd(
            turn=turn.number,
            agent=turn.job.state.key.agent,
            channel=turn.job.state.id,
            at=self._turns.clock.now(),
            status=self.ending.status,
            reason=self.ending.reason,
            rounds=turn.requests,
            outbox=tuple(outbox),
            memories=tuple(effect.memory for effect in remembered),
            confirmed=() if self.ending.poisonous else tuple(one.memory for one in turn.effects.of(ConfirmedMemory)),
            retracted=() if self.ending.poisonous else turn.effects.of(RetractedPreference),
            attempts=turn.answer.unkept,
            context_tokens=turn.context_tokens,
            drops_staged=self.ending.poisonous,
        )

    async def _open(self, job: TurnJob) -> RunningTurn:
        try:
            self.turn = await self._turns.begin(job)
            return self.turn
        finally:
            self._opened.set()
