"""A request together with the reasons for every part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from pydantic import Field

from bot.domain.base import Digest, FrozenModel, JsonText
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.dialect import PLAIN, Dialect
from bot.domain.ids import ChannelId
from bot.domain.llm import LLMRequest, ModelName, ToolChoice, ToolDefinition
from bot.domain.messages import Author, Message

TOOLS_ON_DEMAND = "tools_on_demand"
"""The section that names the tools that can be opened; its sources are those tools."""
TOOL_SOURCE = "tool:"


class SectionStability(StrEnum):
    """How often a section's text is expected to change; volatile sections go into the trigger's envelope."""

    STATIC = "static"
    EPOCH = "epoch"
    VOLATILE = "volatile"


class SectionFate(StrEnum):
    """What became of a section."""

    KEPT = "kept"
    DROPPED = "dropped"
    ABSENT = "absent"


class SectionTrace(FrozenModel):
    """Where one block came from and what it cost.

    `sources` are provenance ids: `memory:m27d4`, `config:persona`, `file:...`. `reason` says why a section is absent
    or dropped; it is never empty for those.
    """

    name: str
    stability: SectionStability
    fate: SectionFate
    reason: str = ""
    digest: Digest
    tokens: int = 0
    sources: tuple[str, ...] = ()

    @property
    def memories(self) -> tuple[str, ...]:
        """The handles of the memories that it shows, one line each, in order; none when it is not in the request."""
        if self.fate is not SectionFate.KEPT:
            return ()
        return tuple(source.removeprefix("memory:") for source in self.sources if source.startswith("memory:"))


def tools_on_demand(sections: Iterable[SectionTrace]) -> tuple[str, ...]:
    """Name the tools that a request only names: they can be opened, or were; for one on record too."""
    kept = (trace for trace in sections if trace.name == TOOLS_ON_DEMAND and trace.fate is SectionFate.KEPT)
    return tools_named(source for trace in kept for source in trace.sources)


def tools_named(sources: Iterable[str]) -> tuple[str, ...]:
    """Name the tools among provenance ids."""
    return tuple(source.removeprefix(TOOL_SOURCE) for source in sources if source.startswith(TOOL_SOURCE))


class CountMethod(StrEnum):
    """How a token number was found; `exact` only for models that use the shipped ranks."""

    EXACT = "exact"
    ESTIMATE = "estimate"
    BYTES = "bytes"


class Tokenizer(FrozenModel):
    """Who counted. `ratio` is learned per model from the provider's usage (1.0: nothing learned yet)."""

    name: str
    method: CountMethod
    ratio: float = 1.0


class ModelLimits(FrozenModel):
    """What the model can hold, whether it sees, and in which dialect it is asked.

    `window_known` is False when the window is a conservative guess.
    """

    model: ModelName
    window: int
    max_output: int
    window_known: bool = True
    sees_images: bool = False
    dialect: Dialect = Field(PLAIN, exclude_if=lambda dialect: not dialect.traits)


class LoadedSection(FrozenModel):
    """What one section read: JSON text for its renderer, or None with the reason why there is nothing."""

    name: str
    data: JsonText | None
    reason: str = ""
    sources: tuple[str, ...] = ()


class LocalTime(FrozenModel):
    """What time it is in a zone, as people read it; `whose` is the person for whom, empty where people talk."""

    zone: str
    written: str
    whose: str = ""


TellLocalTimes = Callable[[int, ChannelId, Sequence[Author | None]], tuple[LocalTime, ...]]
"""Says what time it is (of UTC ms) where a channel is, and for those who ask there."""


def utc_alone(at: int, channel: ChannelId, authors: Sequence[Author | None]) -> tuple[LocalTime, ...]:
    """Tell of no other time."""
    return ()


class Trigger(FrozenModel):
    """What starts a turn: one or more coalesced messages, oldest first, and the clock (UTC milliseconds).

    `placeholder` marks a trigger that has not arrived; a snapshot with one is `next`, exact up to it. `local` is the
    same moment as clocks show it where people are, written when the turn began: it depends on the zones known then.
    """

    messages: tuple[Message, ...]
    at: int
    placeholder: bool = False
    # left out where the clock of UTC is theirs
    local: tuple[LocalTime, ...] = Field((), exclude_if=lambda local: not local)


class ContextInputs(FrozenModel):
    """Everything that `assemble` may look at; what is not here is not in the request."""

    kind: ProcessKind
    state: ChannelState
    trigger: Trigger
    rounds: tuple[Message, ...] = ()
    tool_choice: ToolChoice = ToolChoice.AUTO
    loaded: tuple[LoadedSection, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    limits: ModelLimits
    tokenizer: Tokenizer


class ContextStats(FrozenModel):
    """Token totals of a request, by its parts; the tokenizer says how far to trust them.

    `overhead` is what a chat format adds around messages: an estimate even where the texts are counted exactly.
    """

    system_prompt: int
    tools: int
    history: int
    overhead: int = 0
    window: int
    tokenizer: Tokenizer

    @property
    def total(self) -> int:
        """All input tokens."""
        return self.system_prompt + self.tools + self.history + self.overhead

    @property
    def usage_percent(self) -> float:
        """Share of the window in use, 0..100, one decimal."""
        return round(100 * self.total / self.window, 1) if self.window else 0.0


class ContextSnapshot(FrozenModel):
    """What a model was, or would be, told, and why. `dropped_turns`: ids of the oldest turns, which did not fit.

    `overflow` is by how many tokens the request is still too large after everything that may go is gone (0: it fits).
    """

    inputs: ContextInputs
    request: LLMRequest
    sections: tuple[SectionTrace, ...]
    message_tokens: tuple[int, ...]
    tool_tokens: tuple[int, ...]
    stats: ContextStats
    dropped_turns: tuple[int, ...] = ()
    overflow: int = 0

    @property
    def digest(self) -> Digest:
        """The name of the request; two snapshots with one digest send the same bytes."""
        return self.request.digest


class CaptureKind(StrEnum):
    """Which context is meant. `sent` is certain; `next` is exact up to the unknown message and clock."""

    SENT = "sent"
    IN_FLIGHT = "in_flight"
    NEXT = "next"
