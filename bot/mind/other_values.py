"""Tell whether an answer in its own words says another time, price, name, place or trait than a fact, or its opposite.

Both have to be about one thing: the answer names what the fact is about, and nothing that makes another thing of it.
Who says what the fact says, anywhere, does not contradict it; nor does who tells of the past, of one thing more, or of
what may be. What cannot be told is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bot.mind import value_words as words
from bot.mind.fact_search import alike
from bot.mind.fact_words import SELF
from bot.mind.spoken_figures import Said, numbers_of, times_of
from bot.text.terms import plain, terms

_MAX_FACT_CHARS, _MAX_CHARS = 300, 600
_TOKEN = re.compile(r"[dljmtsn]['’](?=\w)|\d{1,2}[:h.]\d{2}|[^\W_]+(?:['’.\-][^\W_]+)*|[^\w\s]|\n", re.IGNORECASE)
_DAY_OF_MONTH = re.compile(r"(?<=\d)\.(?=\s+(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez))", re.IGNORECASE)
"""A point that ends no sentence."""
_CLAUSE_END = frozenset(".!?;\n…")
_SIGNS = frozenset(',:—–-()"«»„“”')
_LEAST_SHARE = 0.5
_PREFIX = 4
_BEGINNING = 3
_MAX_EXTRAS = 3
_MAX_BARE = 2
_DATE = "date"


class OtherKind(StrEnum):
    """Of what kind it is that two sayings differ in."""

    FIGURE = "figure"
    VALUE = "value"
    NEGATION = "negation"


class OtherValue(NamedTuple):
    """What an answer says otherwise: the kind, the fact's words for it, the answer's, and what both are about."""

    kind: OtherKind
    sentence: str
    values: tuple[tuple[str, ...], tuple[str, ...]]
    subject: tuple[str, ...]


class _Sentence(NamedTuple):
    """A sentence, read once; `low` are its folded words and signs, `said` as they are written."""

    text: str
    said: tuple[str, ...]
    low: tuple[str, ...]
    content: tuple[str, ...]
    names: frozenset[str]
    times: tuple[Said, ...]
    numbers: tuple[Said, ...]
    days: frozenset[str]
    is_told: bool
    is_more: bool
    beginnings: frozenset[str]


def other_value(fact: str, answer: str) -> OtherValue | None:
    """Return in what an answer says something else than a fact; None where it does not, or cannot be told."""
    if len(fact) > _MAX_FACT_CHARS:
        return None
    facts, said = _read(fact), _read(answer[:_MAX_CHARS])
    if len(facts) != 1 or not facts[0].is_told or not facts[0].content:
        return None
    for sentence in said:
        if sentence.is_told and (found := _compared(facts[0], sentence, said)) is not None:
            return found
    return None


@lru_cache(maxsize=512)
def _read(text: str) -> tuple[_Sentence, ...]:
    found, start = [], 0
    text = _DAY_OF_MONTH.sub(" ", text)
    tokens = [*_TOKEN.finditer(text)]
    for place, token in enumerate((*tokens, None)):
        if token is None or token[0] in _CLAUSE_END:
            part = tokens[start:place]
            if part:
                asks = token is not None and token[0] == "?"
                found.append(_sentence(text[part[0].start() : part[-1].end()], part, asks=asks))
            start = place + 1
    return tuple(found)


def _sentence(text: str, tokens: Sequence[re.Match[str]], *, asks: bool) -> _Sentence:
    said = tuple(token[0] for token in tokens)
    low = tuple(plain(word.replace("’", "'")) for word in said)
    times, numbers = times_of(low), numbers_of(low)
    counted = {place for one in (*times, *numbers) for place in range(one.at, one.end)}
    content = tuple(
        term
        for place, word in enumerate(low)
        if place not in counted and word not in words.LIGHT
        for term in words.HOMOGRAPHS.get(said[place].casefold(), terms(word.removesuffix("'s")))
        if not _is_day(term) and not term[0].isdigit()
    )
    names = frozenset(
        low[place].removesuffix("'s")
        for place, word in enumerate(said)
        if word[:1].isupper()
        and place
        and low[place] not in words.NO_NAME | words.LIGHT
        and terms(low[place])
        and place not in counted
        and low[place] not in words.STREETS
        and not any(_is_day(term) for term in terms(low[place]))
    )
    days = frozenset(term for place, word in enumerate(low) for term in _days(low, place, word))
    beginnings = frozenset(term[:_BEGINNING] for term in content)
    folded = plain(text)
    # what was cancelled is so now
    told = not words.NOT_TOLD.search(folded) or bool(words.CANCELLED.search(folded))
    # "how are your two cats" says how many
    told = told and (not asks or any(one.at and low[one.at - 1] in words.ADDRESSED for one in numbers))
    return _Sentence(
        text.strip(),
        said,
        low,
        content,
        names,
        times,
        numbers,
        days,
        told,
        bool(words.MORE.search(folded)),
        beginnings,
    )


def _days(low: Sequence[str], place: int, word: str) -> tuple[str, ...]:
    """Return the weekday or month that a word names; `na quinta` is a Thursday, and `a quinta` may be a farm."""
    if word in words.SHORT_DAYS and place and low[place - 1] in words.BEFORE_DAY:
        return (words.SHORT_DAYS[word],)
    return tuple(term for term in terms(word) if _is_day(term))


def _is_on_some_days(sentence: _Sentence) -> bool:
    """Say whether something is told of some days alone: on other days it may be otherwise."""
    return any(
        word in words.SOME_DAYS or (bool(_days(sentence.low, place, word)) and sentence.low[place - 1] in words.EACH)
        for place, word in enumerate(sentence.low)
        if place or word in words.SOME_DAYS
    )


def _is_day(term: str) -> bool:
    return term.startswith(("weekday:", "month:"))


def _denies(sentence: _Sentence, about: Iterable[str]) -> bool:
    """Say whether a clause that names one of some words says no: `no problem` denies nothing of it."""
    about = tuple(about)
    clause: list[str] = []
    for word in (*sentence.low, ","):
        if word not in _SIGNS:
            clause.append(word)
            continue
        if any(map(_says_no, clause)) and any(_same(one, said.removesuffix("'s")) for one in about for said in clause):
            return True
        clause = []
    return False


def _says_no(word: str) -> bool:
    return word in words.NEGATIVE or word.startswith(words.NEGATIVE_STEMS) or word.endswith("n't")


def _compared(fact: _Sentence, said: _Sentence, whole: Sequence[_Sentence]) -> OtherValue | None:
    if fact.beginnings.isdisjoint(said.beginnings):
        return None
    shared = tuple(term for term in fact.content if any(_same(term, one) for one in said.content))
    if not shared:
        return None
    found = _opposite(fact, said, shared)
    about = (*shared, *(said.low[one.at] for one in (*said.times, *said.numbers)))
    if found is None and not (said.is_more or fact.is_more or _denies(fact, fact.content) or _denies(said, about)):
        found = _figure(fact, said, shared, whole) or _trait(fact, said, shared, whole)
        found = found or _name(fact, said, whole) or _place(fact, said, shared, whole)
    if found is None:
        return None
    kind, one, other = found
    return OtherValue(kind, said.text, (one, other), shared)


_Found = tuple[OtherKind, tuple[str, ...], tuple[str, ...]]


def _same(one: str, other: str) -> bool:
    """Say whether two words are forms of one; `churrasco` and `churrascos`, `Treffen` and `trefft`."""
    if one == other or alike(one, other):
        return True
    short, long = sorted((len(one), len(other)))
    if short > _PREFIX:
        return one[:_PREFIX] == other[:_PREFIX] and long - short < _PREFIX
    # names of four letters are bent, too: Женя, Жене
    return short == _PREFIX and one[: short - 1] == other[: short - 1] and long - short < 2 and one[0] > "z"


def _is_about(fact: _Sentence, said: _Sentence, shared: Sequence[str], without: Iterable[str] = ()) -> bool:
    """Say whether a sentence is about what a fact is about, and not about something near it."""
    subject = [term for term in fact.content if term not in without]
    held = [term for term in subject if term in shared]
    if not held or len(held) < _LEAST_SHARE * len(subject):
        return False
    missing = [name for name in fact.names if not any(_same(name, one) for one in said.low)]
    strangers = [name for name in said.names if not any(_same(name, one) for one in fact.low)]
    if missing and (strangers or not any(term not in fact.names for term in held)):
        return False
    narrowed = _is_another_thing(fact, said, held) or _is_another_thing(said, fact, held)
    return not narrowed and not _is_another_deed(fact, said)


def _is_another_deed(fact: _Sentence, said: _Sentence) -> bool:
    """Say whether one tells of the beginning and the other of the end."""
    sides = [
        {place for place, deeds in enumerate(words.DEEDS) if any(words.is_member(word, deeds) for word in one.low)}
        for one in (fact, said)
    ]
    return any(one ^ 1 in sides[1] and one not in sides[1] for one in sides[0])


def _is_another_thing(fact: _Sentence, said: _Sentence, held: Sequence[str]) -> bool:
    """Say whether what both name is only part of what the sentence is about: `raid sign-up`, `team meeting`."""
    for place, word in enumerate(said.low):
        if not any(_same(term, word.removesuffix("'s")) for term in held) or word in fact.names:
            continue
        before = said.low[place - 1] if place else ""
        behind = said.low[place + 1] if place + 1 < len(said.low) else ""
        if word.endswith("'s") or behind in words.OF:
            owned = said.low[place + 1 : place + 3]
            if any(_is_new(fact, said, one) for one in owned):
                return True
        if behind in words.FOR and any(_is_new(fact, said, one) for one in said.low[place + 2 : place + 4]):
            return True
        if before in words.AFTERWARDS or any(one in words.AFTERWARDS for one in said.low[max(0, place - 2) : place]):
            return True
        if before and _is_new(fact, said, before) and before not in words.VERBS and not _is_call(said, place - 1):
            return True
    return False


def _is_call(said: _Sentence, place: int) -> bool:
    """Say whether a word begins a clause: often a verb, or a call, but not what is bent like an adjective."""
    begins = place == 0 or said.low[place - 1] in _SIGNS
    return begins and not said.low[place].endswith(words.ADJECTIVES)


def _is_new(fact: _Sentence, said: _Sentence, word: str) -> bool:
    return word in said.content and not any(_same(word, one) for one in fact.low)


def _figure(fact: _Sentence, said: _Sentence, shared: Sequence[str], whole: Sequence[_Sentence]) -> _Found | None:
    if not _is_about(fact, said, shared, _units(fact)):
        return None
    if fact.times and said.times and (fact.days or not said.days) and not any(map(_is_on_some_days, (fact, said))):
        here, there = {one.value for one in fact.times}, {one.value for one in said.times}
        times = {one.value for sentence in whole for one in sentence.times}
        if here.isdisjoint(times) and len(there) == 1:
            return OtherKind.FIGURE, _words(fact, fact.times), _words(said, said.times)
    if fact.days and said.days and not fact.numbers:
        days = {day for sentence in whole for day in sentence.days}
        if len(fact.days) == len(said.days) == 1 and fact.days.isdisjoint(days) and not _is_of_other_deeds(fact, said):
            return OtherKind.FIGURE, tuple(fact.days), tuple(said.days)
    return _amount(fact, said, whole)


def _is_of_other_deeds(fact: _Sentence, said: _Sentence, but: tuple[str, ...] = ()) -> bool:
    """Say whether each has a word of its own: the report is due and the invoice is due, the choir sings and trains."""
    sides = ((fact, said), (said, fact))
    return all(
        any(
            not words.is_member(term, but) and not any(_same(term, word.removesuffix("'s")) for word in other.low)
            for term in one.content
        )
        for one, other in sides
    )


def _amount(fact: _Sentence, said: _Sentence, whole: Sequence[_Sentence]) -> _Found | None:
    said_anywhere = {one.value for sentence in whole for one in sentence.numbers}
    for one in fact.numbers:
        unit = _unit(fact, one)
        others = [other for other in said.numbers if _fits(unit, _unit(said, other), fact, said)]
        is_of_others = unit == _DATE and _is_of_other_deeds(fact, said)
        if len(fact.numbers) == len(others) == 1 and one.value not in said_anywhere and not is_of_others:
            return OtherKind.FIGURE, _words(fact, (one,)), _words(said, others)
    return None


def _unit(sentence: _Sentence, number: Said) -> str:
    following = [word for word in sentence.low[number.end : number.end + 2] if word not in words.OF]
    beside = (*following[:1], *sentence.low[max(0, number.at - 1) : number.at])
    if any(term.startswith("month:") for word in beside for term in terms(word)):
        return _DATE
    behind = [*sentence.low[number.end : number.end + 2], *sentence.low[max(0, number.at - 1) : number.at]]
    if any(word.startswith(words.MONEY) for word in behind):
        return "money"
    return next((term for word in behind[:1] for term in terms(word) if word[0].isalpha()), "")


def _units(fact: _Sentence) -> frozenset[str]:
    return frozenset(
        word for one in fact.numbers for word in fact.low[one.end : one.end + 1] if word.startswith(words.MONEY)
    )


def _fits(unit: str, other: str, fact: _Sentence, said: _Sentence) -> bool:
    """Say whether two numbers count one kind of thing."""
    if not unit or not other:
        return (
            any(word.startswith(words.COSTS) for word in fact.low)
            and {unit, other} <= {"", "money"}
            and any(word.startswith((*words.COSTS, *words.MONEY)) for word in said.low)
        )
    return unit == other or _same(unit, other)


def _words(sentence: _Sentence, said: Iterable[Said]) -> tuple[str, ...]:
    return tuple(" ".join(sentence.said[one.at : one.end]) for one in said)


def _trait(fact: _Sentence, said: _Sentence, shared: Sequence[str], whole: Sequence[_Sentence]) -> _Found | None:
    """Another of one kind of which a thing has one: a colour, a profession, a subject, a breed."""
    everywhere = {term for sentence in whole for word in sentence.low for term in terms(word)}
    for members, needed in words.TRAITS:
        own = [word for word in fact.low if words.is_member(word, members)]
        others = [place for place, word in enumerate(said.low) if words.is_member(word, members)]
        if len(own) != 1 or len(others) != 1 or any(_same(own[0], word) for word in everywhere):
            continue
        subject = [term for term in fact.content if not _same(term, own[0]) and term not in words.GENERAL]
        held = [term for term in subject if any(_same(term, one) for one in said.content)]
        strangers = said.names - {said.low[others[0]]}
        if any(not any(_same(name, one) for one in fact.low) for name in strangers):
            continue
        if not held or len(held) < len(subject) or _is_somebody_of(fact, said, held):
            continue
        near = said.low[max(0, others[0] - 2) : others[0] + 3]
        if not needed and not any(_same(term, word.removesuffix("'s")) for term in held for word in near):
            continue
        lead = said.low[max(0, others[0] - 4) : others[0]]
        if needed and not any(word.startswith(needed) for word in lead):
            continue
        return OtherKind.VALUE, (own[0],), (said.low[others[0]],)
    return None


def _is_somebody_of(fact: _Sentence, said: _Sentence, held: Sequence[str]) -> bool:
    """Say whether it is told of somebody or something else of whom a fact is about: Eva's brother, Monas Mann."""
    for place, word in enumerate(said.low[:-1]):
        owner = word.removesuffix("'s")
        is_owner = word.endswith("'s") or (word.endswith("s") and said.said[place][:1].isupper())
        if is_owner and word not in fact.low and any(_same(term, owner) for term in held):
            return _is_new(fact, said, said.low[place + 1])
    return False


