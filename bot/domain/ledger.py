"""The trail of an inbound: stages with verdicts, and exactly one outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple

import orjson

from bot.domain.base import FrozenModel, kept
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.messages import EventKind, Inbound, PlatformEvent


class LedgerStage(StrEnum):
    """Where an inbound was, in the order in which it can pass them."""

    ARRIVED = "arrived"
    GATES = "gates"
    QUEUED = "queued"
    COALESCED = "coalesced"
    TURN = "turn"
    ASSEMBLED = "assembled"
    REQUESTED = "requested"
    TOOL = "tool"
    DECIDED = "decided"
    OUTBOX = "outbox"
    DELIVERED = "delivered"
    COMPACTED = "compacted"
    PROCESS = "process"
    AFTERWARDS = "afterwards"


class StageVerdict(StrEnum):
    """How a message left a stage."""

    PASSED = "passed"
    STOPPED = "stopped"
    FAILED = "failed"
    NOTED = "noted"


AFTER_DELETED, AFTER_DELETED_BY, AFTER_REACTION = "deleted", "deleted by", "reaction"
AFTER_CHANGED = "changed by another program"
"""What became of an answer that was delivered: the reasons of stage `afterwards`."""

OF_ALBUM = "of_album"
"""How many pictures of an album came, where messages are one turn: a detail of stage `coalesced`."""

PLUGIN = "plugin"
"""Which plugin a gate, a command or a tool is of (`house-rules 1.2`): a detail of their rows."""

DELETED = "deleted"
"""Why a message that was deleted on its platform was superseded; its words are not kept."""


class Outcome(StrEnum):
    """How an inbound ended. Each inbound gets exactly one."""

    REPLIED = "replied"
    SKIPPED = "skipped"
    GATED = "gated"
    STORED_ONLY = "stored_only"
    COMMAND = "command"
    SUPERSEDED = "superseded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    UNCERTAIN = "uncertain"


class FailReason(StrEnum):
    """Why a turn failed; the first word of a `failed` outcome's reason."""

    EMPTY = "empty"
    ROUNDS = "rounds"
    MARKUP = "markup"
    TIMEOUT = "timeout"
    PROVIDER = "provider"
    TOO_LARGE = "too_large"
    SEND = "send"
    INTERNAL = "internal"


class GateVerdict(FrozenModel):
    """One gate's answer. `compared` lists what was looked at, as (name, value) pairs: which list, which id.

    `store_text` is False when what the gate stops may be kept as metadata and hash only.
    """

    gate: str
    passed: bool
    reason: str = ""
    compared: tuple[tuple[str, str], ...] = ()
    store_text: bool = True

    @kept
    def packed(self) -> str:
        """The verdict as it is stored, as a JSON array; once for each message, and most are the same value again."""
        flags = (not self.passed) + 2 * (not self.store_text)
        return orjson.dumps((self.gate, self.reason, flags, *chain.from_iterable(self.compared))).decode()

    @classmethod
    def unpacked(cls, packed: Sequence[Any]) -> GateVerdict:
        gate, reason, flags, *compared = packed
        return cls(
            gate=gate,
            passed=not flags & 1,
            reason=reason,
            compared=tuple(zip(compared[::2], compared[1::2], strict=True)),
            store_text=not flags & 2,
        )


class StageRow(FrozenModel):
    """One row of a trail. `detail` holds (name, value) pairs.

    `id` is 0 until it is stored, and for a row that follows from the inbound's own: that it arrived, and was queued.
    """

    id: int = 0
    inbound: int
    at: int
    stage: LedgerStage
    verdict: StageVerdict
    reason: str = ""
    detail: tuple[tuple[str, str], ...] = ()


class Settlement(FrozenModel):
    """The outcome of an inbound. The first one stays; a later one is ignored.

    `redacted` marks a reply that went out with parts blacked out (it is still `replied`).
    """

    inbound: int
    at: int
    outcome: Outcome
    reason: str = ""
    redacted: bool = False


class ArrivalDisposition(StrEnum):
    """What the gates decided to do with an arrival; an `event` leads to something, a `note` is only kept."""

    QUEUE = "queue"
    AMBIENT = "ambient"
    DROP = "drop"
    COMMAND = "command"
    AMEND = "amend"
    EVENT = "event"
    NOTE = "note"


class Arrival(FrozenModel):
    """An inbound with the verdicts of every gate that was asked, in order; stored in one transaction."""

    agent: AgentId
    inbound: Inbound
    arrived_at: int
    verdicts: tuple[GateVerdict, ...]
    disposition: ArrivalDisposition
    wordless: bool = False

    @property
    def key(self) -> ChannelKey:
        """The channel it belongs to."""
        return ChannelKey(self.agent, self.inbound.channel)

    @kept
    def keeps_text(self) -> bool:
        """Whether the text may be stored."""
        against = [verdict for verdict in self.verdicts if not (verdict.passed or verdict.store_text)]
        return not (self.wordless or against)

    @kept
    def text_sha256(self) -> str:
        """The hash that stays when the text goes."""
        return hashlib.sha256(self.inbound.text.encode("utf-8", "surrogatepass")).hexdigest()

    @kept
    def stopped_by(self) -> GateVerdict | None:
        """The gate that stopped it, if any."""
        return next((v for v in self.verdicts if not v.passed), None)


class StoredInbound(FrozenModel):
    """An inbound as the ledger has it. `inbound.text` is empty when only a hash was kept (`text_sha256`).

    `outcome` is None while it is still on its way. `turn` is 0 before a turn took it up.
    """

    id: int
    agent: AgentId
    inbound: Inbound
    arrived_at: int
    disposition: ArrivalDisposition
    text_sha256: str
    text_kept: bool
    outcome: Outcome | None = None
    outcome_reason: str = ""
    outcome_at: int = 0
    redacted: bool = False
    turn: int = 0

    @property
    def key(self) -> ChannelKey:
        """The channel it belongs to."""
        return ChannelKey(self.agent, self.inbound.channel)

    def settled(self, at: int, outcome: Outcome, reason: str) -> Settlement:
        """Say what came of it."""
        return Settlement(inbound=self.id, at=at, outcome=outcome, reason=reason)


def stored_as(arrival: Arrival, inbound: Inbound, row: int) -> StoredInbound:
    """Return an arrival as the ledger has it under a number, before anything came of it; `inbound` is as it is now."""
    return StoredInbound(
        id=row,
        agent=arrival.agent,
        inbound=inbound,
        arrived_at=arrival.arrived_at,
        disposition=arrival.disposition,
        text_sha256=arrival.text_sha256,
        text_kept=arrival.keeps_text,
    )


class InboundTrail(FrozenModel):
    """An inbound and all of its stage rows, oldest first."""

    inbound: StoredInbound
    stages: tuple[StageRow, ...]


class StreamCursor(FrozenModel):
    """How far an adapter has read a stream; stored with the batch it covers."""

    adapter: str
    stream: str
    value: str


class InboundOutcome(NamedTuple):
    """How an inbound ended, and when (UTC ms); None and 0 while it has not."""

    row: int
    outcome: Outcome | None
    at: int


class OutcomeCount(FrozenModel):
    """How many inbounds of a channel ended one way; `reason` is the gate or the first word of the reason."""

    channel: ChannelId
    outcome: Outcome
    reason: str
    count: int
    newest: int


def event_reason(event: PlatformEvent, what: str = "") -> str:
    """Return the reason of an event's outcome: its name, and what followed from it."""
    word = "unreadable" if event.kind is EventKind.UNREADABLE else "event"
    return f"{word}: {event.name}{f', {what}' if what else ''}"
