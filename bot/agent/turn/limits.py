"""The table of processes: they all run the loop of `bot.agent.turn.turn`, and differ by these figures."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from bot.domain.channel import ProcessKind

if TYPE_CHECKING:
    from bot.agent.turn.job import TurnLimits


class ProcessLimits(NamedTuple):
    """What one kind of process may take: rounds and seconds a turn, turns (segments), how many run for one channel.

    `seconds` are for all segments together; 0 stands for what the configuration says. `calls` is how many tool calls a
    turn may make, `tokens` how many uncached input tokens (0: no limit), `per_channel` 0 means that nobody counts them.
    `warn_at` and `block_at`: after how many equal calls with equal results it is told so, and stopped.
    """

    rounds: int
    seconds: float = 0.0
    segments: int = 1
    per_channel: int = 0
    calls: int = 240
    tokens: int = 0
    warn_at: int = 2
    block_at: int = 4

    def limits(self, seconds: float) -> TurnLimits:
        """Return the limits of one turn that may still take so many seconds."""
        # imported here: messaging reads this table at every start, and needs nothing of a turn
        from bot.agent.turn.job import TurnLimits

        return TurnLimits(
            rounds=self.rounds,
            seconds=seconds,
            calls=self.calls,
            tokens=self.tokens,
            warn_at=self.warn_at,
            block_at=self.block_at,
        )


KINDS: Mapping[ProcessKind, ProcessLimits] = MappingProxyType(
    {
        ProcessKind.CHANNEL: ProcessLimits(rounds=10),
        ProcessKind.BRANCH: ProcessLimits(rounds=50, seconds=120.0, per_channel=5, warn_at=3, block_at=5),
        ProcessKind.WORKER: ProcessLimits(rounds=15, seconds=1800.0, segments=10, per_channel=5, warn_at=4, block_at=7),
        ProcessKind.COMPACTOR: ProcessLimits(rounds=1),
        ProcessKind.CORTEX: ProcessLimits(rounds=12, seconds=90.0, calls=24, tokens=60_000, per_channel=1),
        ProcessKind.INSPECTION: ProcessLimits(rounds=12, seconds=90.0, calls=24, tokens=60_000, per_channel=1),
        ProcessKind.REPLAY: ProcessLimits(rounds=1, seconds=90.0, calls=0, per_channel=1),
    }
)

RETURN_ROUNDS = 3
"""Rounds of a turn that begins with results."""
MAX_RETURNS = 3
"""How many such turns may follow one message of a person; what comes after waits for the next turn."""
RETURN_PAUSE = 0.5
"""Seconds in which results that belong together are gathered."""
STOP_SECONDS = 0.5
"""How long a process that is told to stop may take to do so by itself."""
