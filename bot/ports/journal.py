"""The content-addressed record of turns, requests, answers and tool calls."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from bot.domain.channel import ProcessKind
from bot.domain.embedding import EmbeddingRecord
from bot.domain.finding import NewAudit
from bot.domain.handles import Handle
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import Settlement, StageRow
from bot.domain.llm import TokenUsage
from bot.domain.messages import Receipt
from bot.domain.record_access import RecordOwner
from bot.domain.turn import (
    AttemptRecord,
    CallParts,
    CallQuery,
    NewOutbox,
    RequestRecord,
    StoredOutbox,
    StoredRequest,
    StoredTurn,
    ToolCallRecord,
    TurnEnd,
    TurnStart,
)


class CallLog(Protocol):
    """What tools were called for, and what came of it."""

    async def calls_of_turn(self, turn: int) -> Sequence[ToolCallRecord]:
        """Return a turn's tool calls, in model order."""

    async def call_by_handle(self, handle: Handle) -> ToolCallRecord | None:
        """Return the newest tool call of a handle's slot."""

    async def asked_for_tools(self, turn: int) -> bool:
        """Say whether a model asked for a tool in a turn, whatever came of it."""

    async def parts(self, key: ChannelKey, first: int, broken: Sequence[int], limit: int) -> CallParts:
        """Return what is on record of the calls of a channel's own turns from turn `first` on.

        At most `limit` parts, newest first. Calls that the process of a `broken` turn died in are among them; those of
        a turn that still runs are not.
        """

    async def logged(self, query: CallQuery) -> Sequence[ToolCallRecord]:
        """Return the records that a query names, newest first.

        What does not exist is not there, and neither is what `record_access.may_read` refuses.
        """


class CallBook(CallLog, Protocol):
    """Where tool calls are put on record."""

    async def record_calls(self, key: ChannelKey, turn: int, calls: Sequence[ToolCallRecord]) -> Sequence[int]:
        """Keep a round's tool calls; return their numbers."""

    async def amend_call(self, record: ToolCallRecord) -> None:
        """Put what came of a call that went on in the place of its record (`record_id`); one that is gone stays so."""

    async def lose_calls(self, at: int, channels: Collection[ChannelId] | None = None) -> int:
        """Say of calls that were going on when their process died that nobody knows what came of them; count them.

        With `channels`, of those alone that were made from one of them, as for `CheckpointStore.interrupt`.
        """


class RequestBook(Protocol):
    """Where requests are put on record, and what came back."""

    async def record_request(self, record: RequestRecord, stages: Sequence[StageRow]) -> int:
        """Keep a request before it is sent; return its number."""

    async def record_attempt(self, attempt: AttemptRecord) -> None:
        """Keep what came back from a model."""


class Journal(CallBook, RequestBook, Protocol):
    """What was sent and what came back. Texts, tools and messages are stored once under their digests."""

    async def begin_turn(self, start: TurnStart, stages: Sequence[StageRow]) -> int:
        """Open a turn, mark its inbounds as taken by it, return its number.

        It is durable before anything that is kept after it, and so before anything of the turn leaves the bot.
        """

    async def end_turn(self, end: TurnEnd) -> Sequence[StoredOutbox]:
        """Commit everything that a turn does, at once: history, memories, outbox rows, stages, outcomes, status.

        Return its `outbox` as it is kept. Ending a turn again changes nothing, and returns all its chunks.
        """

    async def record_embedding(self, record: EmbeddingRecord) -> int:
        """Keep that vectors are about to be asked for, without a word and of no turn; return the request's number."""

    async def turn(self, row: int) -> StoredTurn | None:
        """Return a turn by its row."""

    async def owner_of(self, turn: int) -> RecordOwner:
        """Return whose the records of a turn are; of one that is not on record they are nobody's."""

    async def turn_by_handle(self, handle: Handle) -> StoredTurn | None:
        """Return the newest turn of a handle's slot."""

    async def recent_turns(self, key: ChannelKey, limit: int) -> Sequence[StoredTurn]:
        """Return a channel's own turns (kind `channel`), newest first."""

    async def turns_of_session(self, key: ChannelKey, session: int, limit: int) -> Sequence[StoredTurn]:
        """Return what ran for a talk of an admin with the cortex about a channel, newest first."""

    async def running_turns(self, *, own: bool = False) -> Sequence[StoredTurn]:
        """Return turns that have no end and whose process is over; with `own`, also those of processes that live."""

    async def request(self, row: int) -> StoredRequest | None:
        """Rebuild a request by its row."""

    async def request_by_handle(self, handle: Handle) -> StoredRequest | None:
        """Rebuild the newest request of a handle's slot."""

    async def recent_requests(self, key: ChannelKey, limit: int) -> Sequence[StoredRequest]:
        """Rebuild a channel's own requests (kind `channel`), newest first; inspections never find themselves."""

    async def last_usage(self, key: ChannelKey) -> TokenUsage | None:
        """Return what was counted for a channel's newest own request; None where nothing was."""

    async def request_before(self, key: ChannelKey, row: int) -> StoredRequest | None:
        """Rebuild the newest of a channel's own requests that is older than a request of it."""

    async def requests_of_turn(self, turn: int) -> Sequence[StoredRequest]:
        """Rebuild a turn's requests, in order."""

    async def last_of_session(self, key: ChannelKey, kind: ProcessKind, session: int) -> StoredRequest | None:
        """Rebuild the newest request of a session's turns of one kind, of those that came to an answer."""


