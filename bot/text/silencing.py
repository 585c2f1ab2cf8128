"""Recognise words that order the bot to be silent towards somebody, or in a place.

Two questions have two tables of sentences. `silencing` is asked whenever a memory is saved: what it finds is put before
admins, and a false alarm costs trust, so a doubtful sentence is not found. `orders`, `hints` and `rules` are asked only
about what stood in the prompt of a message that got no answer, so they may suspect more. Every sentence that must and
must not be found is in tests/bot/text/test_silencing.py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import NamedTuple

LONGEST_TEXT = 8_000
_MAX_ORDERS = 6


class Directive(NamedTuple):
    """An order to be silent: its words, where they stand, and whom or what it names (empty: everybody)."""

    words: str
    target: str
    start: int
    end: int


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


class Word(NamedTuple):
    """A word or a sign of the text; `low` is how it is compared."""

    low: str
    start: int
    end: int
    capital: bool


@dataclass(frozen=True)
class Reading:
    """The words of a text, and the lower-case names that are known to be people."""

    text: str
    words: Sequence[Word]
    names: frozenset[str]

    def low(self, at: int) -> str:
        """Return the word at a position, empty beyond the ends of the text."""
        return self.words[at].low if 0 <= at < len(self.words) else ""

    def phrase(self, at: int, phrases: frozenset[tuple[str, ...]]) -> int:
        """Return how many words the longest of these phrases takes here, 0 when none stands here."""
        near = _by_first_word(phrases).get(self.low(at), ())
        return max((len(p) for p in near if all(self.low(at + n) == w for n, w in enumerate(p))), default=0)

    def skip(self, at: int, words: Collection[str]) -> int:
        """Return the first position that does not hold one of these words."""
        while self.low(at) in words:
            at += 1
        return at

    def ends(self, at: int) -> bool:
        """Say whether a clause ends before this position."""
        word = self.low(at)
        return not word or not (word[0].isalnum() or word[0] in "@#<_")


class Span(NamedTuple):
    """Where an order's object stands; an empty target is everybody."""

    first: int
    last: int
    end: int


@cache
def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(","))


