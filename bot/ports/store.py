"""The data directory as a whole."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

from bot.domain.base import FrozenModel
from bot.domain.health import ChannelProcess, Heartbeat, ListenerHealth, ProbeResult
from bot.domain.ids import ChannelId
from bot.errors import DamagedRow
from bot.ports.backups import BackUp
from bot.ports.bookkeeping import (
    CheckStore,
    ChoiceStore,
    ErasureStore,
    LessonStore,
    OptOutStore,
    OutlineStore,
    StartLog,
)
from bot.ports.channels import ChannelStore
from bot.ports.checkpoints import CheckpointStore
from bot.ports.compactions import CompactionStore
from bot.ports.embeddings import VectorStore
from bot.ports.governance import AuditTrail, InvitationStore, OfferStore, SessionStore
from bot.ports.journal import Journal, Outbox, PreviewStore, SentFiles
from bot.ports.ledger import Ledger
from bot.ports.memories import HistorySearch, MemoryArchive, MemoryAuditStore, MemoryStore, SpreadStore
from bot.ports.meter import UsageMeter
from bot.ports.metrics import Backlog
from bot.ports.processes import ProcessStore
from bot.ports.relay import Relay
from bot.ports.revisions import RevisionLog


class RetentionPolicy(FrozenModel):
    """How long things are kept: milliseconds, 0 for ever. Wiped text leaves hash and metadata."""

    ambient_ms: int
    messages_ms: int
    requests_ms: int
    records_ms: int
    audit_ms: int
    forgotten_ms: int
    journal_bytes: int = 0
    """How much recorded requests may take beside what conversations hold; 0: no limit."""
    backups_ms: int = 0
    """How long a daily copy is kept; 0: none is made."""
    versions_ms: int = 0
    """How long versions of memories, settings and summaries are kept; the newest of each always is."""

    @property
    def copies_ms(self) -> int:
        """How long any copy of the database may be kept: no longer than the shortest-lived thing that it holds.

        Forgotten text is the exception: it is kept for so short a time that no copy would be left to restore.
        """
        others = (self.ambient_ms, self.messages_ms, self.requests_ms, self.records_ms, self.audit_ms, self.versions_ms)
        return min((span for span in (*others, self.backups_ms) if span), default=0)


class Store(Protocol):
    """One open store, in parts. Readers see only what is committed."""

    ledger: Ledger
    channels: ChannelStore
    journal: Journal
    compactions: CompactionStore
    processes: ProcessStore
    meter: UsageMeter
    outbox: Outbox
    previews: PreviewStore
    sent_files: SentFiles
    memories: MemoryStore
    memory_audit: MemoryAuditStore
    memory_archive: MemoryArchive
    vectors: VectorStore
    spread: SpreadStore
    history: HistorySearch
    sessions: SessionStore
    offers: OfferStore
    invitations: InvitationStore
    audit: AuditTrail
    revisions: RevisionLog
    checkpoints: CheckpointStore
    outlines: OutlineStore
    erasures: ErasureStore
    opt_outs: OptOutStore
    zones: ChoiceStore
    languages: ChoiceStore
    starts: StartLog
    lessons: LessonStore
    checks: CheckStore
    relay: Relay | None
    """The way to the other processes that share the store; None where there can be none."""
    secret_key: bytes
    """The HMAC key of this data directory (`secret.key`, 0600, made on first start)."""
    instance: str
    """Two base-32 characters that begin every outbox nonce of this data directory."""

    @property
    def damaged(self) -> Sequence[DamagedRow]:
        """The rows that were found damaged since the start, in the order in which they were met; none is used.

        What reads many goes on without them; what asks for one gets DamagedRow.
        """

    async def beat(self, heartbeat: Heartbeat) -> None:
        """Keep a sign of life; the newest replaces the one before."""

    async def heartbeat(self) -> Heartbeat | None:
        """Return the last sign of life, of this or an earlier process."""

    async def heard_by_listener(self, heard: ListenerHealth) -> None:
        """Keep how the process that listens on a platform finds it, in the place of what it said before."""

    async def listeners(self) -> Sequence[ListenerHealth]:
        """Return how platforms were found by processes that listen for others."""

    async def process_of(self, channel: ChannelId) -> ChannelProcess | None:
        """Return which of several processes has a channel, living or not; None where nobody has it and nothing waits.

        Of a channel that nobody has, and for which something waits, the process has no name.
        """

    async def ledger_version(self) -> Hashable:
        """Return what is another whenever a message came or went on, work began or ended, or something was sent."""

    async def erasure_version(self) -> Hashable:
        """Return what is another whenever somebody's words are taken out, or requests lose theirs."""

    async def sweep(self, retention: RetentionPolicy, now: int) -> dict[str, int]:
        """Wipe what is too old; return counts by kind."""

    async def back_up(self, retention: RetentionPolicy, now: int) -> BackUp:
        """Make the daily copy when it is due, check it, then remove copies that are too old.

        Neither writers nor the event loop wait for it. A copy that cannot be made is an answer, not an exception.
        """

    def has_room(self) -> bool:
        """Whether free space is above the low-water mark; below it nothing new is taken in."""

    async def backlog(self) -> Backlog:
        """Say how much is still to be sent, and since when the oldest message waits for its outcome."""

    async def probe(self) -> Sequence[ProbeResult]:
        """Check integrity, row hashes, free space, schema; never raise."""

    async def look_over(self, seconds: float) -> None:
        """Look for damage in a part of everything for so long, without making anybody wait.

        The next call goes on from there, also after a new start. When all was looked at the next look begins some hours
        later; `probe` says when that was, and how far the next one is.
        """

    async def close(self) -> None:
        """Finish what is queued, checkpoint, release the lock."""