class Outbox(Protocol):
    """Replies on their way."""

    async def put(self, rows: Sequence[NewOutbox], stages: Sequence[StageRow], at: int) -> Sequence[StoredOutbox]:
        """Keep chunks to be sent."""

    async def sending(self, row: int) -> None:
        """Commit the intent directly before the call to the platform."""

    async def sent(self, row: int, receipt: Receipt, stages: Sequence[StageRow], done: Sequence[Settlement]) -> None:
        """Commit the platform's word, with the outcome when it was the last chunk."""

    async def postponed(self, row: int, error: str, not_before: int) -> None:
        """Put a chunk back for another attempt."""

    async def made_new(self, row: int, error: str) -> None:
        """Let a chunk be a message of its own: what it was to edit cannot be edited."""

    async def ended(
        self, row: int, *, uncertain: bool, error: str, stages: Sequence[StageRow], done: Sequence[Settlement]
    ) -> None:
        """Give a chunk up: dead, or uncertain (it may have arrived).

        A dead one decides nothing while its turn may still say something, or has said something after it.
        """

    async def get(self, row: int) -> StoredOutbox | None:
        """Return a chunk by its row."""

    async def send_again(self, row: int, attempts: int, note: StageRow, audit: NewAudit | None) -> StoredOutbox | None:
        """Put an uncertain chunk back to be sent, with its audit row, in one transaction; to where its channel is now.

        None when it is not uncertain any more, or was tried again since (`attempts` counts the tries).
        """

    async def pending(self) -> Sequence[StoredOutbox]:
        """Return chunks in state new or sending, oldest first; `sending` ones were cut off by a crash."""

    async def left(self, channels: Sequence[ChannelId]) -> Sequence[StoredOutbox]:
        """Return chunks in state new or sending of some channels, without those that a living process has written.

        Whoever has just got these channels sends them; what a living process wrote it sends itself. Oldest first.
        """

    async def untold(self) -> Sequence[StoredOutbox]:
        """Return the parts of replies that were given up without a notice behind them; a crash came in between."""

    async def of_inbound(self, inbound: int) -> Sequence[StoredOutbox]:
        """Return the chunks that answer an inbound, in order."""

    async def by_message(self, key: ChannelKey, message_id: str) -> StoredOutbox | None:
        """Return the chunk behind a message of ours."""

    async def by_handle(self, handle: Handle) -> StoredOutbox | None:
        """Return the newest chunk of a handle's slot."""

    async def findings(self, key: ChannelKey, thread: str, since: int, limit: int) -> Sequence[StoredOutbox]:
        """Return what the cortex said in a thread of a private chat after a time (UTC ms), newest first."""

    async def alerts(self, since: int) -> Sequence[StoredOutbox]:
        """Return the chunks that went out after a time (UTC ms) to tell somebody of trouble, oldest first."""

    async def in_state(self, key: ChannelKey, uncertain: bool, limit: int) -> Sequence[StoredOutbox]:
        """Return a channel's uncertain or dead chunks, newest first."""


class SentFiles(Protocol):
    """Files that were put into private chats, which they are to leave again."""

    async def before(self, at: int, limit: int) -> Sequence[StoredOutbox]:
        """Return chunks of kind `file` that went out before a time (UTC ms) and have not `ended`, oldest first."""

    async def ended(self, row: int, what: str) -> None:
        """Note what became of one that had its time."""


class PreviewStore(Protocol):
    """Messages that show an answer while it is written.

    They are no part of an answer: a turn that has nothing else may be run again, and goes on in the same message.

    A preview is open until a chunk that `edits` it is kept, or it is ended here.
    """

    async def begin(self, body: NewOutbox, stages: Sequence[StageRow], at: int) -> int:
        """Commit the intent to post one; return its number."""

    async def shown(self, row: int, message_id: str) -> None:
        """Commit by which message a preview is shown."""

    async def refused(self, row: int, error: str, stages: Sequence[StageRow]) -> None:
        """Note that the platform takes no more of it; the message stays, and with it the open preview."""

    async def ended(self, row: int, why: str, stages: Sequence[StageRow]) -> None:
        """Close one that leads to nothing; doing it twice changes nothing."""

    async def left(self) -> Sequence[StoredOutbox]:
        """Return the open ones, oldest first; without a receipt it is not known whether there is a message."""
