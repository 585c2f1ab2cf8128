"""The one door through which people's words become transcript messages: a JSON header line, then the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import orjson

from bot.domain.base import canonical_json
from bot.domain.messages import (
    Attachment,
    Author,
    AuthorKind,
    ImagePart,
    Inbound,
    InboundKind,
    LinkPreview,
    Message,
    MessageReference,
    ReferenceKind,
    Role,
    TextPart,
    UnseenReason,
)
from bot.domain.references import HEADER_NAMES
from bot.text.text import file_name, one_line_name

_QUOTING = tuple(dict.fromkeys(name for kind, name in HEADER_NAMES.items() if kind is not ReferenceKind.LINKS))
_QUOTES = HEADER_NAMES[ReferenceKind.ANSWERED]
_NOT_TOLD = UnseenReason.NOT_TOLD.value
_LAST_MS = 253_402_300_799_000  # 9999-12-31T23:59:59Z: `datetime` knows nothing later


class FetchedAttachment(NamedTuple):
    """What became of a file that came with a message: the part that a model reads, or None and the reason."""

    attachment: Attachment
    part: TextPart | ImagePart | None
    reason: str = ""


class ParsedMessage(NamedTuple):
    """A rendered user message, taken apart again."""

    header: dict[str, object]
    text: str


class QuotedWords(NamedTuple):
    """Words of somebody that stand in the header of another's message; an empty id is not told."""

    user_id: str
    name: str
    words: str


