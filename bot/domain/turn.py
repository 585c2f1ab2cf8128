"""What a turn leaves behind: requests, attempts, tool call records, replies, and one ending."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from bot.domain.base import Digest, FrozenModel
from bot.domain.channel import LastTurn, ProcessKind
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey
from bot.domain.incident import ChannelTrouble, Incident
from bot.domain.ledger import Settlement, StageRow
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.memory import NewMemory
from bot.domain.messages import Button, Message, OutboundAddress, OutgoingFile, Receipt
from bot.domain.rich_messages import RichLayout
from bot.domain.snapshot import ContextStats, SectionTrace


class TurnStatus(StrEnum):
    """Where a turn is. Everything but `running` is terminal and is written once."""

    RUNNING = "running"
    REPLIED = "replied"
    SKIPPED = "skipped"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class TurnOutcome(NamedTuple):
    """How a turn of a channel ended, for those who watch over it. Times are UTC ms.

    `fullness` is how much of its model's room the request took, in percent; `code` says in a word or two why it failed
    or why the model kept silent, and is empty for an answer. `inbound` is the ledger row of the newest message that it
    was about, `person` who wrote it.
    """

    key: ChannelKey
    name: str
    is_private: bool
    number: int
    status: TurnStatus
    reason: str
    asked_at: int
    at: int
    fullness: float = 0.0
    code: str = ""
    inbound: int = 0
    person: str = ""


class TurnStart(FrozenModel):
    """A turn that begins. `inbounds` are the coalesced triggers' ledger rows, oldest first.

    `session` is the cortex session that an inspection belongs to (0: none). Not kept, and for those who watch alone:
    `about`, the message that all of it goes back to, `process`, the branch or worker it is a part of, and whether it is
    of a private chat.
    """

    agent: AgentId
    channel: ChannelId
    kind: ProcessKind
    at: int
    inbounds: tuple[int, ...] = ()
    session: int = 0
    about: int = 0
    process: int = 0
    is_private: bool = False


class StoredTurn(FrozenModel):
    """A turn as the store has it. `session` is the cortex session that an inspection belongs to (0: none)."""

    id: int
    agent: AgentId
    channel: ChannelId
    kind: ProcessKind
    started_at: int
    status: TurnStatus
    reason: str = ""
    ended_at: int = 0
    rounds: int = 0
    inbounds: tuple[int, ...] = ()
    session: int = 0
    has_outbox: bool = False

    @property
    def key(self) -> ChannelKey:
        """The channel it ran for."""
        return ChannelKey(self.agent, self.channel)


class RequestRecord(FrozenModel):
    """A request about to be sent. `wire_sha256` covers the exact bytes; `encoder` is `name/version` of who made them,
    and behind it the traits of the dialect in which they were written.

    `fallback_of` is the request that failed before this one (0: none). Without `words` digests and sizes are kept.
    """

    agent: AgentId
    channel: ChannelId
    turn: int
    kind: ProcessKind
    round: int
    at: int
    request: LLMRequest
    digest: Digest
    wire_sha256: str
    wire_bytes: int
    encoder: str
    sections: tuple[SectionTrace, ...]
    stats: ContextStats
    message_tokens: tuple[int, ...] = ()
    dropped_turns: tuple[int, ...] = ()
    fallback_of: int = 0
    words: bool = True


class AttemptRecord(FrozenModel):
    """One posting of a request: what came back, or what went wrong. Times are UTC ms, durations ms (monotonic).

    `named`: the fault is known by the service's words, and not by a number alone. `limit` and `size` are what the
    service takes and what it was given, as it says (0: it does not). `searches`: nobody was to read the answer, it was
    only to find what the service's filter refuses.
    """

    request: int
    number: int
    at: int
    duration_ms: float
    first_token_ms: float | None = None
    response: LLMResponse | None = None
    fault: str = ""
    status: int | None = None
    error: str = ""
    retry_after: float | None = None
    named: bool = True
    limit: int = 0
    size: int = 0
    cost_usd: float | None = None
    # left out where it is an attempt like any other
    searches: bool = Field(False, exclude_if=lambda searches: not searches)


class MarkKind(StrEnum):
    """Why a request is not on record as it was sent."""

    ROOM = "room"
    UNRECORDED = "unrecorded"
    REDACTED = "redacted"
    EMBEDDED = "embedded"


class RequestMark(FrozenModel):
    """Why a request is not on record as it was sent, and since when (UTC ms): without its words, or without some."""

    kind: MarkKind
    at: int


class StoredRequest(FrozenModel):
    """A request with everything that came back, rebuilt from the journal.

    With a `mark` it is not what was sent: `redacted`, some words in it are ours; else it is empty but for its numbers.
    """

    id: int
    record: RequestRecord
    attempts: tuple[AttemptRecord, ...] = ()
    mark: RequestMark | None = None

    @property
    def response(self) -> LLMResponse | None:
        """What the model answered, if it did."""
        return next((a.response for a in self.attempts if a.response is not None), None)


class CallState(StrEnum):
    """Where a tool call is. Of `unknown` nobody knows what came of it: its process died."""

    STARTED = "started"
    RUNNING = "running"
    PENDING = "pending"
    OK = "ok"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class ToolCallRecord(FrozenModel):
    """One tool call's full trace (the eleven fields of the source). Times: wall-clock UTC ms; duration monotonic ms.

    `record_id` and `turn_summary_id` are row numbers, 0 until stored (the summary row of a turn is the turn itself).
    `state` is set where `success` does not say it all: it goes on in the background, was cancelled, or nobody knows.
    """

    record_id: int = 0
    tool_name: str
    raw_arguments_json: str
    result_output: str
    success: bool
    execution_start: int
    execution_end: int
    duration_ms: float
    order_index: int
    round_number: int
    turn_summary_id: int = 0
    state: CallState | None = Field(None, exclude_if=lambda state: state is None)

    @property
    def is_at(self) -> CallState:
        """Where the call is, in one word."""
        return self.state or (CallState.OK if self.success else CallState.FAILED)


class CallQuery(FrozenModel):
    """Which tool calls somebody wants to see: of one channel (None: of all), newest first.

    `record` and `turn` are handles of a call and of a turn; `success` is None for both. `actor` is whoever alone is
    told of it: what they had done in private is found too, where it is named. None: a channel may be told.
    """

    key: ChannelKey | None
    actor: PersonKey | None = None
    record: str = ""
    turn: str = ""
    tool: str = ""
    success: bool | None = None
    limit: int = 10
    offset: int = 0


class CallPart(FrozenModel):
    """What is on record of a tool call at one moment; of several parts of one call the newest (by `row`) holds.

    `seq` is its place in the turn, from 0; `row` is 0 where there is no record. `text` is what came of it, or what it
    was asked with where nothing did. `ms` is how long it took, None where nobody knows.
    """

    row: int
    turn: int
    seq: int
    tool: str
    state: CallState
    ms: float | None
    text: str


class CallParts(FrozenModel):
    """What is on record of a channel's tool calls: the newest parts, and for each turn how many calls it made."""

    parts: tuple[CallPart, ...] = ()
    made: tuple[tuple[int, int], ...] = ()


