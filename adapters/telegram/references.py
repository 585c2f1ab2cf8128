"""What a message points to, as far as the Bot API delivers it: answers, quotes, forwards, stories and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from telegram import (
    ExternalReplyInfo,
    Message,
    MessageEntity,
    MessageOrigin,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
)

from adapters.telegram.attachments import attachments_of
from adapters.telegram.authors import Myself, author, author_of, chat_author, signed
from adapters.telegram.rich_reading import rich_words
from bot.domain.ids import UserId
from bot.domain.messages import Author, Reference, ReferenceKind
from bot.domain.references import linked, links, quotable
from bot.text.text import clean


class _Origin(NamedTuple):
    """Who wrote first what was forwarded, and when."""

    author: Author | None
    at: int


def references_of(message: Message, answered: Message | None, me: Myself) -> tuple[Reference, ...]:
    """List what a message points to; `answered` is the message of the same chat that it answers."""
    found: list[Reference] = []
    if answered is not None:
        found.append(_answered(message, answered, me))
    elif message.external_reply is not None:
        found.append(_elsewhere(message, message.external_reply, me))
    elif message.reply_to_story is not None:
        found.append(Reference(kind=ReferenceKind.STORY, author=chat_author(message.reply_to_story.chat)))
    if message.forward_origin is not None:
        origin = _origin(message.forward_origin, me)
        found.append(Reference(kind=ReferenceKind.FORWARDED, author=origin.author, at=origin.at))
    if message.entities or message.caption_entities or message.link_preview_options:
        found += linked(_links(message))
    return tuple(found)


def _answered(message: Message, answered: Message, me: Myself) -> Reference:
    quote, origin = message.quote, _Origin(None, 0)
    if answered.forward_origin is not None:
        origin = _origin(answered.forward_origin, me)
    words = answered.text or answered.caption or rich_words(answered)
    return Reference(
        kind=ReferenceKind.ANSWERED,
        author=author_of(answered, me),
        text=quotable(quote.text if quote is not None else words),
        at=_ms(answered.date),
        message_id=str(answered.message_id),
        is_part=quote is not None and quote.text != words,
        origin=origin.author,
        origin_at=origin.at,
        attachments=attachments_of(answered),
        links=links(_links(answered)),
    )


def _elsewhere(message: Message, other: ExternalReplyInfo, me: Myself) -> Reference:
    """Tell of a message of another chat, or of another topic; of its words the Bot API gives what is quoted alone."""
    quote, origin, chat = message.quote, _origin(other.origin, me), other.chat
    return Reference(
        kind=ReferenceKind.ANSWERED,
        author=origin.author,
        text=quotable(quote.text) if quote is not None else "",
        at=origin.at,
        # Telegram names no chat that is private, or that the bot could not see
        place=clean(chat.title or chat.full_name or str(chat.id)).text if chat is not None else "another chat",
        is_part=quote is not None and bool(quote.is_manual),
        attachments=attachments_of(other),
        links=links([(_previewed(other), "")]),
    )


def _origin(origin: MessageOrigin, me: Myself) -> _Origin:
    at = _ms(origin.date)
    match origin:
        case MessageOriginUser():
            return _Origin(author(origin.sender_user, me), at)
        case MessageOriginHiddenUser():
            # somebody whose account Telegram keeps back: a name that anybody can have, and no id
            return _Origin(Author(user_id=UserId(""), name=clean(origin.sender_user_name).text), at)
        case MessageOriginChat():
            return _Origin(signed(origin.sender_chat, origin.author_signature), at)
        case MessageOriginChannel():
            return _Origin(signed(origin.chat, origin.author_signature), at)
    return _Origin(None, at)


def _ms(date: datetime) -> int:
    return max(round(date.timestamp() * 1000), 0)


def _links(message: Message) -> Iterator[tuple[str, str]]:
    """Yield the addresses behind words, with those words, and the one that is previewed without standing there.

    An address that is written out is part of the text; what stands at it Telegram does not tell bots.
    """
    words = message.text or message.caption or ""
    said = words.encode("utf-16-le", "surrogatepass")
    for entity in _entities(message):
        if entity.type == MessageEntity.TEXT_LINK and entity.url:
            # offsets count UTF-16 units (https://core.telegram.org/api/entities#entity-length)
            title = said[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le", "replace")
            yield entity.url, title
    preview = _previewed(message)
    if preview and preview not in words:
        yield preview, ""


def _previewed(message: Message | ExternalReplyInfo) -> str:
    url = message.link_preview_options.url if message.link_preview_options is not None else None
    return url if isinstance(url, str) else ""


def _entities(message: Message) -> Sequence[MessageEntity]:
    return (*message.entities, *message.caption_entities)
