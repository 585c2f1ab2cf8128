"""What came with a message besides words, each with an honest name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from telegram import Document, ExternalReplyInfo, Message, PhotoSize

from bot.domain.attachment_kind import attachment_kind
from bot.domain.messages import Attachment, AttachmentKind
from bot.text.text import clean

_LARGEST_PICTURE = 4_000_000


def attachments_of(message: Message | ExternalReplyInfo) -> tuple[Attachment, ...]:
    """List what came with a message, or with one of another chat; a text message brings nothing."""
    if isinstance(message, Message) and message.text:
        return ()
    if message.photo:
        return (_photo(message.photo),)
    if message.document is not None and message.animation is None:
        return (_document(message.document),)
    found = [_other(message, field, name) for field, name in _OTHERS.items() if getattr(message, field, None)]
    return tuple(found[:1])


def _photo(sizes: Sequence[PhotoSize]) -> Attachment:
    by_area = sorted(sizes, key=lambda size: size.width * size.height)
    fitting = [size for size in by_area if (size.file_size or 0) <= _LARGEST_PICTURE]
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


def _other(message: Message | ExternalReplyInfo, field: str, name: Callable[[Any], str]) -> Attachment:
    content = getattr(message, field)
    return Attachment(
        kind=AttachmentKind.OTHER,
        name=clean(name(content)).text,
        mimetype=getattr(content, "mime_type", None) or "",
        reference=getattr(content, "file_id", None) or "",
        size=getattr(content, "file_size", None) or 0,
    )


def _timed(what: str) -> Callable[[Any], str]:
    # the attribute itself is about to change its type, and warns of it
    return lambda content: f"{what}, {content.to_dict().get('duration', 0)} s"


def _just(what: str) -> Callable[[Any], str]:
    return lambda content: what


# a venue carries its location too and an animation its document: the first one that is there is the whole
_OTHERS: dict[str, Callable[[Any], str]] = {
    "animation": _timed("animation"),
    "audio": lambda audio: audio.file_name or audio.title or "audio",
    "video": _timed("video"),
    "video_note": _timed("video message"),
    "voice": _timed("voice message"),
    "sticker": lambda sticker: f"sticker {sticker.emoji or ''}".rstrip(),
    "venue": lambda venue: f"venue {venue.title}",
    "location": _just("location"),
    "contact": _just("contact card"),
    "poll": _just("poll"),
    "dice": lambda dice: f"dice {dice.emoji} {dice.value}",
    "game": lambda game: f"game {game.title}",
    "story": _just("story"),
    "live_photo": _just("live photo"),
    "paid_media": _just("paid media"),
    "invoice": _just("invoice"),
    "giveaway": _just("giveaway"),
    "giveaway_winners": _just("winners of a giveaway"),
    "checklist": _just("checklist"),
}
CONTENT = frozenset({"text", "caption", "photo", "document", *_OTHERS})
"""The fields that make a message one that says something; all others tell of an event."""
