"""What was changed of what the bot knows and how it behaves: every version, and who made it."""

from __future__ import annotations

from enum import StrEnum

from bot.domain.base import FrozenModel, kept
from bot.domain.channel import ChannelSettings
from bot.domain.ids import AgentId, UserId
from bot.domain.memory import NewMemory

NOBODY = UserId("")


class RevisionKind(StrEnum):
    """What was changed."""

    MEMORY = "memory"
    SETTINGS = "settings"
    SUMMARY = "summary"


class RevisionCause(StrEnum):
    """What happened to it.

    `found`: it was there when keeping versions began. `evicted`: it was forgotten because its channel holds no more.
    `wiped`: its words went with their age, `erased`: a person was forgotten. `moved`: its channel has another id, or
    another agent. `merged`: one memory stands for several that say the same, `split`: not any more. Of summaries:
    `summarised`, `undone`, `stands`
    again.
    """

    FOUND = "found"
    SAVED = "saved"
    CONFIRMED = "confirmed"
    FORGOTTEN = "forgotten"
    EVICTED = "evicted"
    RESTORED = "restored"
    WIPED = "wiped"
    ERASED = "erased"
    MOVED = "moved"
    MERGED = "merged"
    SPLIT = "split"
    IMPORTED = "imported"
    SET = "set"
    SUMMARISED = "summarised"
    UNDONE = "undone"
    STANDS = "stands"
    ROLLED_BACK = "rolled back"


class ChangedBy(FrozenModel):
    """Who changed it, by which message, in which turn, and which kind of process did it; empty or 0: none.

    Nobody did what the program did by itself, or for somebody who was forgotten.
    """

    platform: str = ""
    actor: UserId = NOBODY
    process: str = ""
    inbound: int = 0
    turn: int = 0


BY_ITSELF = ChangedBy()
"""What nobody did: the program by itself, or somebody who was forgotten since."""


class MemoryState(FrozenModel):
    """A memory without its words and without names. `wiped`: its words are gone for good."""

    body: NewMemory
    forgotten_at: int = 0
    wiped: bool = False


class SummaryState(FrozenModel):
    """Whether a summary stands in its conversation."""

    stands: bool


class Revision(FrozenModel):
    """A version of something. `state` is what it was from then on (JSON), None where the person is forgotten."""

    id: int
    agent: AgentId
    kind: RevisionKind
    subject: int
    number: int
    at: int
    cause: RevisionCause
    by: ChangedBy
    state: str | None
    words: str | None

    @kept
    def memory(self) -> MemoryState | None:
        """What a memory was from then on."""
        return None if self.state is None else MemoryState.model_validate_json(self.state)

    @kept
    def settings(self) -> ChannelSettings | None:
        """What was set for a channel from then on."""
        if self.state is None:
            return None
        bare = ChannelSettings.model_validate_json(self.state)
        if bare.pause is None or not self.words:
            return bare
        return bare.replace(pause=bare.pause.replace(reason=self.words))

    @property
    def stands(self) -> bool:
        """Whether a summary stood from then on."""
        return self.state is not None and SummaryState.model_validate_json(self.state).stands


def memory_state(body: NewMemory, forgotten_at: int, *, wiped: bool) -> str:
    """Write down what a memory is, without words and names."""
    said = body.provenance
    if said.author_name:
        said = said.model_copy(update={"author_name": ""})
    if said.imported is not None:
        said = said.model_copy(update={"imported": said.imported.without_past})
    bare = body.model_copy(update={"content": "", "provenance": said, "relations": ()})
    return MemoryState.model_construct(body=bare, forgotten_at=forgotten_at, wiped=wiped).model_dump_json(
        exclude_defaults=True
    )


def settings_state(settings: ChannelSettings) -> tuple[str, str | None]:
    """Write down what is set for a channel, and apart from it the words that somebody gave as the reason of a pause."""
    pause = settings.pause
    if pause is None or not pause.reason:
        return settings.model_dump_json(), None
    return settings.replace(pause=pause.replace(reason="")).model_dump_json(), pause.reason


def summary_state(*, stands: bool) -> str:
    """Write down whether a summary stands."""
    return SummaryState(stands=stands).model_dump_json()
