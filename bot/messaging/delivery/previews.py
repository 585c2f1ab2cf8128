"""One message that shows an unfinished answer: posted with its intent on record, edited, taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import structlog

from bot.domain.channel_moves import ChannelMoves, named_in
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.domain.messages import OutboundAddress, Preview
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.retry_policy import SendPacing, code_of
from bot.ports.clock import Clock
from bot.ports.delivery import PendingAnswer
from bot.ports.journal import PreviewStore
from bot.ports.platform import MESSAGE_GONE, Platform
from bot.sentences import later

log = structlog.get_logger(__name__)

GOES_ON, WAS_CUT = "…", "⏹"
MARK_UNITS = 2
"""What a mark costs, with the space or the line break in front of it."""
_MAX_WAITS = 5


class AnswerPlace:
    """The place of one answer: that of its turn, until `follow` goes where the channel is by then.

    `to` is where everything is shown that is named by a bare number.
    """

    def __init__(self, answer: PendingAnswer, moves: Callable[[], ChannelMoves]) -> None:
        self.to: OutboundAddress = answer.to
        self._answer = answer
        self._moves = moves

    @property
    def channel(self) -> ChannelId:
        """Where the answer is waited for now."""
        return self._moves().current_id(self._answer.to.channel)

    @property
    def is_left(self) -> bool:
        """Whether the channel is somewhere else by now: nobody can touch what stands here."""
        return self.to.channel != self.channel

    @property
    def replies_to(self) -> str:
        """The message that is answered; empty where its number would mean another one."""
        asked = self._answer.asked
        return asked[-1] if asked and self.to == self._answer.to else ""

    def follow(self) -> None:
        """Go where the channel is now."""
        self.to = self.to.model_copy(update={"channel": self.channel})

    def name(self, message_id: str) -> str:
        """Name a message that stands here to who knows the address of the turn alone."""
        return message_id if self.to == self._answer.to else named_in(self.to.channel, message_id)


class LeftPreviews(NamedTuple):
    """Unfinished answers that people still see: those that are gone on with, and those that must go."""

    continued: tuple[StoredOutbox, ...] = ()
    stale: tuple[StoredOutbox, ...] = ()


@dataclass(kw_only=True, eq=False)
class PreviewMessage:
    """The message of one turn. `text` is what it shows, without the mark; `is_posting`: a change is under way.

    `say` is the one door's; `moves` says where channels are now. `is_at_work`: no other process can have taken over and
    written into the same message.
    """

    answer: PendingAnswer
    platform: Platform
    previews: PreviewStore
    clock: Clock
    pacing: SendPacing
    say: Callable[[NewOutbox], Awaitable[object]]
    moves: Callable[[], ChannelMoves]
    is_at_work: Callable[[], bool]
    text: str = field(init=False, default="")
    is_posting: bool = field(init=False, default=False)
    _row: int = field(init=False, default=0)
    _message_id: str = field(init=False, default="")
    _is_draft: bool = field(init=False, default=False)
    _is_torn: bool = field(init=False, default=False)

    @cached_property
    def where(self) -> AnswerPlace:
        """Where it stands. When its channel gets another id, it stays behind, where nobody can touch it; what follows
        is shown in a new one.
        """
        return AnswerPlace(self.answer, self.moves)

    @property
    def is_visible(self) -> bool:
        """Whether people see a part of the answer."""
        return bool(self._message_id) or self._is_draft

    @property
    def fades(self) -> bool:
        """Whether what people see goes away by itself, unless it is shown again."""
        return self._is_draft and self.platform.capabilities.streaming

    @property
    def most_units(self) -> int:
        """How much text it can hold."""
        return self.platform.capabilities.max_units

    @property
    def most_marks(self) -> int:
        """How many marks of it are drawn (0: all)."""
        return self.platform.capabilities.max_marks

    @property
    def editable(self) -> str:
        """The message that the answer may take the place of; empty when there is none, or it may still change."""
        is_there = self._message_id and not self._is_torn and not self.where.is_left
        return self.where.name(self._message_id) if is_there else ""

    def take_over(self, left: StoredOutbox) -> None:
        """Go on in a message that is there already."""
        self._row, self._message_id = left.row, left.receipt.message_id if left.receipt else ""

    def tear(self) -> None:
        """Note that a change may still come true: what takes the message's place could be undone by it."""
        self._is_torn = True

    async def show(self, text: str, is_wanted: Callable[[], bool]) -> bool:
        """Show a text if it is still wanted once the intent is kept; return whether more may be shown.

        When the platform asks to wait, `text` stays what it was and the channel's pace is slower.
        """
        self.is_posting = True
        try:
            await self._follow()
            if not self._row and not self._is_draft:
                await self._intend()
            if is_wanted() and self.is_at_work():
                await self._seen(await self._handed(text), text)
        except DeliveryError as error:
            return await self._refused(error)
        finally:
            self.is_posting = False
        return True

    async def close(self) -> None:
        """End a preview of which there is no message."""
        if self._row and not self._message_id:
            row, self._row = self._row, 0
            await self.previews.ended(row, "never shown", ())

    async def take_back(self) -> None:
        """Remove the message; where that cannot be done, let it say nothing."""
        await self._follow()
        channel, waits = self.where.to.channel, 0
        while self._message_id:
            try:
                await self.platform.retract(channel, self._message_id)
            except DeliveryError as error:
                if error.retry_after is not None and waits < _MAX_WAITS:
                    waits += 1
                    await self.clock.sleep(error.retry_after)
                    continue
                if error.code != MESSAGE_GONE:
                    log.info("preview_not_withdrawn", channel=channel, code=code_of(error))
                    await self._empty()
                    return
            self._message_id = ""
            await self.previews.ended(self._row, "withdrawn", ())

    async def _empty(self) -> None:
        to = self.where.to
        try:
            await self.say(NewOutbox(kind="notice", to=to, text=GOES_ON, edits=self._message_id))
        except DeliveryError as error:
            log.warning("preview_stays", channel=to.channel, code=code_of(error))

    async def _follow(self) -> None:
        """Go where the channel is by now, and leave the message where it was."""
        if not self.where.is_left:
            return
        self.where.follow()
        row, self._row = self._row, 0
        self._message_id, self.text, self._is_torn = "", "", False
        if row:
            await self.previews.ended(row, "the channel moved", ())

    async def _intend(self) -> None:
        answer = self.answer
        body = NewOutbox(
            kind="preview",
            to=self.where.to,
            text="",
            inbound=answer.inbound,
            turn=answer.turn,
            replies_to=self.where.replies_to,
        )
        now = self.clock.now()
        self._row = await self.previews.begin(body, _noted(answer, 0, now), now)

    async def _handed(self, text: str) -> str:
        answer = self.answer
        preview = Preview(
            to=self.where.to,
            text=with_mark(text, GOES_ON),
            number=answer.turn,
            message_id=self._message_id,
            replies_to=self.where.replies_to,
            answers=answer.answers,
        )
        try:
            return await self.platform.preview(preview)
        except DeliveryError:
            raise
        except Exception as error:
            name = type(error).__name__
            log.error("preview_failed", channel=self.where.to.channel, error_type=name, exc_info=error)
            words = later("delivery_failures.broke", error=name)
            raise DeliveryError(words, code="internal", uncertain=True) from error

    async def _seen(self, message_id: str, text: str) -> None:
        self.pacing.took(self.where.to.channel, self.clock.monotonic())
        self.text = text
        if message_id and message_id != self._message_id:
            await self.previews.shown(self._row, message_id)
            self._message_id = message_id
        elif not message_id and not self._is_draft:
            self._is_draft = True
            row, self._row = self._row, 0
            await self.previews.ended(row, "a draft", ())

    async def _refused(self, error: DeliveryError) -> bool:
        channel = self.where.to.channel
        if error.retry_after is not None:
            self.pacing.slow_down(channel, self.clock.monotonic() + error.retry_after)
            return True
        code = code_of(error)
        log.info("preview_refused", channel=channel, turn=self.answer.turn, code=code)
        noted = _noted(self.answer, self._row, self.clock.now(), ("refused", code))
        if self._message_id and error.code != MESSAGE_GONE:
            self._is_torn = error.uncertain
            await self.previews.refused(self._row, code, noted)
        elif self._row:
            row, self._row, self._message_id = self._row, 0, ""
            await self.previews.ended(row, code, noted)
        return False


def _noted(answer: PendingAnswer, row: int, at: int, *detail: tuple[str, str]) -> list[StageRow]:
    """Describe a preview for the trail of the message that is answered; nothing when it answers none."""
    if not answer.inbound:
        return []
    named = (("delivery", handle(HandleKind.DELIVERY, row)),) if row else ()
    return [
        StageRow(
            inbound=answer.inbound,
            at=at,
            stage=LedgerStage.OUTBOX,
            verdict=StageVerdict.NOTED,
            reason="preview",
            detail=(*named, *detail),
        )
    ]


def with_mark(text: str, mark: str) -> str:
    """Put a mark behind a text; a fence ends only where nothing else stands on its line."""
    return f"{text}\n{mark}" if text.endswith("```") else f"{text} {mark}".lstrip()