def _name(fact: _Sentence, said: _Sentence, whole: Sequence[_Sentence]) -> _Found | None:
    link = next((place for place, word in enumerate(fact.low) if place and word in (*words.CALLED, "—", "–")), None)
    if link is None:
        return None
    behind = [place for place in range(link + 1, len(fact.said)) if _is_name(fact, place)]
    if not behind or behind[0] > link + 3:
        return None
    given = [fact.low[place] for place in behind]
    if any(words.is_member(given[0], members) for members, _ in words.TRAITS):
        return None
    subject = [term for term in fact.content if term not in given and term not in words.CALLED]
    everywhere = {term for sentence in whole for word in sentence.low for term in terms(word)}
    if not subject or any(_same(one, word) for one in given for word in everywhere):
        return None
    is_bare = len(said.content) <= _MAX_BARE and any(_same(subject[0], one) for one in said.content)
    if not is_bare and not all(any(_same(term, one.removesuffix("'s")) for one in said.low) for term in subject):
        return None
    other = next((place for place in range(len(said.said)) if _is_named(fact, said, subject, place)), None)
    return (OtherKind.VALUE, tuple(given), (said.low[other],)) if other is not None else None


def _is_name(sentence: _Sentence, place: int) -> bool:
    return (
        sentence.said[place][:1].isupper()
        and sentence.low[place] not in words.NO_NAME
        and len(sentence.said[place]) > 1
    )


