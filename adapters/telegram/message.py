"""Turn a message of Telegram into what the bot hears; pure but for the names that are learnt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from telegram import Message, MessageEntity
from telegram.constants import MessageLimit

from adapters.telegram.attachments import attachments_of
from adapters.telegram.authors import Myself, author_of, is_not_typed, writes_as_channel
from adapters.telegram.places import NAME, Known, thread_of, where
from adapters.telegram.references import references_of
from bot.domain.messages import Inbound, InboundKind, Mention, MentionKind, PieceSign
from bot.text.text import clean, utf16_length

_SHOWN = frozenset(
    {MessageEntity.CODE, MessageEntity.PRE, MessageEntity.BLOCKQUOTE, MessageEntity.EXPANDABLE_BLOCKQUOTE}
)


_LONG = MessageLimit.MAX_TEXT_LENGTH * 7 // 8
"""Apps cut a longer text where a line or a sentence ends, so that its first part need not be full."""


class Mentions(NamedTuple):
    bot: bool
    others: bool
    mentioned: tuple[Mention, ...] = ()


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
        sign=sign_of(message),
        album=message.media_group_id or "",
        as_channel=writes_as_channel(message),
        mentioned=calls.mentioned,
        account_names=me.names,
        refers=references_of(message, answered, me),
    )


def sign_of(message: Message) -> PieceSign | None:
    """Say whether more of the same thought may come at once: apps send a long text, an album, forwards in pieces."""
    if message.forward_origin is not None and not message.is_automatic_forward:
        return PieceSign.FORWARD
    if message.media_group_id:
        return PieceSign.ALBUM
    return PieceSign.LONG if utf16_length(message.text or "") >= _LONG else None


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
    others = tuple(one for one in called if one is not None)
    return Mentions(None in called, bool(others), others)


def _called(message: Message, username: str, me: int) -> Iterator[Mention | None]:
    """Yield what the text calls; None stands for the bot itself."""
    text = (message.text or message.caption or "").encode("utf-16-le", "surrogatepass")
    for entity in (*message.entities, *message.caption_entities):
        # offsets count UTF-16 units (https://core.telegram.org/api/entities#entity-length)
        written = text[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le", "replace")
        match entity.type:
            case MessageEntity.MENTION:
                yield None if written.lower() == f"@{username}" else _user(written)
            case MessageEntity.TEXT_MENTION:
                is_me = entity.user is not None and entity.user.id == me
                yield None if is_me else _user(written, entity.user.id if entity.user is not None else 0)
            case MessageEntity.BOT_COMMAND if "@" in written:
                bot = written.partition("@")[2]
                yield None if bot.lower() == username else _user(f"@{bot}")


def _user(name: str, number: int = 0) -> Mention:
    return Mention(kind=MentionKind.USER, name=clean(name).text, id=str(number or ""))
