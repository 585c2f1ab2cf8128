"""The state of one conversation and how events change it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, assert_never

from pydantic import Field

from bot.domain.base import FrozenModel, kept
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, ChannelKey, UserId
from bot.domain.messages import AuthorKind, ChannelPlace, Message, Role, ToolCall
from bot.domain.word_origins import WordOrigins


class ProcessKind(StrEnum):
    """Which model-driven process is speaking."""

    CHANNEL = "channel"
    BRANCH = "branch"
    WORKER = "worker"
    COMPACTOR = "compactor"
    CORTEX = "cortex"
    INSPECTION = "inspection"
    REPLAY = "replay"
    EMBEDDING = "embedding"


class ResponseMode(StrEnum):
    """When a channel answers. Direct messages are always active."""

    ACTIVE = "active"
    MENTION_ONLY = "mention_only"
    OBSERVE = "observe"


class ChannelPause(FrozenModel):
    """Somebody told the bot to be silent. `by` is who, `inbound` the message that did it."""

    by: UserId
    by_role: str
    at: int
    inbound: int
    reason: str = ""


class RecordingOff(FrozenModel):
    """Somebody told the bot to keep no words of a channel's requests. `at` is 0 where the configuration says so."""

    by: UserId
    by_role: str
    at: int


class LeftOutMessage(FrozenModel):
    """A message that is in no request, because a model's service refused its words: its row and digest, and since when.

    One that is edited has another digest, and is sent again. `inbound` is 0 where nobody wrote it: what a tool returned
    or the bot said in the turn `stood_in`. `turn` is the one that found it.
    """

    inbound: int
    digest: str
    at: int
    turn: int
    # left out where somebody wrote it, so that what was stored before reads as it always did
    stood_in: int = Field(0, exclude_if=lambda turn: not turn)
    role: Role = Field(Role.USER, exclude_if=lambda role: role is Role.USER)

    @property
    def handle(self) -> str:
        """The name by which it is shown to models again: its own, or that of the turn in which it stood."""
        return handle_of_left_out(self.inbound, self.stood_in)

    @property
    def words(self) -> str:
        """What it is, as people read it: `i27d4`, `what tools returned in t3k2m`."""
        match self.role:
            case Role.TOOL:
                return f"what tools returned in {self.handle}"
            case Role.ASSISTANT:
                return f"the bot's words in {self.handle}"
            case Role.USER:
                return self.handle if self.inbound else f"a note in {self.handle}"


def handle_of_left_out(inbound: int, turn: int) -> str:
    """Name what is left out: a message that somebody wrote, or what else stood in a turn."""
    return handle(HandleKind.INBOUND, inbound) if inbound else handle(HandleKind.TURN, turn)


class ChannelSettings(FrozenModel):
    """What people set for a channel; survives restarts. Empty `model` means the configured one.

    `came_from` is the agent that had the channel before, until people are told; `left_to` is the one that has it now.
    `left_out` are the messages that no model is shown, `tools_off` the tools that are offered to none here. `admitted`
    are people whom an owner let in here although a list keeps them out; `is_admitted` says the same of the channel.
    """

    mode: ResponseMode = ResponseMode.MENTION_ONLY
    mode_by: UserId | None = None
    mode_at: int = 0
    pause: ChannelPause | None = None
    model: str = ""
    # left out where nothing is said, as in nearly every channel
    unrecorded: RecordingOff | None = Field(None, exclude_if=lambda value: value is None)
    skills: tuple[tuple[str, bool], ...] = Field((), exclude_if=lambda value: not value)
    came_from: str = Field("", exclude_if=lambda value: not value)
    left_to: str = Field("", exclude_if=lambda value: not value)
    left_out: tuple[LeftOutMessage, ...] = Field((), exclude_if=lambda value: not value)
    tools_off: tuple[str, ...] = Field((), exclude_if=lambda value: not value)
    admitted: tuple[UserId, ...] = Field((), exclude_if=lambda value: not value)
    is_admitted: bool = Field(False, exclude_if=lambda value: not value)

    @property
    def switches(self) -> dict[str, bool]:
        """Which skills people switched here, on or off; the others are as the configuration has them."""
        return dict(self.skills)


class ChannelSpeaker(NamedTuple):
    """A person's account in a message: its id, its name then, and the time (UTC ms)."""

    user_id: UserId
    name: str
    at: int


def speakers(messages: Sequence[Message]) -> tuple[ChannelSpeaker, ...]:
    """List who wrote messages to the bot, newest first, each account once."""
    found: dict[UserId, ChannelSpeaker] = {}
    for message in reversed(messages):
        author = message.author
        if author is None or author.kind is AuthorKind.SELF:
            continue
        if message.role is Role.USER and author.user_id not in found:
            found[author.user_id] = ChannelSpeaker(author.user_id, author.name, message.at)
    return tuple(found.values())


