"""Send, edit and take back messages; refusals are told from losses, and losses are never repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import structlog
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    LinkPreviewOptions,
    ReplyParameters,
    WebAppInfo,
)
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import BotApi, PostedMessage
from adapters.telegram.groups import MovedGroups
from adapters.telegram.markup import WIDE_AT, MarkedText, render, unmarked_text
from adapters.telegram.message import sent_at
from adapters.telegram.places import TelegramTarget, target_of, target_of_address
from adapters.telegram.request import TelegramCallLost
from adapters.telegram.rich_message import rich_message
from bot.domain.ids import ChannelId
from bot.domain.messages import Button, OutgoingFile, OutgoingMessage, Preview, Receipt
from bot.domain.rich_messages import PLAIN, Poll
from bot.errors import DeliveryError, name_of
from bot.ports.clock import Clock
from bot.sentences import later
from bot.text.text import utf16_length

log = structlog.get_logger(__name__)

MAX_UNITS = 4096
_MAX_CAPTION_UNITS = 1024
_PICTURES, _NO_PICTURE = frozenset({"image/png", "image/jpeg"}), "file_too_large"
_MAX_ROW_UNITS = 30
_MAX_ROW_BUTTONS = 3
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_WITHOUT_REPLY: dict[str, Any] = {"allow_sending_without_reply": True}
_NO_PREVIEW_JSON = _NO_PREVIEW.to_dict()

T = TypeVar("T")
_NOT_THERE_CODES = {404, 405, 501}
"""With these an HTTP server says that nothing is to be found under an address, and so that nothing was carried out."""


class RichSupport:
    """Knows of one server, until the program ends; one that is renewed is asked again by the next start."""

    def __init__(self, wanted: bool) -> None:
        self._may_be = wanted
        self._is_known = False

    def as_rich(self, text: str) -> dict[str, Any] | None:
        """Return a text as a rich message; None where marks say all of it, or the server takes none."""
        return rich_message(text) if self._may_be else None

    async def try_rich(self, post: Callable[[], Awaitable[T]]) -> T | None:
        """Post a rich message; None when it was refused as such, and has to go out in marks.

        Raise TelegramError for everything else: what may have arrived is not sent in another form, and a refusal of the
        place holds for every form.
        """
        try:
            taken = await post()
        except (BadRequest, InvalidToken, TelegramCallLost) as error:
            if self._is_unknown_to(error):
                log.info("telegram_rich_messages_unknown", error=name_of(error))
                self._may_be = False
            elif not isinstance(error, BadRequest) or errors.refusal(error) not in errors.OF_THE_FORM:
                raise
            else:
                log.warning("telegram_rich_message_refused", error=name_of(error), code=errors.code_of(error))
            return None
        self._is_known = True
        return taken

    def _is_unknown_to(self, error: TelegramError) -> bool:
        if isinstance(error, TelegramCallLost):
            # a page that says so, of a server that other people wrote or of what stands before it
            return error.status in _NOT_THERE_CODES
        # to a wrong token a server says the same; what is sent next in its place tells them apart
        if errors.is_unknown_method(error):
            return True
        # one that does not know what an edit may hold finds no text in it
        return not self._is_known and errors.refusal(error) == errors.EMPTY_TEXT


class PostTarget(NamedTuple):
    """Where a message goes and what hangs on it."""

    target: TelegramTarget
    answers: int | None
    buttons: InlineKeyboardMarkup | None

    @property
    def reply(self) -> ReplyParameters | None:
        """The message that is answered; one that is gone keeps nothing from being sent."""
        if self.answers is None:
            return None
        return ReplyParameters(message_id=self.answers, allow_sending_without_reply=True)

    @property
    def around(self) -> dict[str, Any]:
        """What stands around the words in a call, as JSON."""
        return {
            "message_thread_id": self.target.thread,
            "reply_parameters": None if self.answers is None else {"message_id": self.answers, **_WITHOUT_REPLY},
            "reply_markup": self.buttons.to_dict() if self.buttons else None,
        }


class TelegramSender:
    """Speaks in chats. `groups` knows which of them have another id by now."""

    def __init__(
        self, api: BotApi, clock: Clock, upload_timeout: float, groups: MovedGroups, rich: RichSupport
    ) -> None:
        self._api = api
        self._clock = clock
        self._upload_timeout = upload_timeout
        self._rich = rich
        self.groups = groups

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post one chunk, or put it in the place of the message it edits; raise DeliveryError."""
        target, buttons = target_of_address(message.to), keyboard(message.buttons)
        if message.edits:
            # where it is gone, the outbox decides what follows: a post from here could be repeated by it
            note = await self._edit(PostTarget(target, None, buttons), message.edits, message.text, is_whole=True)
            return Receipt(message_id=message.edits, at=self._clock.now(), note=note)
        answers = message_number(message.replies_to) or message_number(message.to.thread)
        if self.groups.has_moved(target):
            target, answers = self.groups.now(target), None
        return await self._in_new_place(PostTarget(target, answers, buttons), message)

    async def begin(self, preview: Preview) -> str:
        """Post the message that is edited while an answer is written; raise DeliveryError, and follow no group."""
        answers = message_number(preview.replies_to) or message_number(preview.to.thread)
        posting = PostTarget(self.groups.checked_target(target_of_address(preview.to)), answers, None)
        try:
            message, _ = await self._words(posting, preview.text)
            return str(message.message_id)
        except TelegramError as error:
            raise await self.groups.failed(error, posting.target) from None

    async def edit(self, target: TelegramTarget, message_id: str, text: str) -> None:
        """Change the text of a message; raise DeliveryError. Repeating it is safe."""
        await self._edit(PostTarget(target, None, None), message_id, text)

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Take a message back; raise DeliveryError. One that is gone already is no error."""
        target = self.groups.checked_target(target_of(channel))
        try:
            await self._api.delete_message(target.chat, number_of(message_id))
        except TelegramError as error:
            if errors.refusal(error) != errors.MESSAGE_GONE:
                raise await self.groups.failed(error, target) from None

    async def _in_new_place(self, posting: PostTarget, message: OutgoingMessage) -> Receipt:
        """Send; a group that got another id is sent to there, once."""
        try:
            return await self._posted(posting, message)
        except ChatMigrated as error:
            new = error.new_chat_id
        except TelegramError as error:
            raise errors.delivery_error(error, is_private=posting.target.is_private) from None
        await self.groups.on_move(posting.target.chat, new)
        try:
            return await self._posted(posting._replace(target=TelegramTarget(new, None), answers=None), message)
        except TelegramError as error:
            raise errors.delivery_error(error) from None

    async def _posted(self, posting: PostTarget, message: OutgoingMessage) -> Receipt:
        if message.file is None and isinstance(message.rich, Poll):
            return await self._poll(posting, message.rich, message.text)
        if message.file is None:
            return _receipt(*await self._text(posting, message.text))
        file = await asyncio.to_thread(_read, message.file)
        send = self._photo if message.file.mimetype in _PICTURES else self._document
        if utf16_length(message.text) <= _MAX_CAPTION_UNITS:
            return _receipt(*await send(posting, file, message.text))
        await send(posting._replace(buttons=None), file, "")
        try:
            return _receipt(*await self._text(posting, message.text))
        except TelegramError as error:
            # half of it arrived, and to begin again would send that half twice
            words = later("delivery_failures.file-without-text", why=str(error))
            raise DeliveryError(words, code="half", uncertain=True) from None

    async def _poll(self, posting: PostTarget, poll: Poll, text: str) -> Receipt:
        """Send a poll, or its words where the chat or the server takes none; never in both forms."""
        try:
            taken = await self._api.ask_poll(
                posting.target.chat,
                poll.question,
                poll.options,
                open_period=poll.hours * 3600,
                allows_multiple_answers=poll.several or None,
                **posting.around,
            )
        except (BadRequest, Forbidden, InvalidToken) as error:
            if not errors.is_of_the_poll(error, is_private=posting.target.is_private):
                raise
            log.info("telegram_poll_refused", error=name_of(error), code=errors.code_of(error))
        else:
            return _receipt(taken, "")
        posted, note = await self._text(posting, text)
        return _receipt(posted, note or PLAIN)

    async def _text(self, posting: PostTarget, text: str) -> tuple[PostedMessage, str]:
        """Send a text as a rich message where that draws more of it, else with its marks; never in both forms."""
        rich = self._rich.as_rich(text)
        if rich is not None:
            taken = await self._rich.try_rich(lambda: self._api.say_rich(posting.target.chat, rich, **posting.around))
            if taken is not None:
                return taken, ""
        return await self._words(posting, text)

    async def _words(self, posting: PostTarget, text: str) -> tuple[PostedMessage, str]:
        async def post(marked: MarkedText) -> PostedMessage:
            return await self._api.say(
                posting.target.chat,
                marked.text,
                marked.entities,
                link_preview_options=_NO_PREVIEW_JSON,
                **posting.around,
            )

        return await _with_marks(text, MAX_UNITS, post)

    async def _document(self, posting: PostTarget, file: InputFile, caption: str) -> tuple[PostedMessage, str]:
        async def post(marked: MarkedText) -> PostedMessage:
            message = await self._api.send_document(
                posting.target.chat,
                file,
                caption=marked.text or None,
                caption_entities=marked.entities,
                disable_content_type_detection=True,
                message_thread_id=posting.target.thread,
                reply_parameters=posting.reply,
                reply_markup=posting.buttons,
                read_timeout=self._upload_timeout,
            )
            return PostedMessage(message.message_id, sent_at(message))

        return await _with_marks(caption, _MAX_CAPTION_UNITS, post)

    async def _photo(self, posting: PostTarget, file: InputFile, caption: str) -> tuple[PostedMessage, str]:
        """Show a picture at once; one that Telegram does not want as such goes as a file."""

        async def post(marked: MarkedText) -> PostedMessage:
            message = await self._api.send_photo(
                posting.target.chat,
                file,
                caption=marked.text or None,
                caption_entities=marked.entities,
                message_thread_id=posting.target.thread,
                reply_parameters=posting.reply,
                reply_markup=posting.buttons,
                read_timeout=self._upload_timeout,
            )
            return PostedMessage(message.message_id, sent_at(message))

        try:
            return await _with_marks(caption, _MAX_CAPTION_UNITS, post)
        except TelegramError as error:
            if errors.refusal(error) != _NO_PICTURE:
                raise
        return await self._document(posting, file, caption)

    async def _edit(self, posting: PostTarget, message_id: str, text: str, *, is_whole: bool = False) -> str:
        """Change a text; return the note of `_with_marks`. What is not whole yet is shown in words and marks."""
        target, number = self.groups.checked_target(posting.target), number_of(message_id)

        async def post(marked: MarkedText) -> None:
            await self._api.edit_message_text(
                marked.text,
                chat_id=target.chat,
                message_id=number,
                entities=marked.entities,
                reply_markup=posting.buttons,
                link_preview_options=_NO_PREVIEW,
            )

        rich = self._rich.as_rich(text) if is_whole else None
        try:
            if rich is not None and await self._rich.try_rich(lambda: self._changed(posting, number, rich)):
                return ""
            _, note = await _with_marks(text, MAX_UNITS, post)
        except TelegramError as error:
            if errors.refusal(error) == errors.NOT_MODIFIED:
                return ""
            failed = await self.groups.failed(error, target)
            # the same text put there twice is there once
            failed.uncertain = False
            raise failed from None
        return note

    async def _changed(self, posting: PostTarget, number: int, rich: dict[str, Any]) -> bool:
        buttons = posting.around["reply_markup"]
        await self._api.change_rich(posting.target.chat, number, rich, reply_markup=buttons)
        return True


def _receipt(sent: PostedMessage, note: str) -> Receipt:
    return Receipt(message_id=str(sent.message_id), at=sent.at, note=note)


async def _with_marks(text: str, most: int, post: Callable[[MarkedText], Awaitable[T]]) -> tuple[T, str]:
    """Post with marks drawn; what Telegram does not want to draw is posted as it was written, and noted."""
    marked = plain_text(text, most)
    try:
        return await post(marked), ""
    except TelegramError as error:
        if not marked.entities or errors.refusal(error) != errors.MARKUP:
            raise
        log.warning("telegram_marks_refused", error=name_of(error), entities=len(marked.entities))
    return await post(_plain(text, most)), errors.MARKUP


def plain_text(text: str, most: int = MAX_UNITS) -> MarkedText:
    """Return the text as it is sent; marks alone are text too."""
    marked = render(text)
    if utf16_length(marked.text) > most:
        marked = render(text, WIDE_AT)
    # what was not split by who sends it, such as a table, may be longer when it is drawn
    return marked if marked.text.strip() and utf16_length(marked.text) <= most else _plain(text, most)


def _plain(text: str, most: int) -> MarkedText:
    plain = unmarked_text(text)
    return MarkedText(plain if utf16_length(plain) <= most else unmarked_text(text, WIDE_AT), ())


def keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    """Lay buttons out for a phone: short ones side by side."""
    rows: list[list[InlineKeyboardButton]] = []
    width = _MAX_ROW_UNITS
    for button in buttons:
        units = utf16_length(button.label)
        if not rows or width + units > _MAX_ROW_UNITS or len(rows[-1]) == _MAX_ROW_BUTTONS:
            rows.append([])
            width = 0
        rows[-1].append(_key(button))
        width += units
    return InlineKeyboardMarkup(rows) if rows else None


def _key(button: Button) -> InlineKeyboardButton:
    if button.page:
        return InlineKeyboardButton(button.label, web_app=WebAppInfo(button.page))
    return InlineKeyboardButton(button.label, callback_data=button.data)


def message_number(message_id: str) -> int | None:
    """Read a message id; None for what names no message."""
    return int(message_id) if message_id.isascii() and message_id.isdigit() else None


def number_of(message_id: str) -> int:
    """Read a message id; raise DeliveryError for what names no message."""
    number = message_number(message_id)
    if number is None:
        raise DeliveryError(
            later("delivery_failures.no-message", id=repr(message_id)), code="message_gone", permanent=True
        )
    return number


def _read(file: OutgoingFile) -> InputFile:
    try:
        content = Path(file.path).read_bytes()
    except OSError:
        words = later("delivery_failures.file-unreadable", name=file.name)
        raise DeliveryError(words, code="file_gone", permanent=True) from None
    return InputFile(content, filename=file.name)
