"""Take back files that were sent into a private chat, a day later, where the platform lets a message be taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot.domain.turn import StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.messaging.delivery.retry_policy import code_of
from bot.ports.journal import SentFiles
from bot.ports.platform import Platform

log = structlog.get_logger(__name__)

EXPIRY_HOURS = 24
_HOUR_MS = 3_600_000
_GIVE_UP_MS = 72 * _HOUR_MS
"""Telegram takes nothing back after 48 h; what could not be reached for so long is let be."""
_FILES_A_LOOK = 100


@dataclass(frozen=True)
class FileExpiry:
    """What is needed for it. Nothing here waits for a channel, and nothing is asked of a platform twice in a pass."""

    sent: SentFiles
    platforms: Mapping[str, Platform]
    data_dir: Path

    async def run(self, now: int) -> int:
        """Take back what had its time; return how many went. What cannot be taken back now is tried again later."""
        gone = 0
        for row in await self.sent.before(now - EXPIRY_HOURS * _HOUR_MS, _FILES_A_LOOK):
            became = await self._take_back(row, now)
            if became:
                await self.sent.ended(row.row, became)
                await asyncio.to_thread(self._remove_copy, row)
            gone += became == _TAKEN
        return gone

    async def _take_back(self, row: StoredOutbox, now: int) -> str:
        """Return what became of it; empty while it is still to be tried."""
        platform = self.platforms.get(row.body.to.platform)
        is_old = now - row.created_at > _GIVE_UP_MS
        if platform is None or row.receipt is None:
            return "stays: its platform is not connected" if is_old else ""
        if not platform.capabilities.takes_back:
            return "stays: nothing can be taken back there"
        try:
            await platform.retract(row.body.to.channel, row.receipt.message_id)
        except DeliveryError as error:
            code = code_of(error)
            log.info("file_not_taken_back", channel=row.body.to.channel, code=code)
            return f"stays: {code}" if error.permanent or is_old else ""
        except Exception as error:  # noqa: BLE001 - one message that an adapter stumbles over must not keep the others
            log.error("file_not_taken_back", channel=row.body.to.channel, error_type=type(error).__name__)
            return "stays: the adapter failed" if is_old else ""
        return _TAKEN

    def _remove_copy(self, row: StoredOutbox) -> None:
        """Remove what was kept only to be sent; an export stays where it was written."""
        path = Path(row.body.file.path) if row.body.file else None
        if path is not None and path.parent == self.data_dir / FOLDER:
            with suppress(OSError):
                path.unlink(missing_ok=True)


_TAKEN = "taken back"
