"""Turn a message of Telegram into what the bot hears; pure but for the names that are learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from telegram import (
    Document,
    ExternalReplyInfo,
    Message,
    MessageEntity,
    MessageOrigin,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    PhotoSize,
)
from telegram.constants import MessageLimit

from adapters.telegram.authors import (
    TelegramAccount,
    author,
    author_of,
    chat_author,
    is_not_typed,
    locale_of,
    signed_author,
    writes_as_channel,
)
from adapters.telegram.places import NAME, KnownPlaces, chat_place, thread_of
from bot.domain.attachment_kind import attachment_kind
from bot.domain.ids import UserId
from bot.domain.messages import (
    Attachment,
    AttachmentKind,
    Author,
    Inbound,
    InboundKind,
    Mention,
    MentionKind,
    MessageReference,
    PieceSign,
    ReferenceKind,
)
from bot.domain.references import link_previews, quotable_text, reference_of_links
from bot.text.text import clean, utf16_length

_SHOWN_ENTITIES = frozenset(
    {MessageEntity.CODE, MessageEntity.PRE, MessageEntity.BLOCKQUOTE, MessageEntity.EXPANDABLE_BLOCKQUOTE}
)


_LONG_UNITS = MessageLimit.MAX_TEXT_LENGTH * 7 // 8
"""Apps cut a longer text where a line or a sentence ends, so that its first part need not be full."""
_MAX_DEPTH = 24
_MAX_PIECES = 4000
_MAX_LETTERS = 8000
_MAX_PICTURE_BYTES = 4_000_000


class MessageMentions(NamedTuple):
    bot: bool
    others: bool
    mentioned: tuple[Mention, ...] = ()


def read_message(message: Message, update: int, me: TelegramAccount, known: KnownPlaces) -> Inbound:
    """Take a new message, or its edit; what it quotes is told beside its words, and is never taken for them."""
    place = chat_place(message.chat, message, known)
    cleaned = clean(message.text or message.caption or "")
    calls, answered = mentions(message, me), answered_message(message)
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
        locale=locale_of(message.from_user),
    )


def sign_of(message: Message) -> PieceSign | None:
    """Say whether more of the same thought may come at once: apps send a long text, an album, forwards in pieces."""
    if message.forward_origin is not None and not message.is_automatic_forward:
        return PieceSign.FORWARD
    if message.media_group_id:
        return PieceSign.ALBUM
    return PieceSign.LONG if utf16_length(message.text or "") >= _LONG_UNITS else None


def sent_at(message: Message) -> int:
    """Say when a message was written, in UTC ms; Telegram counts seconds."""
    return round(message.date.timestamp() * 1000)


def edit_of(message: Message, update: int) -> int:
    """Name an edit by its time; two of the same second differ in the digits that Telegram leaves open."""
    return round(message.edit_date.timestamp() * 1000) + update % 1000 if message.edit_date else 0


def answered_message(message: Message) -> Message | None:
    """Return the message that is answered; everything in a topic points to its beginning, which is no answer."""
    answered = message.reply_to_message
    if answered is None or answered.message_id == thread_of(message) or answered.forum_topic_created is not None:
        return None
    return answered


def _begins_as_quoted(message: Message) -> bool:
    """Say whether a text begins in a block of code or a quote: such words are shown, not said."""
    return any(
        entity.offset == 0 and entity.type in _SHOWN_ENTITIES
        for entity in (*message.entities, *message.caption_entities)
    )


def mentions(message: Message, me: TelegramAccount) -> MessageMentions:
    """Say whom the entities of a text name; text that only looks like a mention is none."""
    called = list(_called_mentions(message, me.username.lower(), me.id))
    others = tuple(one for one in called if one is not None)
    return MessageMentions(None in called, bool(others), others)


def _called_mentions(message: Message, username: str, me: int) -> Iterator[Mention | None]:
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


class _Origin(NamedTuple):
    """Who wrote first what was forwarded, and when."""

    author: Author | None
    at: int


def references_of(message: Message, answered: Message | None, me: TelegramAccount) -> tuple[MessageReference, ...]:
    """List what a message points to; `answered` is the message of the same chat that it answers."""
    found: list[MessageReference] = []
    if answered is not None:
        found.append(_answer_reference(message, answered, me))
    elif message.external_reply is not None:
        found.append(_outside_reference(message, message.external_reply, me))
    elif message.reply_to_story is not None:
        found.append(MessageReference(kind=ReferenceKind.STORY, author=chat_author(message.reply_to_story.chat)))
    if message.forward_origin is not None:
        origin = _origin(message.forward_origin, me)
        found.append(MessageReference(kind=ReferenceKind.FORWARDED, author=origin.author, at=origin.at))
    if message.entities or message.caption_entities or message.link_preview_options:
        found += reference_of_links(_links(message))
    return tuple(found)


def _answer_reference(message: Message, answered: Message, me: TelegramAccount) -> MessageReference:
    quote, origin = message.quote, _Origin(None, 0)
    if answered.forward_origin is not None:
        origin = _origin(answered.forward_origin, me)
    words = answered.text or answered.caption or rich_words(answered)
    return MessageReference(
        kind=ReferenceKind.ANSWERED,
        author=author_of(answered, me),
        text=quotable_text(quote.text if quote is not None else words),
        at=_ms(answered.date),
        message_id=str(answered.message_id),
        is_part=quote is not None and quote.text != words,
        origin=origin.author,
        origin_at=origin.at,
        attachments=attachments_of(answered),
        links=link_previews(_links(answered)),
    )


def _outside_reference(message: Message, other: ExternalReplyInfo, me: TelegramAccount) -> MessageReference:
    """Tell of a message of another chat, or of another topic; of its words the Bot API gives what is quoted alone."""
    quote, origin, chat = message.quote, _origin(other.origin, me), other.chat
    return MessageReference(
        kind=ReferenceKind.ANSWERED,
        author=origin.author,
        text=quotable_text(quote.text) if quote is not None else "",
        at=origin.at,
        # Telegram names no chat that is private, or that the bot could not see
        place=clean(chat.title or chat.full_name or str(chat.id)).text if chat is not None else "another chat",
        is_part=quote is not None and bool(quote.is_manual),
        attachments=attachments_of(other),
        links=link_previews([(_previewed_url(other), "")]),
    )


def _origin(origin: MessageOrigin, me: TelegramAccount) -> _Origin:
    at = _ms(origin.date)
    match origin:
        case MessageOriginUser():
            return _Origin(author(origin.sender_user, me), at)
        case MessageOriginHiddenUser():
            # somebody whose account Telegram keeps back: a name that anybody can have, and no id
            return _Origin(Author(user_id=UserId(""), name=clean(origin.sender_user_name).text), at)
        case MessageOriginChat():
            return _Origin(signed_author(origin.sender_chat, origin.author_signature), at)
        case MessageOriginChannel():
            return _Origin(signed_author(origin.chat, origin.author_signature), at)
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
    preview = _previewed_url(message)
    if preview and preview not in words:
        yield preview, ""


def _previewed_url(message: Message | ExternalReplyInfo) -> str:
    url = message.link_preview_options.url if message.link_preview_options is not None else None
    return url if isinstance(url, str) else ""


def _entities(message: Message) -> Sequence[MessageEntity]:
    return (*message.entities, *message.caption_entities)


def rich_words(message: Message) -> str:
    """Return what a message says if it is a rich one: a line for each block, and for each row of a table."""
    rich = message.api_kwargs.get("rich_message")
    lines = islice(_lines(rich.get("blocks"), _MAX_DEPTH), _MAX_PIECES) if isinstance(rich, dict) else ()
    return "\n".join(lines)[:_MAX_LETTERS]


def _lines(blocks: Any, depth: int) -> Iterator[str]:
    for block in blocks if isinstance(blocks, list) and depth else ():
        if not isinstance(block, dict):
            continue
        for name in ("summary", "text", "expression"):
            if line := _text(block.get(name), depth):
                yield line
        for row in block["cells"] if isinstance(block.get("cells"), list) else ():
            cells = [one.get("text") for one in row if isinstance(one, dict)] if isinstance(row, list) else []
            yield f"| {' | '.join(_text(cell, depth) for cell in cells)} |"
        for item in block["items"] if isinstance(block.get("items"), list) else ():
            if isinstance(item, dict):
                yield f"{item.get('label') or '-'} {' '.join(_lines(item.get('blocks'), depth - 1))}"
        yield from _lines(block.get("blocks"), depth - 1)


def _text(text: Any, depth: int) -> str:
    return "".join(islice(_pieces(text, depth), _MAX_PIECES))


def _pieces(text: Any, depth: int) -> Iterator[str]:
    if isinstance(text, str):
        yield text
    elif isinstance(text, list) and depth:
        for one in text:
            yield from _pieces(one, depth - 1)
    elif isinstance(text, dict) and depth:
        for name in ("text", "expression", "alternative_text"):
            yield from _pieces(text.get(name), depth - 1)


def attachments_of(message: Message | ExternalReplyInfo) -> tuple[Attachment, ...]:
    """List what came with a message, or with one of another chat; a text message brings nothing."""
    if isinstance(message, Message) and message.text:
        return ()
    if message.photo:
        return (_photo(message.photo),)
    if message.document is not None and message.animation is None:
        return (_document(message.document),)
    found = [
        _other_attachment(message, field, name)
        for field, name in _OTHER_CONTENT.items()
        if getattr(message, field, None)
    ]
    return tuple(found[:1])


def _photo(sizes: Sequence[PhotoSize]) -> Attachment:
    by_area = sorted(sizes, key=lambda size: size.width * size.height)
    fitting = [size for size in by_area if (size.file_size or 0) <= _MAX_PICTURE_BYTES]
    best = fitting[-1] if fitting else by_area[0]
    return Attachment(
        kind=AttachmentKind.IMAGE,
        name="photo.jpg",
        mimetype="image/jpeg",
        reference=best.file_id,
        size=best.file_size or 0,
    )


def _document(document: Document) -> Attachment:
    name, mimetype = clean(document.file_name or "document").text, (document.mime_type or "").lower()
    return Attachment(
        kind=attachment_kind(name, mimetype),
        name=name,
        mimetype=mimetype,
        reference=document.file_id,
        size=document.file_size or 0,
    )


def _other_attachment(message: Message | ExternalReplyInfo, field: str, name: Callable[[Any], str]) -> Attachment:
    content = getattr(message, field)
    return Attachment(
        kind=AttachmentKind.OTHER,
        name=clean(name(content)).text,
        mimetype=getattr(content, "mime_type", None) or "",
        reference=getattr(content, "file_id", None) or "",
        size=getattr(content, "file_size", None) or 0,
    )


def _timed_title(what: str) -> Callable[[Any], str]:
    # the attribute itself is about to change its type, and warns of it
    return lambda content: f"{what}, {content.to_dict().get('duration', 0)} s"


def _plain_title(what: str) -> Callable[[Any], str]:
    return lambda content: what


# a venue carries its location too and an animation its document: the first one that is there is the whole
_OTHER_CONTENT: dict[str, Callable[[Any], str]] = {
    "animation": _timed_title("animation"),
    "audio": lambda audio: audio.file_name or audio.title or "audio",
    "video": _timed_title("video"),
    "video_note": _timed_title("video message"),
    "voice": _timed_title("voice message"),
    "sticker": lambda sticker: f"sticker {sticker.emoji or ''}".rstrip(),
    "venue": lambda venue: f"venue {venue.title}",
    "location": _plain_title("location"),
    "contact": _plain_title("contact card"),
    "poll": _plain_title("poll"),
    "dice": lambda dice: f"dice {dice.emoji} {dice.value}",
    "game": lambda game: f"game {game.title}",
    "story": _plain_title("story"),
    "live_photo": _plain_title("live photo"),
    "paid_media": _plain_title("paid media"),
    "invoice": _plain_title("invoice"),
    "giveaway": _plain_title("giveaway"),
    "giveaway_winners": _plain_title("winners of a giveaway"),
    "checklist": _plain_title("checklist"),
}
CONTENT = frozenset({"text", "caption", "photo", "document", *_OTHER_CONTENT})
"""The fields that make a message one that says something; all others tell of an event."""
