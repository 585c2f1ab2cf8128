"""What a turn is to do, with what, and how much it may cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.domain.access import Caller
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.llm import ModelName
from bot.domain.messages import Message
from bot.domain.snapshot import ContextSnapshot, ModelLimits, Trigger
from bot.ports.channels import ChannelDirectory
from bot.tools.runtime.repeat_guard import BLOCK_AT, WARN_AT
from bot.tools.runtime.tool import CallOrigin, Tool

Watch = Callable[[ContextSnapshot | None], None]
Keep = Callable[["TurnProgress"], Awaitable[None]]
Inject = Callable[[Sequence[str]], tuple[Tool, ...]]


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """How much a turn may cost. `tokens` are uncached input tokens (0: no limit); seconds are wall-clock time.

    `window` is what its first model can hold, where somebody knows that better than the table (0: nobody).
    `warn_at`, `block_at`: after how many equal calls with equal results the model is told so, and stopped.
    """

    rounds: int
    seconds: float
    calls: int = 240
    tokens: int = 0
    window: int = 0
    warn_at: int = WARN_AT
    block_at: int = BLOCK_AT

    def of(self, limits: ModelLimits) -> ModelLimits:
        """Return the limits of the first model as they are for this turn."""
        if not self.window:
            return limits
        return limits.replace(
            window=self.window, max_output=min(limits.max_output, self.window // 4), window_known=True
        )


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """How far a turn has come: its number, its rounds with those it went on from, and the uncached tokens they took."""

    turn: int
    rounds: tuple[Message, ...] = ()
    uncached: int = 0


@dataclass(frozen=True, slots=True)
class TurnJob:
    """A turn to be run. `watch` is told the snapshot of each round as it begins, and None at the end.

    `behind` is how far an earlier turn came with the same job: its rounds are shown to the model, and never run again.
    `keep` is told how far this one has come: at the start, before anything runs that has effects, and after each round.
    `inject` returns those of the named tools that may be added; `on_demand` are those that it is told of by a line, and
    may call. `process` is the branch or worker it is a part of.
    """

    kind: ProcessKind
    state: ChannelState
    trigger: Trigger
    tools: tuple[Tool, ...]
    origin: CallOrigin
    caller: Caller
    channels: ChannelDirectory
    limits: TurnLimits
    chain: tuple[ModelName, ...]
    session: int = 0
    watch: Watch = lambda _: None
    behind: TurnProgress | None = None
    keep: Keep | None = None
    inject: Inject = lambda _: ()
    on_demand: tuple[Tool, ...] = ()
    process: int = 0

    @property
    def inbounds(self) -> tuple[int, ...]:
        """The ledger rows of the trigger, oldest first."""
        return tuple([message.inbound for message in self.trigger.messages if message.inbound])