def resident_bytes(messages: Sequence[Message]) -> int:
    """Say about how much memory messages take that stay in it."""
    words = 4 * sum([message.quarter_bytes for message in messages])
    return words + _MESSAGE_BYTES * len(messages) + sum([len(i.data) for message in messages for i in message.images])


class Turn(FrozenModel):
    """One finished turn: ambient talk heard before it, the trigger, and everything up to the decision."""

    id: int
    messages: tuple[Message, ...]

    @kept
    def quarter_bytes(self) -> int:
        """The estimate of its tokens by the byte; every request of a long chat asks it of every turn."""
        return sum(message.quarter_bytes for message in self.messages)

    @kept
    def resident_bytes(self) -> int:
        """About how much memory it takes."""
        return resident_bytes(self.messages)

    @kept
    def speakers(self) -> tuple[ChannelSpeaker, ...]:
        """Who spoke in it, newest first."""
        return speakers(self.messages)

    @kept
    def has_images(self) -> bool:
        """Whether there is a picture in it."""
        return any(message.images for message in self.messages)

    @kept
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls that were made in it."""
        return tuple([call for message in self.messages for call in message.calls])

    @kept
    def quarter_bytes_of_calls(self) -> int:
        """The estimate of what its tool calls and their results take."""
        return sum(m.quarter_bytes for m in self.messages if m.role is Role.TOOL or m.calls)

    @kept
    def is_shortened(self) -> bool:
        """Whether something in it stands for other messages."""
        return any(message.summary is not None for message in self.messages)

    def lighten(self) -> None:
        """Let it and its messages take less memory."""
        super().lighten()
        for message in self.messages:
            message.lighten()


_MESSAGE_BYTES = 1400
"""What a message in memory takes besides its words (measured: 1,300 to 1,500 on CPython 3.11)."""


class RunningProcess(FrozenModel):
    """A branch or worker in flight: how many tools it has called, and the newest line of what it does."""

    id: str
    kind: ProcessKind
    task: str
    started: int
    calls: int = 0
    progress: str = ""


class FinishedProcess(FrozenModel):
    """A branch or worker that came back and was not spoken of yet. `row` is its number, `state` how it ended.

    `text` is what it found, shortened. `waits`: nothing else will tell of it, so the next turn has to.
    """

    id: str
    row: int
    kind: ProcessKind
    task: str
    state: str
    ended: int
    text: str
    waits: bool
    origins: WordOrigins | None = Field(None, exclude_if=lambda origins: origins is None)


class LastTurn(FrozenModel):
    """How the previous turn ended; shown in the next one's status block. `context_tokens` is that request's size.

    `is_full`: that request left turns out, or had hardly room for more. `lost_calls` are turns, oldest first, of whose
    tool calls some are on record and not in the history: their process died, or they were cut off.
    """

    outcome: str
    error: str = ""
    at: int = 0
    context_tokens: int = 0
    # left out where they say nothing, as in nearly every turn
    is_full: bool = Field(False, exclude_if=lambda is_full: not is_full)
    lost_calls: tuple[int, ...] = Field((), exclude_if=lambda lost_calls: not lost_calls)


class ChannelState(FrozenModel):
    """All that a conversation is; replaced, never edited. `epoch` counts resets."""

    agent: str
    id: ChannelId
    name: str
    place: ChannelPlace = ChannelPlace()
    settings: ChannelSettings = ChannelSettings()
    turns: tuple[Turn, ...] = ()
    ambient: tuple[Message, ...] = ()
    running: tuple[RunningProcess, ...] = ()
    finished: tuple[FinishedProcess, ...] = ()
    last: LastTurn | None = None
    epoch: int = 0

    @property
    def key(self) -> ChannelKey:
        """What registries and tables know this conversation by."""
        return ChannelKey(self.agent, self.id)  # type: ignore[arg-type]

    @property
    def resident_bytes(self) -> int:
        """About how much memory its history takes."""
        return sum([turn.resident_bytes for turn in self.turns]) + resident_bytes(self.ambient)

    @property
    def history(self) -> tuple[Message, ...]:
        """Every message before the next trigger, oldest first."""
        return tuple(m for turn in self.turns for m in turn.messages) + self.ambient


class AmbientHeard(FrozenModel):
    """Group talk that was not addressed to the bot; the newest `keep` are kept until a turn takes them up."""

    message: Message
    keep: int


class TurnFinished(FrozenModel):
    """A turn ended. Its messages (trigger first) become history; an empty tuple leaves history as it was."""

    turn_id: int
    messages: tuple[Message, ...]
    last: LastTurn


class SettingsChanged(FrozenModel):
    """Somebody changed mode, pause or model."""

    settings: ChannelSettings


class ChannelReset(FrozenModel):
    """The conversation starts anew; nothing before it is sent again."""


class MessageEdited(FrozenModel):
    """A message in the history or the ambient talk was edited or deleted; `message` is its new form."""

    message: Message


class TurnsCompacted(FrozenModel):
    """Some turns gave way to others: a compaction, or its undoing, which is the same the other way round.

    `taken` are the ids of turns that follow each other; where they do not stand so any more, nothing changes.
    """

    taken: tuple[int, ...]
    turns: tuple[Turn, ...]


class ProcessStarted(FrozenModel):
    """A branch or worker left, or has come further."""

    process: RunningProcess


class ProcessEnded(FrozenModel):
    """A branch or worker came back; with nothing `finished`, nobody is to be told."""

    process_id: str
    finished: FinishedProcess | None = None


class ResultsRead(FrozenModel):
    """A turn has spoken of what came back, by number; of `unsaid` it was to speak, and did not."""

    rows: tuple[int, ...]
    unsaid: tuple[int, ...] = ()


ProcessEvent = ProcessStarted | ProcessEnded | ResultsRead
ChannelEvent = (
    AmbientHeard | TurnFinished | SettingsChanged | ChannelReset | MessageEdited | TurnsCompacted | ProcessEvent
)


def apply(state: ChannelState, event: ChannelEvent) -> ChannelState:
    """Return the state after `event`."""
    match event:
        case AmbientHeard(message=message, keep=keep):
            message.lighten()
            heard = (*state.ambient, message)
            return _with(state, ambient=heard[max(0, len(heard) - keep) :])
        case TurnFinished():
            return _finish(state, event)
        case SettingsChanged(settings=settings):
            return _with(state, settings=settings)
        case ChannelReset():
            return _with(state, turns=(), ambient=(), epoch=state.epoch + 1, last=None)
        case MessageEdited(message=message):
            return _edit(state, message)
        case TurnsCompacted():
            return _compact(state, event)
        case ProcessStarted() | ProcessEnded() | ResultsRead():
            return _work(state, event)
        case _:
            assert_never(event)


def _with(state: ChannelState, **changes: object) -> ChannelState:
    # model_copy, not replace: every value comes from a validated event, and history must not be walked again
    return state.model_copy(update=changes)


def _work(state: ChannelState, event: ProcessEvent) -> ChannelState:
    """Follow what runs and what came back; hearing of it twice changes nothing."""
    match event:
        case ProcessStarted(process=process):
            known = [one.id for one in state.running]
            if process.id not in known:
                return _with(state, running=(*state.running, process))
            at = known.index(process.id)
            return _with(state, running=(*state.running[:at], process, *state.running[at + 1 :]))
        case ProcessEnded(process_id=gone, finished=finished):
            running = tuple(process for process in state.running if process.id != gone)
            others = tuple(one for one in state.finished if one.id != gone)
            return _with(state, running=running, finished=(*others, finished) if finished else others)
        case ResultsRead(rows=rows, unsaid=unsaid):
            left = (one for one in state.finished if one.row not in rows)
            waiting = tuple(one.model_copy(update={"waits": True}) if one.row in unsaid else one for one in left)
            return _with(state, finished=waiting)
        case _:
            assert_never(event)


def _finish(state: ChannelState, event: TurnFinished) -> ChannelState:
    if not event.messages:
        return _with(state, last=event.last)
    turn = Turn(id=event.turn_id, messages=(*state.ambient, *event.messages))
    turn.lighten()
    return _with(state, turns=(*state.turns, turn), ambient=(), last=event.last)


def _edit(state: ChannelState, new: Message) -> ChannelState:
    def swap(messages: tuple[Message, ...]) -> tuple[Message, ...]:
        return tuple(new if m.inbound == new.inbound and m.inbound else m for m in messages)

    # not model_copy: it would carry cached numbers of the old words along
    turns = tuple(
        turn if (swapped := swap(turn.messages)) == turn.messages else Turn(id=turn.id, messages=swapped)
        for turn in state.turns
    )
    return _with(state, turns=turns, ambient=swap(state.ambient))


def _compact(state: ChannelState, event: TurnsCompacted) -> ChannelState:
    ids = tuple(turn.id for turn in state.turns)
    found = (at for at in range(len(ids)) if ids[at : at + len(event.taken)] == event.taken)
    at = next(found, None) if event.taken else None
    if at is None:
        return state
    turns = (*state.turns[:at], *event.turns, *state.turns[at + len(event.taken) :])
    return _with(state, turns=turns)
