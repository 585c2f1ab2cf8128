"""Put the records of a turn's tool calls in store: after each round, and of a call that goes on while it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.ids import ChannelKey
from bot.domain.turn import ToolCallRecord
from bot.ports.journal import Journal


@dataclass(frozen=True, slots=True)
class CallRecords:
    """Implements `bot.tools.runtime.background_tasks.CallRecorder`.

    Without `words` what is kept is what was called, and how it went.
    """

    journal: Journal
    key: ChannelKey
    turn: int
    words: bool

    async def keep_all(self, records: Sequence[ToolCallRecord]) -> Sequence[int]:
        """Keep a round's records; return their rows."""
        return await self.journal.record_calls(self.key, self.turn, [self._kept(record) for record in records])

    async def keep(self, record: ToolCallRecord) -> int:
        """Keep the record of a call that goes on; return its row."""
        (row,) = await self.keep_all([record])
        return row

    async def amend(self, record: ToolCallRecord) -> None:
        """Put what came of a call in its place."""
        await self.journal.amend_call(self._kept(record))

    def _kept(self, record: ToolCallRecord) -> ToolCallRecord:
        # model_copy: less of a value that is checked already
        return record if self.words else record.model_copy(update={"raw_arguments_json": "", "result_output": ""})