def _is_named(fact: _Sentence, said: _Sentence, subject: Sequence[str], place: int) -> bool:
    """Say whether a name stands where it names what a fact is about: beside it, or behind `is called`."""
    if not _is_name(said, place) or any(_same(said.low[place], one) for one in fact.low):
        return False
    before = place - 1
    while before >= 0 and (said.low[before] in words.BEFORE_NAME or said.low[before] in _SIGNS):
        before -= 1
    if before >= 0 and before < place and _is_subject(said.low[before], subject):
        return True
    if place and said.low[place - 1] in words.CALLED:
        return True
    behind = place + 1
    if behind >= len(said.low) or said.low[behind] not in (*_SIGNS, *words.IS):
        return said.low[max(0, place - 1)] in words.TITLES and _is_subject_near(said, subject, place)
    nearby = said.low[behind + 1 : behind + 7]
    titled = place > 0 and said.low[place - 1] in words.TITLES
    return bool(nearby) and (titled or _leads_to(nearby, subject))


def _is_subject(word: str, subject: Sequence[str]) -> bool:
    return any(_same(term, word.removesuffix("'s")) for term in subject)


def _is_subject_near(said: _Sentence, subject: Sequence[str], place: int) -> bool:
    return any(_is_subject(word, subject) for word in said.low[place + 1 : place + 9])


