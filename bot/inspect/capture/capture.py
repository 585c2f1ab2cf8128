"""What an inspection found: a request as it was sent, runs now, or would be built, with all that is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from bot.context.tokens import TokenCounts
from bot.domain.base import Digest
from bot.domain.channel import ChannelState
from bot.domain.handles import HandleKind, handle
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelKey
from bot.domain.llm import LLMRequest, TokenUsage
from bot.domain.memory import Memory
from bot.domain.snapshot import CaptureKind, ContextSnapshot
from bot.domain.turn import StoredRequest
from bot.sentences import say


@dataclass(frozen=True)
class CapturedWire:
    """The bytes of a request. `body` is empty when they cannot be made here; `note` says how far to trust them."""

    body: bytes
    sha256: str
    encoder: str
    note: str


@dataclass(frozen=True)
class ContextCapture:
    """One capture. It may show everything: nobody reads it but by `bot.inspect.capture.redact_view.view_for_reader`.

    Exactly one of `snapshot` (next, in flight) and `stored` (sent) is set. `usage` is what the provider counted for
    this request, or else for the last one that was sent; `memories` are those that the request names. `write` makes the
    bytes and `tell` the status, which not every look has need of.
    """

    key: ChannelKey
    state: ChannelState
    which: CaptureKind
    request: LLMRequest
    numbers: TokenCounts
    write: Callable[[], CapturedWire] = field(repr=False, compare=False)
    tell: Callable[[], str] = field(repr=False, compare=False)
    queue: QueueHealth
    ratio: float
    usage: TokenUsage | None = None
    memories: tuple[Memory, ...] = ()
    dropped_turns: tuple[int, ...] = ()
    overflow: int = 0
    snapshot: ContextSnapshot | None = None
    stored: StoredRequest | None = None

    @cached_property
    def wire(self) -> CapturedWire:
        """The bytes of the request."""
        return self.write()

    @cached_property
    def status(self) -> str:
        """What goes on in the channel, in words."""
        return self.tell()

    @property
    def digest(self) -> Digest:
        """The name of the request."""
        return self.request.digest

    @property
    def handle(self) -> str:
        """The request's handle when it is in the journal."""
        return handle(HandleKind.REQUEST, self.stored.id) if self.stored else ""

    @property
    def note(self) -> str:
        """Say how exact this is, in one line."""
        match self.which:
            case CaptureKind.SENT:
                said = say("capture.sent", handle=self.handle)
            case CaptureKind.IN_FLIGHT:
                said = say("capture.in-flight")
            case CaptureKind.NEXT:
                said = say("capture.next")
        return say("capture.with-note", what=said, note=self.wire.note) if self.wire.note else said
