"""Everything that the rules may look at, read once and frozen; a rule that needs more adds a field here."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pydantic import Field

from bot.domain.access import Authority
from bot.domain.base import FrozenModel
from bot.domain.channel import ChannelSettings, ProcessKind
from bot.domain.finding import UnreadEvidence
from bot.domain.health import (
    AdapterHealth,
    ChannelProcess,
    Heartbeat,
    ModelHealth,
    ProbeResult,
    ProcessVitals,
    QueueHealth,
)
from bot.domain.ids import ChannelId, UserId
from bot.domain.ledger import InboundTrail, OutcomeCount, StoredInbound
from bot.domain.memory import Memory
from bot.domain.messages import ChannelPlace
from bot.domain.process import StoredProcess
from bot.domain.snapshot import ContextSnapshot
from bot.domain.stale_config import StaleConfig
from bot.domain.turn import StoredOutbox, StoredRequest, StoredTurn, ToolCallRecord, UsageRow


class MissingEvidence(Exception):
    """What a rule wants to look at could not be read: nothing can be said that rests on it."""


class _Partial(FrozenModel):
    """Values of which some could not be read. To look at one of those is an error, so that nobody takes it for empty.

    `missing` names them; their fields hold defaults that nobody ever sees.
    """

    missing: frozenset[str] = frozenset()

    if not TYPE_CHECKING:  # a type checker would believe that every name exists

        def __getattribute__(self, name: str) -> Any:
            found = super().__getattribute__(name)
            if name[:1] != "_" and name != "missing" and name in self.__dict__.get("missing", ()):
                raise MissingEvidence(name)
            return found


class MessageChoice(StrEnum):
    """How the message was chosen that a question is about."""

    ASKED_ABOUT = "asked_about"
    REPLIED_TO = "replied_to"
    YOUR_NEWEST_UNANSWERED = "your_newest_unanswered"
    NEWEST_UNANSWERED = "newest_unanswered"
    NEWEST_FAILED_WORK = "newest_failed_work"
    NEWEST = "newest"


CHOSEN_BY_ASKER = frozenset({MessageChoice.ASKED_ABOUT, MessageChoice.REPLIED_TO})
"""Of a message that the asker pointed at."""


class DiagnosisTarget(_Partial):
    """What is asked about: a channel, and perhaps one message in it."""

    agent: str
    channel: ChannelId
    name: str
    place: ChannelPlace = ChannelPlace()
    settings: ChannelSettings = ChannelSettings()
    about: InboundTrail | None = None
    about_why: str = ""
    """How the message was chosen: a `MessageChoice`, or empty."""


class TurnEvidence(_Partial):
    """The turn that took the message, with everything that it asked and got."""

    turn: StoredTurn
    requests: tuple[StoredRequest, ...] = ()
    calls: tuple[ToolCallRecord, ...] = ()
    outbox: tuple[StoredOutbox, ...] = ()


class ConfiguredLists(FrozenModel):
    """The access lists of the platform as configured; None means no list (all)."""

    allowed_users: tuple[str, ...] | None = None
    blocked_users: tuple[str, ...] = ()
    allowed_channels: tuple[str, ...] | None = None
    blocked_channels: tuple[str, ...] = ()
    allowed_guilds: tuple[str, ...] | None = None


class ProcessTool(FrozenModel):
    """A tool that some process has, and the authority that it takes to have it called.

    `closed` says why nobody may have it called in the channel in question; empty where somebody may.
    """

    name: str
    process: ProcessKind
    authority: Authority
    closed: str = ""


class SiblingThread(FrozenModel):
    """A conversation beside this one, in which the author of the message was answered; `inbound` is their newest there.

    `is_parent`: this one lies in it; else both lie in the same channel. `count` are their messages there.
    """

    channel: ChannelId
    name: str
    is_parent: bool
    inbound: int
    at: int
    count: int = 1


class ProviderRoute(FrozenModel):
    """The way to a model service, as configured; `proxy` is the host of its proxy (empty: none).

    `load_seconds` is how long it may take to load a model (0: it has them ready).
    """

    provider: str
    host: str
    proxy: str = ""
    load_seconds: float = 0.0


class PendingApproval(FrozenModel):
    """Something that a process proposed and that waits for people. `call` is the call that proposed it.

    `shown` says where they were asked.
    """

    call: int
    turn: int
    memory: int
    at: int
    shown: str


class FreshChat(FrozenModel):
    """Somebody had the conversation begin anew before the message came; `audit` is the row that says so."""

    name: str
    at: int
    audit: int


class SaidMessage(FrozenModel):
    """What somebody said in a message; `handle` opens it."""

    handle: str
    author: str
    text: str


class DroppedMessages(FrozenModel):
    """Messages that stand in the conversation no more: `compaction` took them out, or a fresh start (`audit`) did.

    `by` is who started afresh. `emergency`: nothing was put in their place. `missing` are names and numbers that the
    summary lacks. `failed` counts the summaries before it that could not be used; `undoable`: it can be taken back.
    """

    at: int
    messages: tuple[SaidMessage, ...]
    compaction: int = 0
    audit: int = 0
    by: str = ""
    emergency: bool = False
    missing: tuple[str, ...] = ()
    failed: int = 0
    undoable: bool = False


class LastAnswer(FrozenModel):
    """The channel's newest message that was answered; `delivery` is the outbox row of the answer (0: none kept)."""

    inbound: int
    at: int
    delivery: int = 0