@lru_cache(maxsize=1024)
def utc(ms: int) -> str:
    """Write UTC milliseconds as `2026-11-21T02:58:07Z`; total, absurd times are clamped."""
    return datetime.fromtimestamp(min(max(ms, 0), _LAST_MS) // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def as_message(row: int, inbound: Inbound, *, ambient: bool, brought: Sequence[FetchedAttachment] = ()) -> Message:
    """Render what arrived as the model reads it; `row` is its ledger row.

    Files stand before the words, so that the header with the words is always the last part: whatever a file holds, it
    cannot pass for a header. A file that is not `brought` is named as one that nobody looked at.
    """
    deleted = inbound.kind is InboundKind.DELETE
    words = TextPart(text=_header(inbound, brought) + "\n" + ("" if deleted else inbound.text))
    return Message(
        role=Role.USER,
        parts=(*(one.part for one in brought if one.part is not None), words),
        author=inbound.author,
        at=inbound.sent_at,
        inbound=row,
        message_id=inbound.message_id,
        ambient=ambient,
        origins=inbound.origins,
    )


def text_file(attachment: Attachment, content: str) -> TextPart:
    """Render the content of a text file as one JSON object, so that no line of it can pass for one of ours."""
    return TextPart(text=canonical_json({"content": content, "file": file_name(attachment.name)}))


def sent_note(sent: Sequence[Mapping[str, object]], pictures: Sequence[ImagePart], at: int) -> Message:
    """Render what the bot itself sent beside its words: a note of the program, which nobody's message can pass for.

    Every message of a person has an id in its header, and this one has none.
    """
    header = canonical_json({"at": utc(at), "is": "program", "you_sent": list(sent)})
    return Message(role=Role.USER, parts=(*pictures, TextPart(text=header)), at=at)


def parse_header(text: str) -> ParsedMessage | None:
    """Take a rendered message apart; None when it does not begin with a header. Undone by `join_header`."""
    first, newline, rest = text.partition("\n")
    if not newline or not first.startswith('{"at":'):
        return None
    try:
        header = orjson.loads(first)
    except ValueError:
        return None
    return ParsedMessage(header, rest) if isinstance(header, dict) and {"at", "from", "id"} <= header.keys() else None


def join_header(headed: ParsedMessage) -> str:
    """Put a header and its text together."""
    return canonical_json(headed.header) + "\n" + headed.text


def quoted_words(header: Mapping[str, object]) -> tuple[QuotedWords, ...]:
    """Return whom a header quotes, or whose words it says were forwarded."""
    found = []
    for name in _QUOTING:
        value = header.get(name)
        if isinstance(value, dict):
            told = (str(value.get(key, "")) for key in ("id", "from", "words"))
            found.append(QuotedWords(*told))
    return tuple(found)


def quoted_by(message: Message) -> tuple[QuotedWords, ...]:
    """Return whom a message quotes; nearly none does, and a long conversation is asked message by message."""
    last = message.parts[-1] if message.role is Role.USER and message.parts else None
    if not isinstance(last, TextPart) or not any(f'"{name}":' in last.text for name in _QUOTING):
        return ()
    headed = parse_header(last.text)
    return quoted_words(headed.header) if headed is not None else ()


def without_words(header: Mapping[str, object]) -> dict[str, object]:
    """Return a header without the words that it quotes: what is left of it our program wrote."""
    names = set(HEADER_NAMES.values())
    return {
        key: {k: v for k, v in value.items() if k != "words"} if key in names and isinstance(value, dict) else value
        for key, value in header.items()
    }


def without_answered(message: Message, message_id: str) -> Message | None:
    """Return a message that does not quote one any more that was deleted; None where it never did.

    Pictures that came with the deleted one go with its words.
    """
    last = message.parts[-1] if message.role is Role.USER and message.parts else None
    headed = parse_header(last.text) if isinstance(last, TextPart) else None
    answered = headed.header.get(_QUOTES) if headed and headed.header.get("replies_to") == message_id else None
    gone: dict[str, object] = {"is": UnseenReason.DELETED.value}
    if headed is None or not isinstance(answered, dict) or answered == gone:
        return None
    shown = sum(file.get("seen") == "above" for file in answered.get("files", ()))
    words = TextPart(text=join_header(ParsedMessage({**headed.header, _QUOTES: gone}, headed.text)))
    return message.replace(parts=(*message.parts[: len(message.parts) - 1 - shown], words))


def with_links(message: Message, links: Sequence[LinkPreview]) -> Message:
    """Return a message with what its platform found behind its links by now; one that was deleted stays as it is."""
    last = message.parts[-1] if message.role is Role.USER and message.parts else None
    headed = parse_header(last.text) if isinstance(last, TextPart) else None
    if headed is None or "deleted" in headed.header:
        return message
    header = {**headed.header, HEADER_NAMES[ReferenceKind.LINKS]: _links(links)}
    return message.replace(parts=(*message.parts[:-1], TextPart(text=join_header(ParsedMessage(header, headed.text)))))


def spoken_words(message: Message) -> str:
    """Return only the person's own words of a rendered message (for searching and quoting)."""
    last = message.parts[-1] if message.parts else None
    if not isinstance(last, TextPart):
        return message.text
    headed = parse_header(last.text) if message.role is Role.USER else None
    return headed.text if headed else message.text


def _header(inbound: Inbound, brought: Sequence[FetchedAttachment]) -> str:
    author = inbound.author
    header: dict[str, object] = {"at": utc(inbound.sent_at), "from": one_line_name(author.name), "id": author.user_id}
    if author.kind is not AuthorKind.PERSON:
        header["is"] = author.kind.value
    if inbound.kind is InboundKind.RESULT:
        header["is"] = "result"
    if inbound.replies_to:
        header["replies_to"] = inbound.replies_to
    if inbound.attachments:
        header["files"] = [_file(attachment, brought) for attachment in inbound.attachments]
    for one in inbound.refers:
        header[HEADER_NAMES[one.kind]] = (
            _links(one.links) if one.kind is ReferenceKind.LINKS else _referred(one, brought)
        )
    if inbound.kind is InboundKind.EDIT:
        header["edited"] = True
    if inbound.kind is InboundKind.DELETE:
        header["deleted"] = True
    return canonical_json(header)


def _referred(one: MessageReference, brought: Sequence[FetchedAttachment]) -> dict[str, object]:
    """Write what a message refers to as data of the header: no line of it can pass for a message or for ours."""
    found = _who(one.author, one.at)
    if one.kind is ReferenceKind.FORWARDED and one.author is None:
        found["from"] = _NOT_TOLD
    if one.kind is ReferenceKind.STORY:
        found["is"] = "story"
    if one.place:
        found["in"] = one_line_name(one.place)
    if one.unseen is not None:
        found["is"] = one.unseen.value
    if one.origin is not None or one.origin_at:
        found["forwarded"] = {"from": _NOT_TOLD, **_who(one.origin, one.origin_at)}
    if one.text:
        found["words"] = one.text
    if one.is_part:
        found["part"] = True
    if one.attachments:
        found["files"] = [_file(attachment, brought) for attachment in one.attachments]
    if one.links:
        found["links"] = _links(one.links)
    return found


def _who(author: Author | None, at: int) -> dict[str, object]:
    found: dict[str, object] = {"at": utc(at)} if at else {}
    if author is None:
        return found
    if author.kind is AuthorKind.SELF:
        return {**found, "from": "you"}
    found["from"] = one_line_name(author.name)
    if author.user_id:
        found["id"] = author.user_id
    if author.kind is not AuthorKind.PERSON:
        found["is"] = author.kind.value
    return found


def _links(found: Sequence[LinkPreview]) -> list[dict[str, object]]:
    return [{"title": one.title, "url": one.url} if one.title else {"url": one.url} for one in found]


def _file(attachment: Attachment, brought: Sequence[FetchedAttachment]) -> dict[str, object]:
    found = next((one for one in brought if one.attachment == attachment), None)
    if found is None:
        seen = "not looked at"
    elif found.part is None:
        seen = f"not shown: {found.reason}"
    else:
        seen = "above"
    return {"name": file_name(attachment.name), "seen": seen, "type": attachment.mimetype}