class OutboxState(StrEnum):
    """Where an outbound chunk is."""

    NEW = "new"
    SENDING = "sending"
    SENT = "sent"
    UNCERTAIN = "uncertain"
    DEAD = "dead"


class AlertCount(FrozenModel):
    """How often something was told of that is one message: since when, and when it was last. Times are UTC ms.

    `incident` and `trouble` are what a message follows to its end; then it says itself how often.
    """

    kind: str
    count: int
    first: int
    last: int
    incident: Incident | None = None
    trouble: ChannelTrouble | None = Field(None, exclude_if=lambda value: value is None)


class NewOutbox(FrozenModel):
    """A chunk to be delivered. `kind` is `reply`, `notice`, `command`, `finding` or `file`; findings go to a DM only.

    `inbound` is the ledger row it answers (0: none); `turn` the turn that produced it (0: none). `redacted` says that
    something in the whole text was blacked out. `edits` is the message whose place it takes (empty: none). `alert` is
    set on what tells admins of something that may come again: then the same message says so. `answers` is as in
    `OutgoingMessage`. `as_text` are the hosts to which its links are shown as text; in a kept chunk they are already.
    `rich` is set on a card or a poll: it says which part of the text is what.
    """

    kind: str
    to: OutboundAddress
    text: str
    part: int = 0
    parts: int = 1
    inbound: int = 0
    turn: int = 0
    replies_to: str = ""
    edits: str = ""
    buttons: tuple[Button, ...] = ()
    file: OutgoingFile | None = None
    redacted: bool = False
    answers: str = Field("", exclude_if=lambda answers: not answers)
    alert: AlertCount | None = Field(None, exclude_if=lambda alert: alert is None)
    as_text: tuple[str, ...] = Field((), exclude_if=lambda hosts: not hosts)
    rich: RichLayout | None = Field(None, exclude_if=lambda rich: rich is None)


