"""What is done about a request while nobody waits for it: learn from its usage, and check that it can be rebuilt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

import structlog

from bot.agent.turn.ledger_rows import drift_rows
from bot.agent.turn.model_client import ModelClient
from bot.context.builder import ContextBuilder
from bot.domain.handles import HandleKind, handle
from bot.domain.snapshot import ContextSnapshot
from bot.ports.clock import Clock
from bot.ports.ledger import Ledger
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import Words

log = structlog.get_logger(__name__)

LEARN_EVERY = 7
"""Turns; odd, so that two channels that take turns are both learned from."""
LEISURE_SECONDS = 0.005
"""Seconds from the end of a turn's last round; by then its answer is on the way to whoever waits for it."""
SPACING_SECONDS = 1.0
"""Seconds between two looks of a kind: a crowd asks much the same, and each look keeps it waiting for milliseconds."""

_Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class AfterTurnChecks:
    """Works behind the turns. `sample`: the share of turns that are compared; 1.0 is all, however many there are.

    `owed` is what begins when a turn is over: nobody who waits for an answer is kept by it.
    """

    contexts: ContextBuilder
    models: ModelClient
    ledger: Ledger
    clock: Clock
    tasks: TaskSupervisor
    sample: float
    tell: Callable[[Words], Awaitable[None]] | None = None
    """Tells those who run the bot what must not wait until they ask."""
    looked: dict[str, float] = field(default_factory=dict)
    owed: dict[int, list[tuple[str, _Work]]] = field(default_factory=dict)

    def learn(self, turn: int, snapshot: ContextSnapshot, usage_input: int | None) -> None:
        """Learn how far our counts are off, from some turns: looking up every count of a long chat is not free."""
        if turn % LEARN_EVERY == 1 and self._is_due("learn"):
            self._owe(turn, "learn token ratio", partial(self.contexts.learn, snapshot, usage_input))

    def compare(self, turn: int, inbounds: tuple[int, ...], snapshot: ContextSnapshot, sha: str) -> None:
        """Assemble a sampled turn's request again; a difference is a defect that the log and the ledger name."""
        # by the turn's number, so that no randomness is needed and a run can be repeated
        if self.sample <= 0 or turn % max(1, round(1 / self.sample)) != 0:
            return
        if self.sample >= 1 or self._is_due("compare"):
            self._owe(turn, f"drift of turn {turn}", partial(self._compare, turn, inbounds, snapshot, sha))

    def over(self, turn: int) -> None:
        """Begin with what is owed about a turn, which has its last answer."""
        for name, work in self.owed.pop(turn, ()):
            if not self.tasks.closed:
                self.tasks.spawn(name, _at_leisure(work))

    def _owe(self, turn: int, name: str, work: _Work) -> None:
        self.owed.setdefault(turn, []).append((name, work))

    def _is_due(self, what: str) -> bool:
        now = self.clock.monotonic()
        if now - self.looked.get(what, -SPACING_SECONDS) < SPACING_SECONDS:
            return False
        self.looked[what] = now
        return True

    async def _compare(self, turn: int, inbounds: tuple[int, ...], snapshot: ContextSnapshot, sha: str) -> None:
        difference = await self.contexts.drift(snapshot, sha, self.models.encode)
        if difference is not None:
            log.error("drift", turn=turn, channel=snapshot.inputs.state.id, difference=difference)
            await self.ledger.note(drift_rows(inbounds, self.clock.now(), difference))
            if self.tell is not None:
                await self.tell(partial(render, "cortex/alert_drift", turn=handle(HandleKind.TURN, turn)))


async def _at_leisure(work: _Work) -> None:
    await asyncio.sleep(LEISURE_SECONDS)
    await work()
