"""Entities: where they come from by themselves, and which ones the API accepts. Offsets count UTF-16 units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .refusals import bad
from .values import words

Entity = dict[str, Any]

_REST = r"[^\s<>]*[^\s<>.,:;!?)\]'\"]"
# Ends of names without a scheme that are linked: any two letters and the usual others. The real list is IANA's.
_TOP = "(?:[a-z]{2}|com|org|net|edu|gov|info|biz|dev|app|xyz|site|online|link|click|top|shop|blog|cloud|page|zip|рф)"

# In the order of precedence: a command inside a link is part of the link.
_FOUND = (
    ("url", re.compile(rf"(?<![\w@])(?:https?|ftp|tg|ton|tonsite)://{_REST}", re.IGNORECASE)),
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[A-Za-z]{2,}")),
    ("url", re.compile(rf"(?<![\w@./-])(?:[\w-]+\.)+{_TOP}(?![\w-])(?:[/?#:]{_REST})?")),
    ("bot_command", re.compile(r"(?<![\w/<>@])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])")),
    ("mention", re.compile(r"(?<![\w@])@[A-Za-z0-9_]{2,32}(?![\w@])")),
    ("hashtag", re.compile(r"(?<![\w#])#\w*[^\W\d_]\w*")),
)
KINDS = frozenset(
    words(
        "mention hashtag cashtag bot_command url email phone_number bold italic underline strikethrough spoiler "
        "blockquote expandable_blockquote code pre text_link text_mention custom_emoji date_time"
    )
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_DROPPED = re.compile(r"[\r\u2028-\u202e\u0333\u033f\u030a]")
_STRIPPED = " \t\n\u00a0"


def units(text: str) -> int:
    """Count UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """Return what an entity covers."""
    return text.encode("utf-16-le", "surrogatepass")[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


def found(text: str) -> list[Entity]:
    """Find what Telegram marks by itself: links, addresses, commands, mentions, hashtags."""
    taken: list[tuple[int, int]] = []
    entities: list[Entity] = []
    for kind, pattern in _FOUND:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            entities.append({"type": kind, "offset": units(text[: match.start()]), "length": units(match[0])})
    return ordered(entities)


def joined(given: Sequence[Entity], text: str) -> list[Entity]:
    """Add what Telegram finds outside the entities that were given."""
    free = [entity for entity in found(text) if not any(_overlap(entity, other) for other in given)]
    return ordered([*given, *free])


def ordered(entities: Sequence[Entity]) -> list[Entity]:
    """Sort as the API does: by place, the longer first."""
    return sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))


def cleaned(text: str) -> str:
    """Replace what Telegram does not carry, as tdlib's clean_input_string does."""
    return _CONTROL.sub(" ", _DROPPED.sub("", text))


def stripped(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    """Cut the blank ends off and move the entities along."""
    body = text.strip(_STRIPPED)
    lead, size = units(text[: len(text) - len(text.lstrip(_STRIPPED))]), units(body)
    return body, list(_moved(entities, lead, size))


def checked(text: str, entities: Any) -> list[Entity]:
    """Accept the entities of a request, or refuse them."""
    if not isinstance(entities, list):
        raise bad("can't parse entities JSON object")
    limits, total = _boundaries(text), units(text)
    for entity in entities:
        _check(entity, limits, total)
    return ordered([entity for entity in entities if entity["length"] > 0])


def _check(entity: Any, limits: dict[int, int], total: int) -> None:
    if not isinstance(entity, dict) or entity.get("type") not in KINDS:
        raise bad("can't parse MessageEntity: Unsupported type specified")
    offset, length = entity.get("offset"), entity.get("length")
    if not isinstance(offset, int) or not isinstance(length, int) or offset < 0 or length < 0:
        raise bad('can\'t parse MessageEntity: Field "offset" must be a valid Number')
    end = offset + length
    if end > total:
        raise bad(f"entity beginning at UTF-16 offset {offset} ends after the end of the text at UTF-16 offset {end}")
    for place, verb in ((offset, "begins"), (end, "ends")):
        if place not in limits:
            raise bad(f"entity {verb} in a middle of a UTF-16 symbol at byte offset {limits[place - 1]}")


def _boundaries(text: str) -> dict[int, int]:
    """Map each UTF-16 offset between two characters to its byte offset."""
    place = size = 0
    places = {0: 0}
    for character in text:
        place += units(character)
        size += len(character.encode("utf-8", "surrogatepass"))
        places[place] = size
    return places


def _moved(entities: Sequence[Entity], lead: int, size: int) -> Iterator[Entity]:
    for entity in entities:
        start = max(entity["offset"] - lead, 0)
        end = min(entity["offset"] + entity["length"] - lead, size)
        if end > start:
            yield entity | {"offset": start, "length": end - start}


def _overlap(one: Entity, other: Entity) -> bool:
    return bool(one["offset"] < other["offset"] + other["length"] and other["offset"] < one["offset"] + one["length"])
