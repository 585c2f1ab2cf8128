"""Branches and workers at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.handles import Handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.process import NewProcess, ProcessEnd, StoredProcess
from bot.domain.turn import NewOutbox, StoredOutbox


class ProcessStore(Protocol):
    """What is kept of branches and workers. A terminal state is written once, and never without its result."""

    async def begin(self, new: NewProcess, at: int) -> StoredProcess:
        """Keep a process that begins."""

    async def note(self, row: int, turn: int, segment: int, progress: str, calls: int) -> StoredProcess | None:
        """Note how far a running one has come; None, and nothing changes, where it is over."""

    async def end(self, end: ProcessEnd) -> tuple[StoredProcess, StoredInbound | None] | None:
        """Commit a terminal state, the end of its turn and the result's arrival, in ONE transaction.

        None, and nothing changes, where it is over or at another version. Without an inbound the result waits.
        """

    async def get(self, row: int) -> StoredProcess | None:
        """Return a process by its row."""

    async def by_handle(self, handle: Handle) -> StoredProcess | None:
        """Return the newest one of a handle's slot."""

    async def of_channel(self, key: ChannelKey, limit: int, *, running_only: bool = False) -> Sequence[StoredProcess]:
        """Return the newest ones of a channel, newest first."""

    async def of_inbound(self, inbound: int) -> Sequence[StoredProcess]:
        """Return every one that goes back to a message, oldest first."""

    async def running(self) -> Sequence[StoredProcess]:
        """Return every one that is not over, oldest first."""

    async def unrelayed(self) -> Sequence[StoredProcess]:
        """Return every one that is over and whose result no turn of its channel has read, oldest first."""

    async def relayed(self, rows: Sequence[int], at: int) -> None:
        """Note that results were read, for those who read them outside a turn of the channel."""

    async def mark_told(self, row: int, outbox: Sequence[NewOutbox], at: int) -> Sequence[StoredOutbox] | None:
        """Keep what tells somebody of a result, and that they are told, in ONE transaction; None where they were."""

    async def put_back(self, rows: Sequence[int]) -> None:
        """Let results wait for the next turn of their channel: what was to be said of them came to nothing."""
