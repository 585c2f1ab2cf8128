"""What the cortex claims, with what it rests on."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Literal

from pydantic import Field

from bot.domain.base import FrozenModel
from bot.domain.channel import LastTurn, LeftOutMessage, handle_of_left_out
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.domain.memory import NewMemory
from bot.domain.memory_file import ImportMemories
from bot.domain.rollback import RollBack, UndoRollBack
from bot.domain.setting_fixes import (
    AdmitChannel,
    AdmitPerson,
    PauseAgain,
    SetMode,
    SetModel,
    SwitchSkill,
    SwitchTool,
)


class FunnelStage(IntEnum):
    """The stages of the funnel, in order; the first with negative evidence wins."""

    PROCESS = 1
    ARRIVAL = 2
    GATE = 3
    QUEUE = 4
    REQUEST = 5
    DECISION = 6
    DELIVERY = 7


class Confidence(StrEnum):
    """How far to trust a finding."""

    CONFIRMED = "confirmed"
    LIKELY = "likely"
    CANNOT_TELL = "cannot tell"


class EvidenceRef(FrozenModel):
    """A handle that can be opened, and what it is in a few words."""

    handle: str
    what: str


class EvidenceQuote(FrozenModel):
    """A text copied from what a handle opens; code checks that it occurs there, byte for byte."""

    handle: str
    text: str


class ForgetMemory(FrozenModel):
    """Forget one memory (soft: undone within 24 h)."""

    kind: Literal["forget_memory"] = "forget_memory"
    memory: int
    version: int


class RestoreMemory(FrozenModel):
    """Bring a forgotten memory back."""

    kind: Literal["restore_memory"] = "restore_memory"
    memory: int
    version: int


class SaveMemory(FrozenModel):
    """Remember something that a model proposed in an admin's talk with the cortex."""

    kind: Literal["save_memory"] = "save_memory"
    memory: NewMemory


class ResumeChannel(FrozenModel):
    kind: Literal["resume_channel"] = "resume_channel"
    channel: ChannelId
    paused_at: int


class StopWork(FrozenModel):
    """Stop a branch or worker."""

    kind: Literal["stop_work"] = "stop_work"
    process: int
    handle: str


class SendWorker(FrozenModel):
    """Let a worker do something for an admin, who alone hears what came of it; `turn` is where a model proposed it."""

    kind: Literal["send_worker"] = "send_worker"
    task: str
    name: str
    files: tuple[str, ...] = ()
    turn: int


class TellChannel(FrozenModel):
    """Post a line that was shown before, such as that a silence has ended."""

    kind: Literal["tell_channel"] = "tell_channel"
    channel: ChannelId
    text: str
    also: tuple[ChannelId, ...] = Field((), exclude_if=lambda value: not value)


class UndoCompaction(FrozenModel):
    """Let what a compaction took out of a conversation stand again."""

    kind: Literal["reverse_compaction"] = "reverse_compaction"
    compaction: int


class RedoCompaction(FrozenModel):
    """Let a compaction that was undone stand again."""

    kind: Literal["repeat_compaction"] = "repeat_compaction"
    compaction: int


class SetRecording(FrozenModel):
    """Keep the requests of a channel from now on, or keep none of their words; `by` is who wants it."""

    kind: Literal["set_recording"] = "set_recording"
    channel: ChannelId
    record: bool
    by: UserId
    by_role: str


class SendAgain(FrozenModel):
    """Show models a message again that was left out because a service's filter refused it.

    `inbound` is 0 where nobody wrote it: then it is all that was left out of what stood in a turn.
    """

    kind: Literal["send_again"] = "send_again"
    channel: ChannelId
    inbound: int
    stood_in: int = Field(0, exclude_if=lambda turn: not turn)

    @property
    def handle(self) -> str:
        """The name of what is shown again."""
        return handle_of_left_out(self.inbound, self.stood_in)

    def is_about(self, one: LeftOutMessage) -> bool:
        """Say whether it shows something that is left out."""
        return (one.inbound, one.stood_in) == (self.inbound, self.stood_in)


class ForgetUser(FrozenModel):
    """Take one person out of what is kept, for good: everywhere, or only in some channels."""

    kind: Literal["forget_user"] = "forget_user"
    platform: str
    user: UserId
    channels: tuple[ChannelId, ...] = ()


class ProveCause(FrozenModel):
    """Ask a model again what it was asked in `request`, at most `runs` times, to prove which part made it decide so.

    `suspects` are parts of it, the likeliest first; `words` are those of an answer that are in question.
    """

    kind: Literal["prove_cause"] = "prove_cause"
    request: int
    suspects: tuple[str, ...] = ()
    words: str = ""
    runs: int