def _leads_to(nearby: Sequence[str], subject: Sequence[str]) -> bool:
    """Say whether what is named follows, with nothing before it but articles."""
    for word in nearby:
        if _is_subject(word, subject):
            return True
        if word not in words.BEFORE_NAME and word not in words.IS:
            return False
    return False


def _place(fact: _Sentence, said: _Sentence, shared: Sequence[str], whole: Sequence[_Sentence]) -> _Found | None:
    here, there = _places(fact), [one for one in _places(said) if not any(_same(one, word) for word in fact.content)]
    if len(here) != 1 or len(there) != 1 or any(word.startswith(words.ELSEWHERE) for word in said.low):
        return None
    everywhere = {term for sentence in whole for word in sentence.low for term in terms(word)}
    if any(_same(here[0], word) for word in everywhere):
        return None
    subject = [term for term in fact.content if term not in {here[0], *words.LIVES, *words.PLACE_LEADS, *words.STREETS}]
    held = [term for term in subject if term in shared]
    strangers = [name for name in said.names if name != there[0] and not any(_same(name, one) for one in fact.low)]
    known = (*fact.content, there[0], *words.STREETS)
    extras = [term for term in said.content if not any(_same(term, one) for one in known)]
    if not held or len(held) < len(subject) or strangers or len(extras) > _MAX_EXTRAS:
        return None
    if _is_another_thing(fact, said, held):
        return None
    return OtherKind.VALUE, (here[0],), (there[0],)


