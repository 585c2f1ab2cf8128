"""Find the bot's own earlier silence or refusal in what it was told, where it makes it do the same again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson

from bot.domain.messages import Message, Role, TextPart
from bot.mind.fact_search import alike
from bot.text.terms import plain, terms

_SKIP_TOOL = "skip"
_MAX_CHARS = 600
_LEAST_SHARE = 0.5
_REFUSES = re.compile(
    r"\bi (?:can'?t|cannot|won'?t|will not|am not able to|am unable to|may not|must not|refuse to|'m not able to"
    r"|'m unable to)"
    r"|\bi'm (?:sorry, but i (?:can'?t|cannot)|not (?:able|allowed) to|unable to)"
    r"|\b(?:ich kann|kann ich|ich darf|darf ich|ich werde|ich mochte)\b[^.!?]{0,40}\b(?:nicht|kein\w*)\b"
    r"|\bno (?:puedo|debo|voy a|me es posible)\b|\b(?:nao|nem) (?:posso|devo|vou|consigo)\b"
    r"|\bje ne (?:peux|dois|vais|suis) (?:\w+ )?pas\b|\bje refuse\b|\bне (?:могу|буду|стану|имею права)\b"
    r"|\bя отказываюсь\b"
)


class OwnRefusal(NamedTuple):
    """An earlier refusal of the bot's own: its reason then, what it answered (row, 0: unknown), and where it stands.

    `message` is the place in the request, from 1. `skipped`: it was silent.
    """

    reason: str
    inbound: int
    message: int
    skipped: bool
    shared: tuple[str, ...]


def earlier_skip(messages: Sequence[Message], before: int, reason: str, category: str) -> OwnRefusal | None:
    """Return the newest earlier silence with the same reason; `before` is the row of the message asked about."""
    found = (one for one in _skips(messages) if one.inbound != before)
    alike_ones = [one for one in found if _says_the_same(one, reason, category)]
    if not alike_ones:
        return None
    newest = alike_ones[-1]
    return OwnRefusal(newest.reason, newest.inbound, newest.message, True, _shared(newest.reason, reason))


def earlier_refusal(messages: Sequence[Message], before: int, answer: str) -> OwnRefusal | None:
    """Return the newest earlier answer that refuses what this one refuses, in about the same words."""
    if not refuses(answer):
        return None
    found: OwnRefusal | None = None
    asked = 0
    for place, message in enumerate(messages, 1):
        if message.role is Role.USER:
            asked = message.inbound
        if message.role is not Role.ASSISTANT or asked == before:
            continue
        said = "\n".join(part.text for part in message.parts if isinstance(part, TextPart))
        shared = _shared(said, answer)
        if refuses(said) and len(shared) >= 2 and len(shared) >= _LEAST_SHARE * len(set(terms(answer[:_MAX_CHARS]))):
            found = OwnRefusal(said[:_MAX_CHARS], asked, place, False, shared)
    return found


def refuses(answer: str) -> bool:
    """Say whether an answer refuses something."""
    return bool(_REFUSES.search(plain(answer[:_MAX_CHARS].replace("’", "'"))))


class _Skip(NamedTuple):
    reason: str
    category: str
    inbound: int
    message: int


def _skips(messages: Sequence[Message]) -> Iterator[_Skip]:
    asked = 0
    for place, message in enumerate(messages, 1):
        if message.role is Role.USER:
            asked = message.inbound
        for call in message.calls:
            if call.name == _SKIP_TOOL:
                read = _arguments(call.arguments)
                yield _Skip(read.get("reason", ""), read.get("category", ""), asked, place)


def _arguments(text: str) -> dict[str, str]:
    try:
        found = orjson.loads(text)
    except ValueError:
        return {}
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def _says_the_same(one: _Skip, reason: str, category: str) -> bool:
    if not one.reason or one.category != category:
        return False
    said, now = set(terms(one.reason)), set(terms(reason))
    shared = _shared(one.reason, reason)
    return bool(shared) and len(shared) >= _LEAST_SHARE * min(len(said), len(now))


def _shared(one: str, other: str) -> tuple[str, ...]:
    held = set(terms(one[:_MAX_CHARS]))
    return tuple(term for term in dict.fromkeys(terms(other[:_MAX_CHARS])) if any(alike(term, own) for own in held))
