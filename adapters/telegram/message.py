"""Turn a message of Telegram into what the bot hears; pure but for the names that are learnt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from telegram import Message, MessageEntity

from adapters.telegram.attachments import attachments_of
from adapters.telegram.authors import Myself, author_of, is_not_typed
from adapters.telegram.places import NAME, Known, thread_of, where
from adapters.telegram.references import references_of
from bot.domain.messages import Inbound, InboundKind
from bot.domain.text import clean

_SHOWN = frozenset(
    {MessageEntity.CODE, MessageEntity.PRE, MessageEntity.BLOCKQUOTE, MessageEntity.EXPANDABLE_BLOCKQUOTE}
)


class Mentions(NamedTuple):
    """Whom a text calls."""

    bot: bool
    others: bool


def said(message: Message, update: int, me: Myself, known: Known) -> Inbound:
    """Take a new message, or its edit; what it quotes is told beside its words, and is never taken for them."""
    place = where(message.chat, message, known)
    cleaned = clean(message.text or message.caption or "")
    calls, answered = mentions(message, me), answered_of(message)
    return Inbound(
        adapter=NAME,
        channel=place.channel,
        channel_name=place.name,
        place=place.place,
        kind=InboundKind.EDIT if message.edit_date else InboundKind.MESSAGE,
        message_id=str(message.message_id),
        edit=edit_of(message, update),
        author=author_of(message, me),
        text=cleaned.text,
        sent_at=sent_at(message),
        mentions_bot=calls.bot,
        mentions_others=calls.others,
        replies_to=str(answered.message_id) if answered else "",
        replies_to_bot=answered is not None and answered.from_user is not None and answered.from_user.id == me.id,
        forwarded=is_not_typed(message) or _begins_as_quoted(message),
        original_sha256=cleaned.original_sha256 or "",
        attachments=attachments_of(message),
        refers=references_of(message, answered, me),
    )


def sent_at(message: Message) -> int:
    """Say when a message was written, in UTC ms; Telegram counts seconds."""
    return round(message.date.timestamp() * 1000)


def edit_of(message: Message, update: int) -> int:
    """Name an edit by its time; two of the same second differ in the digits that Telegram leaves open."""
    return round(message.edit_date.timestamp() * 1000) + update % 1000 if message.edit_date else 0


def answered_of(message: Message) -> Message | None:
    """Return the message that is answered; everything in a topic points to its beginning, which is no answer."""
    answered = message.reply_to_message
    if answered is None or answered.message_id == thread_of(message) or answered.forum_topic_created is not None:
        return None
    return answered


def _begins_as_quoted(message: Message) -> bool:
    """Say whether a text begins in a block of code or a quote: such words are shown, not said."""
    return any(
        entity.offset == 0 and entity.type in _SHOWN for entity in (*message.entities, *message.caption_entities)
    )


def mentions(message: Message, me: Myself) -> Mentions:
    """Say whom the entities of a text name; text that only looks like a mention is none."""
    called = list(_called(message, me.username.lower(), me.id))
    return Mentions(any(called), not all(called))


def _called(message: Message, username: str, me: int) -> Iterator[bool]:
    """Yield for every name in the text whether it is the bot's."""
    text = (message.text or message.caption or "").encode("utf-16-le", "surrogatepass")
    for entity in (*message.entities, *message.caption_entities):
        # offsets count UTF-16 units (https://core.telegram.org/api/entities#entity-length)
        written = text[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le", "replace").lower()
        match entity.type:
            case MessageEntity.MENTION:
                yield written == f"@{username}"
            case MessageEntity.TEXT_MENTION:
                yield entity.user is not None and entity.user.id == me
            case MessageEntity.BOT_COMMAND if "@" in written:
                yield written.partition("@")[2] == username