def _places(sentence: _Sentence) -> list[str]:
    found = []
    for place, word in enumerate(sentence.low):
        if not _is_name(sentence, place) or any(_is_day(term) for term in terms(word)):
            continue
        lead = place - 1
        while lead > 0 and sentence.low[lead] in words.BEFORE_PLACE:
            lead -= 1
        if lead >= 0 and lead < place and sentence.low[lead] in words.PLACE_LEADS:
            found.append(word)
    return found


def _opposite(fact: _Sentence, said: _Sentence, shared: Sequence[str]) -> _Found | None:
    """The one says yes and the other says no, about the same people and the same deed."""
    if said.days and fact.days and fact.days.isdisjoint(said.days):
        return None
    for positive, negative in (*words.OPPOSITES, *words.OPPOSITES_OF_ALL):
        if fact.times or said.times:
            break
        one, other = (_leaning(sentence, positive, negative) for sentence in (fact, said))
        if one * other >= 0:
            continue
        deed = [term for term in fact.content if not words.is_member(term, (*positive, *negative))]
        held = [term for term in deed if any(_same(term, word.removesuffix("'s")) for word in said.low)]
        strangers = [name for name in said.names if not any(_same(name, word) for word in fact.low)]
        least = 1.0 if (positive, negative) in words.OPPOSITES_OF_ALL else _LEAST_SHARE
        is_of_another = bool(deed) and deed[0] not in held and _is_of_other_deeds(fact, said, (*positive, *negative))
        if is_of_another:
            continue
        if held and len(held) >= least * len(deed) and not (strangers and said.names & fact.names != fact.names):
            return OtherKind.NEGATION, ("yes" if one > 0 else "no",), ("yes" if other > 0 else "no",)
    return _denied_of_all(fact, said, shared)