class StoredOutbox(FrozenModel):
    """An outbox row. `row` is its number, `nonce` its name on the platform."""

    row: int
    nonce: str
    body: NewOutbox
    state: OutboxState
    created_at: int
    attempts: int = 0
    not_before: int = 0
    receipt: Receipt | None = None
    error: str = ""


class TurnEnd(FrozenModel):
    """Everything a turn does to the world besides talking to a model; committed in one transaction.

    `messages` become history. `memories` were staged by tools. `settlements` are the outcomes that need no delivery.
    `attempts` are those that nothing else came after, so that they are not on record yet. `departs`: the first of
    `outbox` is handed to its platform as soon as this is kept, so that its intent is kept with it. `is_full` and
    `lost_calls` are as in `LastTurn`. `relayed` are the processes whose results it has spoken of, `unsaid` those whose
    results it was begun for and did not speak of: they wait for the next turn. `gave_way`: it begins again with what
    came a moment later, so that nobody is to read that it ended. `confirmed` are memories that were said once more,
    `retracted` preferences that their people took back, each at a version.
    `drops_staged`: nothing of what its tools had staged is kept, so that their records must not promise it.
    """

    turn: int
    agent: AgentId
    channel: ChannelId
    at: int
    status: TurnStatus
    reason: str = ""
    rounds: int = 0
    messages: tuple[Message, ...] = ()
    outbox: tuple[NewOutbox, ...] = ()
    memories: tuple[NewMemory, ...] = ()
    stages: tuple[StageRow, ...] = ()
    settlements: tuple[Settlement, ...] = ()
    attempts: tuple[AttemptRecord, ...] = ()
    departs: bool = False
    context_tokens: int = 0
    is_full: bool = False
    lost_calls: tuple[int, ...] = ()
    relayed: tuple[int, ...] = ()
    unsaid: tuple[int, ...] = ()
    gave_way: bool = False
    confirmed: tuple[int, ...] = ()
    retracted: tuple[tuple[int, int], ...] = ()
    drops_staged: bool = False

    @property
    def last(self) -> LastTurn:
        """How it ended, as the next turn will read it: the channel's event and the store carry the same."""
        went_well = self.status in {TurnStatus.REPLIED, TurnStatus.SKIPPED}
        error = "" if went_well else self.reason
        return LastTurn(
            outcome=self.status,
            error=error,
            at=self.at,
            context_tokens=self.context_tokens,
            is_full=self.is_full,
            lost_calls=self.lost_calls,
        )


class TurnSize(FrozenModel):
    """How large the last request of a turn was. `at` is when it was sent (UTC ms)."""

    turn: int
    at: int
    stats: ContextStats


class ChannelUsage(NamedTuple):
    """Tokens and cost of a channel, of every kind and model together."""

    tokens: int = 0
    cost_usd: float = 0.0


class UsageRow(FrozenModel):
    """Tokens and cost of one process kind, model and day."""

    kind: ProcessKind
    model: str
    day: str
    requests: int
    input: int
    output: int
    cached: int
    cost_usd: float