class MemoryVersion(FrozenModel):
    """A memory as it was when something was proposed for it."""

    memory: int
    version: int


class ForgetMemories(FrozenModel):
    """Forget everything that somebody had the bot remember in some time."""

    kind: Literal["forget_memories"] = "forget_memories"
    memories: tuple[MemoryVersion, ...]
    user: UserId


class RestoreMemories(FrozenModel):
    """Bring those back."""

    kind: Literal["restore_memories"] = "restore_memories"
    memories: tuple[MemoryVersion, ...]
    user: UserId


class MergeMemories(FrozenModel):
    """Let one memory stand for others that say the same: it was said as often as all of them; they are forgotten."""

    kind: Literal["merge_memories"] = "merge_memories"
    kept: MemoryVersion
    others: tuple[MemoryVersion, ...]


class SplitMemories(FrozenModel):
    """Take that apart again; `often` of what the one was said belonged to the others."""

    kind: Literal["split_memories"] = "split_memories"
    kept: MemoryVersion
    others: tuple[MemoryVersion, ...]
    often: int


class ForgetSpread(FrozenModel):
    """Forget memories with all that came of them: memories are forgotten, compactions undone, the newest first."""

    kind: Literal["forget_spread"] = "forget_spread"
    memories: tuple[MemoryVersion, ...]
    compactions: tuple[int, ...] = ()


class RestoreSpread(FrozenModel):
    """Bring those back; a compaction stands again where what it took out still stands, the oldest first."""

    kind: Literal["restore_spread"] = "restore_spread"
    memories: tuple[MemoryVersion, ...]
    compactions: tuple[int, ...] = ()


class AnswerWaiting(FrozenModel):
    """Give messages that went unanswered their turn; `rows` are oldest first."""

    kind: Literal["answer_waiting"] = "answer_waiting"
    channel: ChannelId
    rows: tuple[int, ...]


class NewConversation(FrozenModel):
    """Begin a conversation anew."""

    kind: Literal["new_conversation"] = "new_conversation"
    channel: ChannelId


class OldConversation(FrozenModel):
    """Let what a fresh start put away stand again."""

    kind: Literal["old_conversation"] = "old_conversation"
    channel: ChannelId


class CompactNow(FrozenModel):
    """Shorten the older part of a conversation before it is full."""

    kind: Literal["compact_now"] = "compact_now"
    channel: ChannelId


class AskModelAgain(FrozenModel):
    """End the time for which a model is left alone."""

    kind: Literal["ask_model_again"] = "ask_model_again"
    model: str


class ReloadTools(FrozenModel):
    """Look again at tools, skills and MCP servers; it is asked for in a channel and goes for the whole bot."""

    kind: Literal["reload_tools"] = "reload_tools"
    channel: ChannelId


SettingChange = PauseAgain | SetMode | SetModel | SwitchSkill | SwitchTool | AdmitPerson | AdmitChannel
"""Every fix that changes what is set for a channel."""
LiveFix = AnswerWaiting | NewConversation | OldConversation | CompactNow | AskModelAgain | ReloadTools
"""What changes nothing where it is confirmed: the running bot does it then, and says what came of it."""


class ReplayRequest(FrozenModel):
    """Ask a model once more what it was asked in `request`, with a change.

    `left_out` are parts of it, `replaced` a part with other words (empty: none), `model` another one (empty: the same).
    With what is `expected` it is a check: asked a few times, with the prompt of today.
    """

    kind: Literal["replay_request"] = "replay_request"
    request: int
    left_out: tuple[str, ...] = ()
    replaced: str = ""
    words: str = ""
    model: str = ""
    # left out where it is no check, as in offers that are older than this
    expected: str = Field("", exclude_if=lambda expected: not expected)


Fix = Annotated[
    SettingChange
    | LiveFix
    | RollBack
    | UndoRollBack
    | ImportMemories
    | ForgetMemories
    | RestoreMemories
    | MergeMemories
    | SplitMemories
    | ForgetSpread
    | RestoreSpread
    | ForgetMemory
    | RestoreMemory
    | SaveMemory
    | ResumeChannel
    | TellChannel
    | StopWork
    | SendWorker
    | UndoCompaction
    | RedoCompaction
    | SetRecording
    | SendAgain
    | ForgetUser
    | ProveCause
    | ReplayRequest,
    Field(discriminator="kind"),
]


