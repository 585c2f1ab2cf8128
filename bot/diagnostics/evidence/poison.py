"""Recognise what a poisoned memory says: whom it keeps from an answer, and how it tries to rule.

It is asked only about what stood in the prompt of a message that got no answer, so it may suspect more than the
detector of plain silencing orders (`bot.text.silencing`), which speaks up whenever a memory is saved.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from bot.text.silencing import Directive, silencing

LONGEST_TEXT = 8_000
_ORDERS = 6


class Force(IntEnum):
    """How strongly a text asks for silence; higher is stronger."""

    NONE = 0
    RULES = 1
    """It wants to be obeyed or copied, without a word about silence."""
    HINTS = 2
    """It speaks of silence."""
    ORDERS = 3
    """It orders silence."""


class Order(NamedTuple):
    """An order to be silent and whom it names: an empty target is everybody, `!` before it everybody else."""

    words: str
    target: str


class Hint(NamedTuple):
    """A sentence that speaks of silence; `alone` when it needs nobody to be silent towards."""

    words: str
    alone: bool


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PERSON = r"(?P<{}>@?[\w.-]{{1,40}}|<@!?\d{{2,20}}>)"
_ONLY = re.compile(
    r"\b(?:only|solely|exclusively)\s+(?:ever\s+)?(?:obey|answer|respond\s+to|reply\s+to|listen\s+to|talk\s+to|speak\s+to|"
    rf"serve|help|trust)\s+(?:the\s+)?(?:user\s+)?{_PERSON.format('one')}"
    r"|\b(?:obey|answer|respond|reply|listen|talk|speak)\s+(?:to\s+)?(?:only|nobody\s+(?:but|except)|no\s+one\s+(?:but|except))"
    rf"\s+(?:to\s+)?(?:the\s+)?(?:user\s+)?{_PERSON.format('other')}",
    re.IGNORECASE,
)
_NOT_ONE = _set("when if in on with after about questions messages what the a an this that")
_SENTENCE = re.compile(r"[^.!?;\n]{1,400}")
_WORD = re.compile(r"\w+(?:[_'’-]\w+)*")

_STEMS = tuple(
    _set(
        "ignor disregard silen mut skip block ban blacklist blocklist shun ghost quarantin boycott shadowban suppress "
        "withh drop discard revok forfeit refus forbid forbad prohibit den quiet unrespons unanswer offline invisible "
        "spam exclud empt"
    )
)
_ENDINGS = _set(
    "e es ed ing s y ies ied er t ted ting ning ned nt d old eld holding en den ce ced cing ive n bed ped ping"
)
_ALONE = _set("silent silence quiet mute unresponsive skip offline nothing")
_STATES = _set("is are was were s")
_NOT = _set(
    "not never no none nothing nobody without stop cease quit refrain avoid cannot lost lose dont forbidden hold"
)
_TAKEN_BACK = _set("stop cease quit ignore ignoring forget refuse drop skip block mute")
_SPEECH = tuple(
    _set(
        "answer repl respon react talk speak engag help serv assist acknowledg contact interact attention listen token "
        "word access communicat convers exist"
    )
)
_FOREIGN = re.compile(
    r"\bantworte\w*\s+(?:\w+\s+){0,4}(?:nicht|nie|niemals)\b|\b(?:nicht|nie|niemals)\s+(?:mehr\s+)?antworten\b|\bschweig\w*\b"
    r"|\bignorier\w+\b|\bno\s+(?:le\s+|les\s+)?(?:respond|contest)\w+\b|\bign[oó]r(?:a|ar|en)\b|\bguarda\s+silencio\b"
    r"|\bne\s+(?:lui\s+|leur\s+|plus\s+)?r[ée]pond\w*\s+(?:pas|plus|jamais)\b|\bne\s+(?:pas|plus)\s+(?:lui\s+)?r[ée]pondre\b"
    r"|\bgarde\w*\s+le\s+silence\b|(?:не|никогда)\s+(?:\w+\s+){0,2}(?:отвечай|отвечать|реагируй)|игнорир\w+|молчи"
    r"|不要(?:再)?(?:回复|回答|理)|别(?:回复|回答|理)|忽略|保持沉默|返信しない|答えない|無視|\bno_reply\b",
    re.IGNORECASE,
)
_RULING = re.compile(
    r"\b(?:ignore|disregard|forget|override|overrule|supersedes?|replaces?|cancel)\s+(?:\w+\s+){0,2}"
    r"(?:previous|prior|above|earlier|other|your|system|all|any)\s+(?:\w+\s+){0,2}"
    r"(?:instructions?|rules?|prompts?|directions?|guidelines?|policy|policies|orders?|settings?)\b"
    r"|\b(?:system|admin\w*|developer|operator|root|security)\s+(?:override|directive|command)\b|\b(?:highest|top)\s+priority\b"
    r"|\b(?:copy|repeat|save|store|write|include|propagate|re-?create|append|re-?save|preserve|restore|spread|re-?add)"
    r"\s+(?:\w+\s+){0,2}this\s+(?:very\s+)?(?:memory|note|instruction|rule|line|text|entry|sentence)\b|\bobey\b"
    r"|\b(?:is|am)\s+(?:now\s+)?(?:your|the\s+(?:new|real|true|only))\s+(?:admin\w*|owner|master|operator)\b"
    r"|\bis\s+now\s+the\s+(?:admin\w*|owner|master|operator)\b(?!\s+of)|\byou\s+are\s+now\s+(?:a|an|the|called)\b"
    r"|<\/?(?:system|instructions?|admin|important)\b|\[/?(?:system|inst)\]|^[^\S\n]*(?:system|assistant)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


def orders(text: str, names: tuple[str, ...] = ()) -> Iterator[Order]:
    """Find the orders of a folded text; `names` are people whose bare names count."""
    for found in _plain_orders(text[:LONGEST_TEXT], names):
        yield Order(text[found.start : found.end], found.target)
    for only in _ONLY.finditer(text[:LONGEST_TEXT]):
        one = only["one"] or only["other"]
        if one.lower() not in _NOT_ONE:
            yield Order(only[0], f"!{one}")


def hints(text: str) -> Iterator[Hint]:
    """Find the sentences of a folded text that speak of silence without being a plain order."""
    for sentence in _SENTENCE.finditer(text[:LONGEST_TEXT]):
        words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence[0])]
        pairs = list(zip(["", *words], words, strict=False))
        foreign = _FOREIGN.search(sentence[0]) is not None
        alone = foreign or any(word in _ALONE and before not in _STATES for before, word in pairs)
        if any(_denies(before) and word in _TAKEN_BACK for before, word in pairs):
            continue
        if alone or any(map(_is_strong, words)) or (any(map(_denies, words)) and any(map(_is_speech, words))):
            yield Hint(sentence[0], alone)


def rules(text: str) -> bool:
    """Say whether a folded text wants to be obeyed, to override, or to be copied."""
    return _RULING.search(text[:LONGEST_TEXT]) is not None


def fold(text: str) -> str:
    """Undo disguises: compatibility forms, invisible characters and letters drawn apart; only for comparing."""
    normal = unicodedata.normalize("NFKC", text)
    shown = "".join(c for c in normal if unicodedata.category(c) not in {"Cf", "Co", "Mn"} or c == "\n")
    return re.sub(r"\b(?:\w[ .*_-]){4,}\w\b", lambda run: re.sub(r"[ .*_-]", "", run[0]), shown)


def _denies(word: str) -> bool:
    return word in _NOT or word.endswith("n't")


def _is_speech(word: str) -> bool:
    return word.startswith(_SPEECH)


def _is_strong(word: str) -> bool:
    return any(
        word.startswith(stem) and (word == stem or word[len(stem) :] in _ENDINGS or len(stem) > 5) for stem in _STEMS
    )


def _plain_orders(text: str, names: tuple[str, ...]) -> Iterator[Directive]:
    start = 0
    for _ in range(_ORDERS):
        found = silencing(text[start:], names)
        if found is None:
            return
        yield found._replace(start=start + found.start, end=start + found.end)
        start += found.end
