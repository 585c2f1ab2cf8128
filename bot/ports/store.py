"""The data directory as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.base import Frozen
from bot.domain.health import Heartbeat, Probe
from bot.ports.channels import Channels
from bot.ports.governance import AuditTrail, Offers, Sessions
from bot.ports.journal import Journal, Outbox
from bot.ports.ledger import Ledger
from bot.ports.memories import History, Memories
from bot.ports.meter import Meter


class Retention(Frozen):
    """How long things are kept: milliseconds, 0 for ever. Wiped text leaves hash and metadata."""

    ambient_ms: int
    messages_ms: int
    requests_ms: int
    records_ms: int
    audit_ms: int
    forgotten_ms: int


class Store(Protocol):
    """One open store, in parts. Readers see only what is committed."""

    ledger: Ledger
    channels: Channels
    journal: Journal
    meter: Meter
    outbox: Outbox
    memories: Memories
    history: History
    sessions: Sessions
    offers: Offers
    audit: AuditTrail
    secret_key: bytes
    """The HMAC key of this data directory (`secret.key`, 0600, made on first start)."""
    instance: str
    """Two base-32 characters that begin every outbox nonce of this data directory."""

    async def beat(self, heartbeat: Heartbeat) -> None:
        """Keep a sign of life; the newest replaces the one before."""

    async def heartbeat(self) -> Heartbeat | None:
        """Return the last sign of life, of this or an earlier process."""

    async def sweep(self, retention: Retention, now: int) -> dict[str, int]:
        """Wipe what is too old; return counts by kind."""

    def has_room(self) -> bool:
        """Whether free space is above the low-water mark; below it nothing new is taken in."""

    async def probe(self) -> Sequence[Probe]:
        """Check integrity, row hashes, free space, schema; never raise."""

    async def close(self) -> None:
        """Finish what is queued, checkpoint, release the lock."""
