"""Previews that are kept in a list, with everything that was noted about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.ledger import StageRow
from bot.domain.messages import Receipt
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox


@dataclass
class FakePreviews:
    """Implements `bot.ports.journal.PreviewStore`."""

    rows: list[StoredOutbox] = field(default_factory=list)
    stages: list[StageRow] = field(default_factory=list)

    async def begin(self, body: NewOutbox, stages: Sequence[StageRow], at: int) -> int:
        row, state = len(self.rows) + 1, OutboxState.SENDING
        self.rows.append(StoredOutbox(row=row, nonce=f"n{row}", body=body, state=state, created_at=at))
        self.stages += stages
        return row

    async def shown(self, row: int, message_id: str) -> None:
        self._change(row, receipt=Receipt(message_id=message_id, at=0))

    async def refused(self, row: int, error: str, stages: Sequence[StageRow]) -> None:
        self._change(row, error=error)
        self.stages += stages

    async def ended(self, row: int, why: str, stages: Sequence[StageRow]) -> None:
        self._change(row, state=OutboxState.DEAD, error=why)
        self.stages += stages

    async def left(self) -> Sequence[StoredOutbox]:
        return [row for row in self.rows if row.state is OutboxState.SENDING]

    def _change(self, row: int, **changes: object) -> None:
        if self.rows[row - 1].state is OutboxState.SENDING:
            self.rows[row - 1] = self.rows[row - 1].model_copy(update=changes)