def _denied_of_all(fact: _Sentence, said: _Sentence, shared: Sequence[str]) -> _Found | None:
    """The one says no of all that the other says."""
    is_all = len(shared) >= len(fact.content)
    has_strangers = any(not any(_same(name, word) for word in fact.low) for name in said.names)
    if has_strangers and not (is_all and _is_denied_together(said, shared)):
        return None
    denied = _denies(fact, fact.content), _denies(said, shared)
    own = not SELF.isdisjoint(fact.low) and not words.ADDRESSED.isdisjoint(said.low)
    if denied == (True, False) and is_all and (len(shared) > 1 or (own and not words.HAS.isdisjoint(said.low))):
        return OtherKind.NEGATION, ("no",), ("yes",)
    beyond = [
        term
        for term in said.content
        if term not in words.NEGATIVE and not any(_same(term, one) for one in fact.content)
    ]
    is_never = not words.NEVER.isdisjoint(said.low) and not beyond
    if denied == (False, True) and len(shared) > 1 and (is_never or (is_all and _is_denied_together(said, shared))):
        return OtherKind.NEGATION, ("yes",), ("no",)
    is_over = any(words.is_member(word, tuple(f"{one.rstrip('*')}*" for one in words.STOPPED)) for word in fact.low)
    deed = [term for term in shared if term not in said.names | fact.names]
    if denied == (False, False) and is_over and not words.STILL.isdisjoint(said.low) and len(deed) > 1:
        return OtherKind.NEGATION, ("no",), ("yes",)
    return None


def _is_denied_together(said: _Sentence, shared: Sequence[str]) -> bool:
    """Say whether one clause names all of it and says no."""
    clause: list[str] = []
    for word in (*said.low, ","):
        if word not in _SIGNS:
            clause.append(word)
            continue
        if any(word in words.DENYING for word in clause) and all(
            any(_same(term, one.removesuffix("'s")) for one in clause) for term in shared
        ):
            return True
        clause = []
    return False


def _leaning(sentence: _Sentence, positive: tuple[str, ...], negative: tuple[str, ...]) -> int:
    """Say whether a sentence says yes (1) or no (-1) about a deed; 0: nothing, or both."""
    yes = any(words.is_member(word, positive) for word in sentence.low)
    no = any(words.is_member(word, negative) for word in sentence.low)
    if yes == no:
        return 0
    denied = any(word in words.DENYING or word.endswith("n't") for word in sentence.low)
    return (1 if yes else -1) * (-1 if denied else 1)
