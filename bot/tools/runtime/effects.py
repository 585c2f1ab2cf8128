"""What tools did, or want done at the end of the turn: one append-only list, read back in the model's order."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar

from bot.domain.memory import NewMemory
from bot.domain.process import ProcessArtifact
from bot.domain.turn import ToolCallRecord
from bot.text.silencing import Directive

SkipCategory = Literal["not_for_me", "nothing_to_add", "instructed", "declined"]


class SentMessage(NamedTuple):
    """A message that went out in the middle of a turn. `certain` is False when it may or may not have arrived.

    `waits`: it goes out once its platform can be reached, and has its outcome then.
    """

    text: str
    message_ids: tuple[str, ...]
    certain: bool = True
    waits: bool = False


class SendingMessage(NamedTuple):
    """A message is on its way: calls of one round run side by side, and one must see what the others are about."""

    text: str


class RefusedMessage(NamedTuple):
    """The platform refused such a message; nobody has seen it."""

    text: str


class SkippedTurn(NamedTuple):
    """The model decided to say nothing."""

    reason: str
    category: SkipCategory


class AddedReaction(NamedTuple):
    """A reaction stands under the message."""

    emoji: str


class SavedMemory(NamedTuple):
    """A memory to be stored with the turn; `silences` when it orders the bot to be silent."""

    memory: NewMemory
    silences: Directive | None = None

    @property
    def is_flagged(self) -> bool:
        """Whether admins and moderators hear of it at once."""
        return self.silences is not None or bool(self.memory.treatment)


class ConfirmedMemory(NamedTuple):
    """Something that is remembered was said once more; counted with the turn."""

    memory: int


class RetractedPreference(NamedTuple):
    """Somebody takes back what they like: this memory, as it is at this version, is forgotten when the turn ends."""

    memory: int
    version: int


class ReadMemories(NamedTuple):
    """Memories that were read."""

    rows: tuple[int, ...]


class RecordedCall(NamedTuple):
    """The record of a call, when it is over or went on in the background; of two with one place the newer holds."""

    record: ToolCallRecord


class StoredCalls(NamedTuple):
    """Records that are kept now: the place of each call in the turn, and its row."""

    rows: tuple[tuple[int, int], ...]


class BlockingCall(NamedTuple):
    """A call that held up everything else: the whole process waited for one step of it."""

    tool: str
    ms: float


class PluginCall(NamedTuple):
    """A call of a tool that a plugin brought: its name and version."""

    origin: str


class RequestedTools(NamedTuple):
    """Tools that were asked for; they are offered from the next round on."""

    names: tuple[str, ...]


class MergedTools(NamedTuple):
    """Tools that were asked for and are offered now."""

    names: tuple[str, ...]


class ExtendedRounds(NamedTuple):
    """More rounds for this turn."""

    rounds: int


class SentFile(NamedTuple):
    """A file that went out in the middle of a turn; the model finds it in its history."""

    data: bytes
    filename: str
    mimetype: str
    file_url: str = ""
    message_id: str = ""


class SentRich(NamedTuple):
    """A message whose looks are more than its words, such as an embed; `text` is what the model reads of it."""

    text: str
    message_id: str = ""


class DisclosedSkill(NamedTuple):
    """A skill whose text the model was given in this turn."""

    skill_id: str


class ConcludedWork(NamedTuple):
    """A worker handed in its result."""

    outcome: Literal["done", "partial", "failed"]
    result: str
    artifacts: tuple[ProcessArtifact, ...] = ()


class ProposedForgetting(NamedTuple):
    """Somebody is to be asked whether a memory should be forgotten, as it is at this version."""

    memory: int
    version: int
    reason: str


class SuggestedMemory(NamedTuple):
    """Somebody is to be asked whether something should be remembered."""

    memory: NewMemory


class SuggestedReload(NamedTuple):
    """An admin is to be asked whether tools, skills and MCP servers should be looked at again."""


class SuggestedWork(NamedTuple):
    """An admin is to be asked whether a worker should do something."""

    task: str
    name: str
    files: tuple[str, ...]


Effect = (
    SentMessage
    | SendingMessage
    | RefusedMessage
    | SkippedTurn
    | AddedReaction
    | SavedMemory
    | ConfirmedMemory
    | RetractedPreference
    | ReadMemories
    | RecordedCall
    | StoredCalls
    | BlockingCall
    | PluginCall
    | RequestedTools
    | MergedTools
    | ExtendedRounds
    | SentFile
    | SentRich
    | DisclosedSkill
    | ConcludedWork
    | ProposedForgetting
    | SuggestedMemory
    | SuggestedReload
    | SuggestedWork
)
"""Add a kind: one line here."""
E = TypeVar("E", bound=Effect)


class _Log:
    """What the calls of a turn share: the entries, and whether it still takes any."""

    __slots__ = ("entries", "sealed")

    def __init__(self) -> None:
        self.entries: list[tuple[int, Effect]] = []
        self.sealed = False


class TurnEffects:
    """The write-back list of a turn. Calls share it; each writes under its own place in the model's order.

    Once the turn is over, or a call of it, what still comes is left out: nobody reads it any more.
    """

    def __init__(self, log: _Log | None = None, order: int = 0) -> None:
        self._log = _Log() if log is None else log
        self._order = order
        self._sealed = False

    def at(self, order: int) -> TurnEffects:
        """Return the same list, written to under another place."""
        return TurnEffects(self._log, order)

    def add(self, effect: Effect) -> None:
        """Append; nothing is ever changed or taken away."""
        if not (self._sealed or self._log.sealed):
            self._log.entries.append((self._order, effect))

    def seal(self) -> None:
        """Take nothing more through this place; others go on."""
        self._sealed = True

    def close(self) -> None:
        """Take nothing more at all: the turn is over."""
        self._log.sealed = True

    def of(self, kind: type[E]) -> tuple[E, ...]:
        """Return the effects of one kind, in the order in which the model made the calls."""
        found = [(order, effect) for order, effect in self._log.entries if isinstance(effect, kind)]
        # most turns call nothing
        return tuple(effect for _, effect in sorted(found, key=lambda entry: entry[0])) if found else ()

    @property
    def records(self) -> tuple[ToolCallRecord, ...]:
        """The newest record of every call that has one, in the model's order; with its row once it is kept."""
        if not self._log.entries:
            return ()
        newest = {called.record.order_index: called.record for called in self._in_time(RecordedCall)}
        for order, row in (pair for stored in self._in_time(StoredCalls) for pair in stored.rows):
            if order in newest and not newest[order].record_id:
                newest[order] = newest[order].model_copy(update={"record_id": row})
        return tuple(newest[order] for order in sorted(newest))

    @property
    def tools_executed(self) -> tuple[str, ...]:
        """The names of the tools that were called, each once, in the order in which the model first did."""
        return tuple(dict.fromkeys(record.tool_name for record in self.records))

    @property
    def sent(self) -> tuple[SentFile | SentRich, ...]:
        """What went out beside words, in the order in which it did."""
        return tuple(effect for _, effect in self._log.entries if isinstance(effect, SentFile | SentRich))

    @property
    def blocked(self) -> dict[int, float]:
        """For how many milliseconds a call held up everything else, by its place; the longest step of each counts."""
        found: dict[int, float] = {}
        for order, effect in self._log.entries:
            if isinstance(effect, BlockingCall):
                found[order] = max(found.get(order, 0.0), effect.ms)
        return found

    @property
    def origins(self) -> dict[int, str]:
        """The plugins whose tools were called, by the place of the call."""
        return {order: effect.origin for order, effect in self._log.entries if isinstance(effect, PluginCall)}

    @property
    def injected(self) -> tuple[str, ...]:
        """The tools that were added to this turn so far."""
        return tuple(dict.fromkeys(name for merged in self._in_time(MergedTools) for name in merged.names))

    @property
    def staged(self) -> tuple[str, ...]:
        """The tools that were asked for in this round; they are offered from the next one on."""
        asked = dict.fromkeys(name for wish in self.of(RequestedTools) for name in wish.names)
        return tuple(name for name in asked if name not in self.injected)

    def _in_time(self, kind: type[E]) -> list[E]:
        """Return the effects of one kind in the order in which they came."""
        return [effect for _, effect in self._log.entries if isinstance(effect, kind)]