class PastTrouble(FrozenModel):
    """From when to when messages failed (UTC ms), and how many were answered since."""

    begun_at: int
    ended_at: int
    answered: int


class Evidence(_Partial):
    """The frozen evidence of one question. Times are UTC ms; `now` is when it was collected.

    `unread` says in words what is missing, and why.

    `adapter` is None when the platform of the channel is not configured or not running here; `running` is False when
    a host command reads the store of a dead process. `live` is False when it was read from outside the process: what
    is in its memory (queue, model cool-downs) is then not checkable. `recent` are the channel's newest trails, newest
    first.
    `memories` holds those that the request showed, forgotten ones too, and those in reach.
    """

    now: int
    running: bool
    target: DiagnosisTarget
    adapter: AdapterHealth | None = None
    adapter_enabled: bool = True
    heartbeat: Heartbeat | None = None
    models: tuple[ModelHealth, ...] = ()
    queue: QueueHealth = QueueHealth()
    turn: TurnEvidence | None = None
    recent: tuple[InboundTrail, ...] = ()
    recent_turns: tuple[StoredTurn, ...] = ()
    last_request: StoredRequest | None = None
    next_context: ContextSnapshot | None = None
    memories: tuple[Memory, ...] = ()
    counts: tuple[OutcomeCount, ...] = ()
    undelivered: tuple[StoredOutbox, ...] = ()
    lists: ConfiguredLists = ConfiguredLists()
    other_ids: tuple[tuple[str, UserId], ...] = ()
    """Other kinds of id that belong to the message, as (what, id): its channel, its guild, ...."""
    turn_timeout: float = 120
    debounce_longest: float = 5
    admins: tuple[UserId, ...] = ()
    live: bool = True
    elsewhere: ChannelProcess | None = Field(None, exclude_if=lambda process: process is None)
    """The other process that has the channel, where several share them; what it knows by heart is not visible here."""
    last_answer: LastAnswer | None = None
    probes: tuple[ProbeResult, ...] | None = ()
    """What the platform says of itself and of the channel now; empty where it was not asked, None without an answer."""
    namesakes: tuple[ChannelId, ...] = ()
    """Channels of the same name that were silent by then, where a list of places stopped the message."""
    names: tuple[ChannelId, ...] = ()
    """Every id that the channel has or had."""
    stale: StaleConfig | None = None
    """What stands in the configuration's files and does not run."""
    tools: tuple[ProcessTool, ...] = ()
    """Every tool of every process; empty where it was read from outside."""
    vitals: ProcessVitals = ProcessVitals()
    spent: tuple[UsageRow, ...] = ()
    """What the models cost in 24 hours, in every channel; only where the day's cap stopped the message."""
    routes: tuple[ProviderRoute, ...] = ()
    approvals: tuple[PendingApproval, ...] = ()
    """What the turn of the message, or a branch of it, proposed and nobody has decided; oldest first."""
    strangers: tuple[StoredInbound, ...] = ()
    """Messages by the bot's own account, after the message that is asked about, that this process did not send."""
    work: StoredProcess | None = None
    """The branch or worker whose result is asked about; None where it is a message."""
    handed_out: tuple[StoredProcess, ...] = ()
    """The branches and workers that the message led to, oldest first."""
    fresh_chat: FreshChat | None = None
    """Who had the conversation begin anew within the day before the message, unless that was taken back."""
    dropped: tuple[DroppedMessages, ...] = ()
    """What was said before the message and is not told any more; only where an answer denies something, or is asked
    about."""
    question: str = ""
    """What is asked, where somebody asks whether the bot knew something; empty for every other question."""
    past: PastTrouble | None = None
    """Since when what failed the message is over; None where nothing was answered since, or nothing failed."""
    siblings: tuple[SiblingThread, ...] = ()
    """Where else the author was answered lately, in threads of one channel; only for a conversation that begins."""
    unread: tuple[UnreadEvidence, ...] = ()