class Finding(FrozenModel):
    """One claim. `rule` is a rule id of the catalogue, or `branch` for what the inspection branch wrote.

    `verdict` is one line without a person's name or a quote (it shows on a lock screen); `why` two or three plain
    lines; `operator_advice` replaces `advice` for the operator of the instance.
    """

    rule: str
    stage: FunnelStage
    confidence: Confidence
    verdict: str
    why: tuple[str, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    quotes: tuple[EvidenceQuote, ...] = ()
    advice: str = ""
    operator_advice: str = ""
    fix: Fix | None = None
    settle: str = ""


class FunnelCheck(FrozenModel):
    """One thing that was looked at on the way down the funnel."""

    stage: FunnelStage
    name: str
    state: Literal["passed", "failed", "not_reached", "not_checkable"]
    detail: str = ""


class UnreadEvidence(FrozenModel):
    """A piece of evidence that could not be read: what it is, why not, and what to do about it."""

    what: str
    why: str
    fix: str = ""


class Diagnosis(FrozenModel):
    """The answer of the rules. `findings` are ordered, the winning stage first; empty means that none was found.

    `beside` is all that was found beside the first of them, at later stages too, in the order of the stages.

    `unread` is what the rules had to do without: while there is any, nothing found does not mean that all is well.
    `about` names the message that was looked at, `inbound` is its row (0: there was none).
    """

    channel: ChannelId
    channel_name: str
    agent: str = MAIN
    at: int
    about: str = ""
    inbound: int = 0
    findings: tuple[Finding, ...] = ()
    beside: tuple[Finding, ...] = Field((), exclude_if=lambda beside: not beside)
    checks: tuple[FunnelCheck, ...] = ()
    summary: tuple[str, ...] = ()
    unread: tuple[UnreadEvidence, ...] = ()


class ProposalState(StrEnum):
    """Where a proposed fix is."""

    OPEN = "open"
    DONE = "done"
    DECLINED = "declined"
    EXPIRED = "expired"
    STALE = "stale"


class NewProposal(FrozenModel):
    """A fix that waits for its admin. `secret_id` is the random id inside the signed button data (hex).

    One that is `suggested` waits for any admin of the channel; its actor is the moderator who proposed it.
    """

    secret_id: str
    session: int
    actor: UserId
    platform: str
    channel: ChannelId
    target: ChannelId
    fix: Fix
    preview: tuple[str, ...] = ()
    created_at: int
    expires_at: int
    suggested: bool = Field(False, exclude_if=lambda suggested: not suggested)


class StoredProposal(FrozenModel):
    id: int
    body: NewProposal
    state: ProposalState
    decided_at: int = 0


class FreshStart(FrozenModel):
    """What a conversation was when somebody began it anew, so that this can be taken back."""

    agent: str
    epoch: int
    last: LastTurn | None = None


class NewAudit(FrozenModel):
    """Something an admin did or read, or that somebody did to a conversation of others.

    `undo` is the fix that takes it back, while that is possible. `fresh_start` is what `/new` put away.
    `own`: it was their own private chat, and so it is nobody else's business. `suggested` is the proposal of a
    moderator that was done (0: it was nobody's).
    """

    at: int
    platform: str
    actor: UserId
    actor_name: str
    action: str
    target: str
    detail: str = ""
    session: int = 0
    undo: Fix | None = None
    fresh_start: FreshStart | None = Field(None, exclude_if=lambda value: value is None)
    own: bool = Field(False, exclude_if=lambda own: not own)
    suggested: int = Field(0, exclude_if=lambda suggested: not suggested)


class AuditRow(FrozenModel):
    """An audit row of the hash chain: `hash` covers the row and `prev_hash`."""

    id: int
    body: NewAudit
    prev_hash: str
    hash: str
    undone_by: int = 0


class NewSession(FrozenModel):
    """A conversation of one admin with the cortex, bound to one channel."""

    platform: str
    actor: UserId
    actor_name: str
    agent: str
    target: ChannelId
    dm_channel: ChannelId
    dm_thread: str
    title: str
    created_at: int


class NewInvitation(FrozenModel):
    """A link by which one person opens their private chat and gets the answer to `inbound` there, once."""

    secret_id: str
    platform: str
    actor: UserId
    inbound: int
    created_at: int
    expires_at: int


class StoredInvitation(FrozenModel):
    """A stored invitation; `used_at` is 0 while it is open."""

    id: int
    body: NewInvitation
    used_at: int = 0


class StoredSession(FrozenModel):
    """A stored session; `last_at` is when something was last said in it."""

    id: int
    body: NewSession
    last_at: int
