"""What the bot does in Telegram's chats: write, change, take back, react, show that it writes."""

from __future__ import annotations

import structlog
from telegram import MessageEntity, ReactionTypeEmoji, User
from telegram.constants import ReactionEmoji
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import BotApi
from adapters.telegram.places import NAME, TelegramTarget, target_of, target_of_address
from adapters.telegram.sender import TelegramSender, number_of, plain_text
from bot.domain.ids import ChannelId, PersonKey, channel_id
from bot.domain.messages import OutboundAddress, OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError, name_of
from bot.sentences import later
from bot.text.text import utf16_length

log = structlog.get_logger(__name__)
_MOVED_WORDS = "the group became a supergroup: what is shown there waits until the bot has heard of it"
_RETRY_SECONDS = 1.0
_TEXT_STYLE = "\ufe0f"
_ALLOWED_EMOJI = {emoji.value.replace(_TEXT_STYLE, ""): emoji.value for emoji in ReactionEmoji}
_SUBSTITUTES = {
    "⚠": "😨",
    "🚨": "😨",
    "✅": "👌",
    "✔": "👌",
    "☑": "👌",
    "❌": "👎",
    "✖": "👎",
    "🚫": "👎",
    "⏳": "🤯",
    "⌛": "👀",
    "👁": "👀",
    "🔍": "👀",
    "🔎": "👀",
    "💭": "🤔",
    "❓": "🤔",
    "❔": "🤔",
    "🙂": "🤗",
    "😊": "🤗",
    "😀": "😁",
    "😃": "😁",
    "😄": "😁",
    "😆": "🤣",
    "😂": "🤣",
    "🥳": "🎉",
    "🎊": "🎉",
    "👋": "🤗",
    "💪": "👏",
    "🙌": "👏",
    "🚀": "⚡",
    "⭐": "🤩",
    "🌟": "🤩",
    "✨": "🤩",
    "💙": "❤",
    "💚": "❤",
    "💛": "❤",
    "💜": "❤",
    "🧡": "❤",
    "💖": "❤",
    "😕": "🤨",
    "🙁": "😢",
    "😔": "😢",
    "😞": "😢",
    "😠": "😡",
    "📝": "✍",
}
_MAX_NAME_CHARS = 128


class TelegramVoice:
    """Implements `bot.ports.platform.PlatformSender`."""

    def __init__(self, api: BotApi, sending: TelegramSender) -> None:
        self._api = api
        self._sending = sending
        self._previews = TelegramPreviews(api, sending)

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post one chunk, or put it in the place of the message that it edits; raise DeliveryError.

        What was lost on its way is uncertain: Telegram recognises no repetition.
        """
        return await self._sending.send(message)

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written: a draft in private chats, an edited message elsewhere."""
        return await self._previews.show(preview)

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Delete a message of the bot; raise DeliveryError."""
        await self._sending.retract(channel, message_id)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put the allowed reaction that comes nearest on a message; raise DeliveryError."""
        target, allowed = self._sending.groups.checked_target(target_of(channel)), reaction(emoji)
        if allowed is None:
            words = later("delivery_failures.no-reaction", emoji=emoji, platform="Telegram")
            raise DeliveryError(words, code="unsupported_emoji", permanent=True)
        try:
            await self._api.set_message_reaction(target.chat, number_of(message_id), [ReactionTypeEmoji(allowed)])
        except TelegramError as error:
            raise errors.delivery_error(error, is_private=target.is_private) from None

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show that an answer is being written, for five seconds; raise DeliveryError."""
        if not on:
            return
        target = self._sending.groups.now(target_of(channel))
        try:
            await self._api.types(target.chat, target.thread)
        except TelegramError as error:
            raise errors.delivery_error(error, is_private=target.is_private) from None

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        """Start a topic in somebody's private chat, or a titled message to answer; raise DeliveryError."""
        return await open_thread(self._api, person, title)


class TelegramPreviews:
    """Drafts in private chats, where the platform offers them; elsewhere a message that is edited."""

    def __init__(self, api: BotApi, sending: TelegramSender) -> None:
        self._api = api
        self._sending = sending
        self._has_drafts = True

    async def show(self, preview: Preview) -> str:
        """Show the text so far; return the message that shows it, empty for a draft; raise DeliveryError.

        A group that got another id is not followed: who edits the message later has to know where its number counts.
        """
        target = target_of_address(preview.to)
        try:
            return await self._shown(target, preview)
        except DeliveryError:
            if not self._sending.groups.has_moved(target):
                raise
        raise DeliveryError(_MOVED_WORDS, code=errors.CHAT_MIGRATED, retry_after=_RETRY_SECONDS)

    async def _shown(self, target: TelegramTarget, preview: Preview) -> str:
        if target.is_private and self._has_drafts and not preview.message_id and await self._draft(target, preview):
            return ""
        if preview.message_id:
            await self._sending.edit(target, preview.message_id, preview.text)
            return preview.message_id
        return await self._sending.begin(preview)

    async def _draft(self, target: TelegramTarget, preview: Preview) -> bool:
        marked = plain_text(preview.text)
        try:
            await self._api.send_message_draft(
                target.chat,
                preview.number,
                marked.text,
                message_thread_id=target.thread,
                entities=marked.entities,
            )
        except (BadRequest, Forbidden, InvalidToken) as error:
            if errors.refusal(error, is_private=True) == "dm_closed":
                raise errors.delivery_error(error, is_private=True) from None
            # a server that does not know drafts says 404, as it does to a wrong token
            log.info("telegram_drafts_refused", error=name_of(error))
            self._has_drafts = False
            return False
        except TelegramError as error:
            raise errors.delivery_error(error, is_private=True) from None
        return True


def reaction(emoji: str) -> str | None:
    """Return the allowed reaction that comes nearest; None when nothing does."""
    bare = emoji.strip().replace(_TEXT_STYLE, "")
    return _ALLOWED_EMOJI.get(bare) or _ALLOWED_EMOJI.get(_SUBSTITUTES.get(bare, ""))


async def open_thread(api: BotApi, person: PersonKey, title: str) -> OutboundAddress:
    """Start a private thread; raise DeliveryError, permanent when the person has not opened the chat or blocked it."""
    chat = _chat(person)
    try:
        me: User = await api.get_me()
        topic = await _topic(api, chat, title) if me.has_topics_enabled else None
        if topic is not None:
            return OutboundAddress(
                platform=NAME, channel=channel_id(NAME, chat, topic), thread="", private_to=person.user_id
            )
        bold = MessageEntity(MessageEntity.BOLD, 0, utf16_length(title))
        # the title makes no sound: what is said below it does
        root = await api.send_message(chat, title, entities=(bold,), disable_notification=True)
    except TelegramError as error:
        raise errors.delivery_error(error, is_private=True) from None
    return OutboundAddress(
        platform=NAME, channel=channel_id(NAME, chat), thread=str(root.message_id), private_to=person.user_id
    )


async def _topic(api: BotApi, chat: int, title: str) -> int | None:
    """Make a topic; None where the platform does not want to."""
    try:
        made = await api.create_forum_topic(chat, title[:_MAX_NAME_CHARS])
    except BadRequest as error:
        if errors.refusal(error, is_private=True) == "dm_closed":
            raise
        log.info("telegram_topic_refused", error=name_of(error))
        return None
    return made.message_thread_id


def _chat(person: PersonKey) -> int:
    if person.platform == NAME and person.user_id.isascii() and person.user_id.isdigit():
        return int(person.user_id)
    words = later("delivery_failures.no-person", id=person.user_id, platform="Telegram")
    raise DeliveryError(words, code="dm_closed", permanent=True)
