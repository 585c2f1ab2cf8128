"""What a trace viewer is shown: records as they are committed, from which spans are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from bot.domain.finding import Diagnosis
from bot.domain.messages import Receipt
from bot.domain.process import StoredProcess
from bot.domain.revisions import ChangedBy, RevisionCause
from bot.domain.turn import AttemptRecord, RequestRecord, ToolCallRecord, TurnEnd, TurnStart
from bot.ports.metrics import NO_METRICS, Metrics


class SentChunk(NamedTuple):
    """A part of a message that its platform took: its row, what it belongs to, when it was written (UTC ms), and the
    platform's word.
    """

    row: int
    kind: str
    part: int
    agent: str
    channel: str
    inbound: int
    turn: int
    created_at: int
    attempts: int
    receipt: Receipt


class ChangedMemory(NamedTuple):
    """A memory that is not what it was: since when (UTC ms), why, by whom, and its words where it is new."""

    row: int
    agent: str
    at: int
    cause: RevisionCause
    by: ChangedBy
    words: str | None = None


class TraceHealth(NamedTuple):
    """Whether spans are taken and by whom: why not (empty: they are), since when (UTC ms), and how many were left out
    since the start.
    """

    host: str
    fault: str = ""
    since: int = 0
    dropped: int = 0


class Traces(Protocol):
    """Is told of every record once it is committed, on whatever thread that was; returns without waiting."""

    def began(self, turn: int, start: TurnStart) -> None:
        """Take in that a turn began."""

    def requested(self, row: int, record: RequestRecord) -> None:
        """Take in what a model is about to be asked."""

    def attempted(self, attempt: AttemptRecord) -> None:
        """Take in what came back."""

    def called(self, turn: int, rows: Sequence[int], calls: Sequence[ToolCallRecord]) -> None:
        """Take in tool calls of a turn; those that go on are told again when they are over."""

    def ended(self, end: TurnEnd, start: TurnStart) -> None:
        """Take in that a turn ended; it may have begun in an earlier process."""

    def finished(self, process: StoredProcess) -> None:
        """Take in that a branch or a worker is over."""

    def sent(self, chunk: SentChunk) -> None:
        """Take in that a platform took a message."""

    def remembered(self, memory: ChangedMemory) -> None:
        """Take in that a memory was made, or is another now."""

    def found(self, diagnosis: Diagnosis) -> None:
        """Take in what an admin was told of a message."""


class NoTraces:
    """Implements it where nobody looks."""

    def began(self, turn: int, start: TurnStart) -> None:
        """Let it pass."""

    def requested(self, row: int, record: RequestRecord) -> None:
        """Let it pass."""

    def attempted(self, attempt: AttemptRecord) -> None:
        """Let it pass."""

    def called(self, turn: int, rows: Sequence[int], calls: Sequence[ToolCallRecord]) -> None:
        """Let it pass."""

    def ended(self, end: TurnEnd, start: TurnStart) -> None:
        """Let it pass."""

    def finished(self, process: StoredProcess) -> None:
        """Let it pass."""

    def sent(self, chunk: SentChunk) -> None:
        """Let it pass."""

    def remembered(self, memory: ChangedMemory) -> None:
        """Let it pass."""

    def found(self, diagnosis: Diagnosis) -> None:
        """Let it pass."""


NO_TRACES: Traces = NoTraces()


class RecordWatchers(NamedTuple):
    """Who is told of records once they are committed."""

    metrics: Metrics = NO_METRICS
    traces: Traces = NO_TRACES


NO_WATCHERS = RecordWatchers()


class TracesExporter(Traces, Protocol):
    """Makes spans, and hands them to whoever collects them."""

    def begin(self, key: bytes) -> None:
        """Name traces by the key of the data directory from now on, so that no two bots have one name."""

    def know_tools(self, is_known: Callable[[str], bool]) -> None:
        """Name tools by what is known alone: any other name is a word that a model made up."""

    async def run(self) -> None:
        """Hand spans over until cancelled."""

    async def close(self) -> None:
        """Hand over what is left, for a moment at most."""

    def health(self) -> TraceHealth:
        """Say whether spans are taken."""