@cache
def _by_first_word(phrases: frozenset[tuple[str, ...]]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Sort phrases, so that a word that begins none of them costs one look: nearly every word is such a one."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in phrases:
        found[phrase[0]] = (*found.get(phrase[0], ()), phrase)
    return found


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"<@!?\d+>|[@#]?\w+(?:[.'’\-]\w+)*|[^\w\s]|\n")
_NOT = _phrases("do not,don't,dont,never,must not,must never,mustn't,should not,should never,shouldn't,shall not")
_NOT |= _phrases("shall never,will not,will never,won't,may not,not to,never to,no longer,must no longer,are not to")
_NOT |= _phrases("should no longer,shall no longer,will no longer,am not to,is not to,may no longer")
_STOP = _phrases("stop,quit,cease,avoid,refrain from")
_IGNORE = _phrases("ignore,start ignoring,begin ignoring,keep ignoring")
_SILENT = frozenset(
    (a, *b, c)
    for a in ("stay", "remain", "be", "keep", "go")
    for b in ((), ("completely",), ("totally",))
    for c in ("silent", "quiet", "mute")
)
_NO_ANSWER = _phrases(
    "no answer,no answers,no reply,no replies,no response,no responses,no more answers,no more replies"
)
_ADVERBS = _set("ever again directly further even just always simply completely also")
_ANSWER = _set("answer respond reply react talk speak write engage interact chat converse communicate")
_ANSWERING = _set("answering responding replying reacting talking speaking writing engaging interacting chatting")
_PRONOUNS = _set("him her them me us everyone everybody anyone anybody")
_MESSAGES = _set("message messages question questions request requests post posts")
_QUANTIFIERS = _set("any all more every the further other")
_OWNERS = _set("his her their my our")
_USERS = _set("user users member person")
_SPEAKS = _set("says say writes write asks ask posts post sends send speaks talks")
_PLACES = _set("channel group chat server room thread topic")
_AFTER_ALL = _phrases("anymore,any more,any longer,again,at all,ever,for now,from now on")
_AFTER_STOP = _AFTER_ALL | _phrases("until,unless,completely,altogether,entirely,immediately,please,today,tonight")
_AFTER_NAME = _AFTER_STOP | _phrases(
    "here,in this,in the,in our,when,whenever,because,since,after,and,or,even,if,about"
)
_NO_NAME = _set(
    "a about advice all an any anything are as at back because before both but by case code duplicate early email "
    "english fast first for french from german he here how i if in input is it its late long mail more much music "
    "noise nothing now of on once only or out over please politics she small so some something spam text that the "
    "then there these they this those to too twice under unknown until we well what when where which whitespace who "
    "why with without yes yet you no not and off sarcasm"
)
_NEGATIONS = _set("not never no don't dont didn't doesn't won't can't cannot mustn't shouldn't")
_SUBJECTS = _set("you i we bot assistant glassmind")
_MODALS = _set("should must shall will would may to")
_HAND_ON = _set("please and then or that so now better rule decided agreed")
_INSTRUCTS = _set(
    "told tell tells ask asked asks instruct instructed instructs instruction order ordered orders decided decides "
    "agreed agrees want wants wanted request requested requests need needs supposed promised promises commanded "
    "demanded demands wishes insisted insists are am is has have decision rule"
)

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
_HINT_WORD = re.compile(r"\w+(?:[_'’-]\w+)*")

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
_DENIALS = _set(
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


def silencing(text: str, names: Collection[str] = ()) -> Directive | None:
    """Return the first order in `text` to be silent, or None; `names` are people whose bare names count as persons."""
    return next(_orders(_read(text, names)), None)


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
        words = [word.lower().replace("’", "'") for word in _HINT_WORD.findall(sentence[0])]
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


def _read(text: str, names: Collection[str]) -> Reading:
    words = [
        Word(m[0].lower().replace("’", "'"), m.start(), m.end(), m[0][:1].isupper() and m[0][1:2].islower())
        for m in _WORD.finditer(text)
    ]
    return Reading(text, words, frozenset(name.lower() for name in names))


def _orders(reading: Reading) -> Iterator[Directive]:
    for at in range(len(reading.words)):
        found = _order(reading, at)
        if found is None:
            continue
        start, end = reading.words[at].start, reading.words[found.end - 1].end
        named = found.last > found.first
        target = reading.text[reading.words[found.first].start : reading.words[found.last - 1].end] if named else ""
        if _is_ordered(reading, at, strictly=not named):
            yield Directive(reading.text[start:end], target, start, end)


def _order(reading: Reading, at: int) -> Span | None:
    """Read an order that begins at this word, and its object."""
    if taken := reading.phrase(at, _NOT):
        verb = reading.skip(at + taken, _ADVERBS)
        return _answer(reading, verb, _AFTER_ALL) if reading.low(verb) in _ANSWER else None
    if taken := reading.phrase(at, _STOP):
        verb = reading.skip(at + taken, _ADVERBS)
        return _answer(reading, verb, _AFTER_STOP) if reading.low(verb) in _ANSWERING else None
    if taken := reading.phrase(at, _IGNORE):
        return _whom(reading, at + taken)
    if taken := reading.phrase(at, _SILENT):
        return _quiet(reading, at + taken)
    if taken := reading.phrase(at, _NO_ANSWER):
        return _whom(reading, at + taken + 1) if reading.low(at + taken) in {"to", "for"} else None
    if reading.low(at) == "ignored":
        return _passive(reading, at)
    return None


def _answer(reading: Reading, verb: int, after: frozenset[tuple[str, ...]]) -> Span | None:
    """Read what follows `answer`, `respond to`, ...: somebody, a place, or nothing more."""
    at = verb + 1
    if reading.ends(at):
        return Span(at, at, at)
    if taken := reading.phrase(at, after):
        return Span(at, at, at + taken)
    if place := _place(reading, at):
        return place
    leads = reading.phrase(at, _phrases("to,with,back to"))
    if not leads and not reading.low(verb).startswith("answer"):
        return None
    return _whom(reading, at + leads)


def _quiet(reading: Reading, at: int) -> Span | None:
    """Read what follows `stay silent`."""
    if reading.low(at) in {"when", "whenever", "if"} and reading.low(at + 2) in _SPEAKS:
        return Span(at + 1, at + 2, at + 3) if reading.low(at + 1) not in _NO_NAME else None
    if reading.low(at) in {"to", "toward", "towards", "with", "for"}:
        return _whom(reading, at + 1)
    if reading.ends(at):
        return Span(at, at, at)
    taken = reading.phrase(at, _AFTER_STOP)
    return Span(at, at, at + taken) if taken else _place(reading, at)


def _place(reading: Reading, at: int) -> Span | None:
    if reading.low(at) == "here":
        return Span(at, at + 1, at + 1)
    if reading.low(at) not in {"in", "on"}:
        return None
    if reading.low(at + 1).startswith("#"):
        return Span(at, at + 2, at + 2)
    here = reading.low(at + 1) in {"this", "the", "our"} and reading.low(at + 2) in _PLACES
    return Span(at, at + 3, at + 3) if here else None


def _whom(reading: Reading, at: int) -> Span | None:
    """Read a person, or what a person says: `messages from ann`, `what ann says`, `his questions`."""
    noun = reading.skip(at, _QUANTIFIERS)
    if reading.low(noun) in _MESSAGES:
        if reading.low(noun + 1) in {"from", "by", "of"}:
            return _person(reading, noun + 2)
        return Span(at, noun + 1, noun + 1) if reading.low(at) == "all" and reading.ends(noun + 1) else None
    if reading.low(at) in {"everything", "anything", "whatever", "what"} and reading.low(at + 2) in _SPEAKS:
        return Span(at + 1, at + 2, at + 3)
    owner = reading.low(at)
    if (owner in _OWNERS or owner.endswith("'s")) and reading.low(at + 1) in _MESSAGES:
        return Span(at, at + 1, at + 2)
    return _person(reading, at)


def _person(reading: Reading, at: int) -> Span | None:
    """Read somebody; a bare name must be known, or look like one and close its clause."""
    if reading.low(at) == "the" and reading.low(at + 1) in _USERS:
        at += 1
    if reading.low(at) in _USERS and not reading.ends(at + 1):
        named = at + 1 + reading.phrase(at + 1, _phrases("named,called,with id,id"))
        return Span(named, named + 1, named + 1) if _is_name(reading, named) else None
    word = reading.low(at)
    certain = word in _PRONOUNS or word in reading.names or word.startswith(("@", "<@")) or word.isdigit()
    if certain and not (word in {"her", "us"} and not _closes(reading, at + 1)):
        return Span(at, at + 1, at + 1)
    last = at + 1
    while last < at + 3 and last < len(reading.words) and reading.words[last].capital and reading.words[at].capital:
        last += 1
    return Span(at, last, last) if _is_name(reading, at) and _closes(reading, last) else None


def _is_name(reading: Reading, at: int) -> bool:
    word = reading.low(at)
    if reading.ends(at) or word in _NO_NAME:
        return False
    return reading.words[at].capital or word in reading.names or not word.endswith(("s", "ly", "ing", "ed"))


def _closes(reading: Reading, at: int) -> bool:
    return reading.ends(at) or reading.phrase(at, _AFTER_NAME) > 0


def _passive(reading: Reading, at: int) -> Span | None:
    """Read backwards from `ignored`: `messages from ann must be ignored`."""
    if reading.low(at - 1) != "be" or reading.low(at - 2) not in _MODALS:
        return None
    who = at - 3 - (reading.low(at - 2) == "to")
    sure = reading.low(who) in reading.names or reading.low(who).startswith("@") or reading.low(who).isdigit()
    named = reading.low(who - 1) in {"from", "by", "user", "users"} and _is_name(reading, who)
    return Span(who, who + 1, at + 1) if sure or named else None


def _is_ordered(reading: Reading, at: int, *, strictly: bool) -> bool:
    """Say whether the order is given to the bot, and neither told of somebody else nor taken back.

    An order without an object is as often a remark about a machine, so `strictly` wants the bot addressed.
    """
    if reading.low(at) == "ignored" or reading.low(at) == "no":
        return True
    before = at - 1
    while reading.low(before) in _ADVERBS and reading.low(before) != "again":
        before -= 1
    word = reading.low(before)
    if word in _NEGATIONS or (word in _MODALS and reading.low(before - 1) in _NEGATIONS):
        return False
    if word == "to" or (reading.low(at) in {"not", "never"} and reading.low(at + 1) == "to"):
        return _instructed(reading, before)
    if word in _MODALS:
        return _is_subject(reading, before - 1) or _opens(reading, before - 1)
    return (
        _opens(reading, before)
        or _is_subject(reading, before)
        or (word in _HAND_ON and not strictly)
        or word == "please"
    )


def _opens(reading: Reading, before: int) -> bool:
    return reading.ends(before) or before < 0


def _is_subject(reading: Reading, at: int) -> bool:
    return reading.low(at) in _SUBJECTS or reading.low(at).endswith("bot")


def _instructed(reading: Reading, at: int) -> bool:
    """Say whether the words before `to` hand an order on: `james told the bot to`."""
    for back in range(at, max(-1, at - 12), -1):
        if reading.low(back) in _INSTRUCTS:
            return True
        if reading.ends(back) and reading.low(back) not in {",", '"'}:
            return False
    return at < 0


def _denies(word: str) -> bool:
    return word in _DENIALS or word.endswith("n't")


def _is_speech(word: str) -> bool:
    return word.startswith(_SPEECH)


def _is_strong(word: str) -> bool:
    return any(
        word.startswith(stem) and (word == stem or word[len(stem) :] in _ENDINGS or len(stem) > 5) for stem in _STEMS
    )


def _plain_orders(text: str, names: tuple[str, ...]) -> Iterator[Directive]:
    start = 0
    for _ in range(_MAX_ORDERS):
        found = silencing(text[start:], names)
        if found is None:
            return
        yield found._replace(start=start + found.start, end=start + found.end)
        start += found.end
