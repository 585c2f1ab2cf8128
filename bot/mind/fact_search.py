"""Find the line that holds a fact: it shares what is asked about, and says something of the kind that was wanted.

That words are shared is not enough: a line about the same thing that lacks a name, a time or a number where one was
wanted, a question, and what somebody else said of their own are no facts about what was asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bot.inspect.diff.find_words import SourcedLine, SourceKind
from bot.mind import fact_words as words
from bot.mind.source_ranking import content
from bot.text.terms import is_figure, plain, terms, traces

MAX_READ_LINES = 200
"""How many lines are read closely at most."""
_PORTUGUESE_TEAM = "time"
_TOPIC = "topic:"
_TOPIC_WEIGHT = 0.4
_LEAST_SHARE = 0.6
_MOST_BETWEEN = 7
_MAX_LINE_CHARS = 2_000
_SENTENCE = re.compile(r"[^.!?\n]*+(?:[.!?]++|\n|\Z)")
_TOKEN = re.compile(r"[^\W\d_]+|\d[\w:.,'-]*")
_HELD_BY_NOBODY = frozenset({SourceKind.TEMPLATE, SourceKind.PROGRAM, SourceKind.TOOL, SourceKind.CALL})
"""Lines that hold no fact about people: our own texts, and what the model asked for."""


class Wanted(StrEnum):
    """What kind of thing was asked for."""

    WHEN = "when"
    CLOCK = "time of day"
    NUMBER = "number"
    NAME = "name"
    PLACE = "place"
    ANYTHING = "anything"


_KINDS = (
    (Wanted.WHEN, words.WHEN),
    (Wanted.NAME, words.NAMES),
    (Wanted.NUMBER, words.NUMBERS),
    (Wanted.PLACE, words.WHERE),
)


class ToldLine(NamedTuple):
    """A line that a model was told, and who said or caused it (empty: nobody in particular)."""

    line: SourcedLine
    author: str = ""


class FactQuery(NamedTuple):
    """What is asked about, in terms, what kind of thing is wanted, and who asks.

    `own`: it is about something of the asker. `also` are terms of which one at least has to be shared, too.
    """

    subjects: tuple[str, ...]
    wanted: Wanted
    asker: str = ""
    own: bool = False
    also: tuple[str, ...] = ()


class HeldFact(NamedTuple):
    """A line that holds the fact, the terms that it shares with the question, and how much that says."""

    told: ToldLine
    shared: tuple[str, ...]
    score: float


def query(text: str, asker: str = "", also: str = "") -> FactQuery:
    """Read what a sentence asks about, or denies to know; `also` is what it answers."""
    folded = plain(text)
    tokens = set(_TOKEN.findall(folded))
    if words.PORTUGUESE.search(folded):
        tokens.discard(_PORTUGUESE_TEAM)
    own = bool(tokens & words.MINE) or bool(words.OF_ASKER.search(folded))
    wanted = Wanted.CLOCK if words.TIME_OF_DAY.search(folded) else _wanted(tokens)
    return FactQuery(_subjects(text), wanted, asker, own=own, also=_subjects(also))


@lru_cache(maxsize=2048)
def _folded(line: str) -> str:
    """Fold a line once, although it is held against several questions."""
    return plain(line)


def _subjects(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term in _topics(text) if not _says_nothing(term, text)))


def _topics(text: str) -> tuple[str, ...]:
    """Return the terms of a text; what people say in many words is one of them."""
    written = (words.SHORT_FOR.get(term, term) for term in terms(text))
    return tuple(words.TOPIC_OF.get(term, term) for term in written)


def _says_nothing(term: str, text: str) -> bool:
    if term == _PORTUGUESE_TEAM and words.PORTUGUESE.search(plain(text)):
        return False
    return term in words.SAYS_NOTHING


def find_fact(asked: FactQuery, told: Sequence[ToldLine], known: Iterable[str] = ()) -> HeldFact | None:
    """Return the line that most likely holds what was asked for; None where none does.

    `known` are names of people: what one of them has is not what another has.
    """
    if not asked.subjects:
        return None
    names = frozenset(name for one in known for name in _names(one))
    lines = [
        (one, _folded(content(one.line)[:_MAX_LINE_CHARS]))
        for one in told
        if one.line.source.kind not in _HELD_BY_NOBODY
    ]
    weights = {term: _weight(term, lines) for term in {*asked.subjects, *asked.also}}
    found = (_judged(asked, one, weights, names) for one in _worth_reading(asked, lines, weights))
    return max((one for one in found if one is not None), key=lambda held: held.score, default=None)


def alike(one: str, other: str) -> bool:
    """Say whether two terms are forms of one word."""
    if one == other:
        return True
    # most pairs are two words: what is alike begins alike, or is the end of the other
    if (one[:3] != other[:3] and one[-5:] != other[-5:]) or not (one.isalpha() and other.isalpha()):
        return False
    short, long = sorted((one, other), key=len)
    same = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    if same == len(short):
        return len(short) >= 3 and (len(long) - len(short) <= 2 or (len(short) >= 4 and len(long) - len(short) <= 4))
    if same == 0 and long.endswith(short):
        return len(short) >= 5 and len(long) - len(short) <= 4
    return (same >= 4 and len(long) - same <= 3) or (same >= 6 and len(long) - same <= 4)


def statements(text: str) -> str:
    """Return what a text says, without its questions and without what it does not know itself."""
    kept = (found[0] for found in _SENTENCE.finditer(text[:_MAX_LINE_CHARS]) if found[0].strip())
    return "".join(one for one in kept if not one.rstrip().endswith("?") and not words.DENIAL.search(_straight(one)))


def _wanted(tokens: set[str]) -> Wanted:
    for kind, said in _KINDS:
        if tokens & said:
            return kind
    return Wanted.ANYTHING


def _weight(term: str, lines: Sequence[tuple[ToldLine, str]]) -> float:
    if term.startswith(_TOPIC):
        return _TOPIC_WEIGHT
    held = sum(any(trace in text for trace in _traces(term)) for _, text in lines)
    return math.log((len(lines) + 2) / (held + 1)) + 0.3


def _traces(term: str) -> tuple[str, ...]:
    """Return what a folded text must hold at least one of, to hold a form of a term; nothing for a topic."""
    if term.startswith(_TOPIC):
        return ()
    if is_figure(term):
        return traces(term)
    return (term[:4] if len(term) > 4 else term[:3],)


def _worth_reading(
    asked: FactQuery, lines: Sequence[tuple[ToldLine, str]], weights: dict[str, float]
) -> list[ToldLine]:
    """Choose the lines that may share most: reading each closely would take long in a large request."""
    looked_for = [(traced, weights[term]) for term in asked.subjects if (traced := _traces(term))]
    promised = []
    for place, (one, text) in enumerate(lines):
        author = plain(one.author)
        held = (weight for traced, weight in looked_for if any(trace in text or trace in author for trace in traced))
        promised.append((sum(held), place))
    chosen = sorted((one for one in promised if one[0] or not looked_for), reverse=True)[:MAX_READ_LINES]
    return [lines[place][0] for _, place in chosen]


def _judged(asked: FactQuery, told: ToldLine, weights: dict[str, float], names: frozenset[str]) -> HeldFact | None:
    said = statements(content(told.line))
    held = _topics(said)
    if not held or not _is_about_asker(asked, told, said, names) or _is_of_another_day(asked, held):
        return None
    whose = _names(told.author) if _speaks_of_self(said) else ()
    shared = [term for term in asked.subjects if any(alike(term, one) for one in (*held, *whose))]
    # what one of them has is not what another has
    if not shared or any(term in names and term not in shared for term in asked.subjects):
        return None
    part, total = (sum(weights[term] for term in chosen) for chosen in (shared, asked.subjects))
    further = [term for term in asked.also if any(alike(term, one) for one in (*held, *whose))]
    if part < _LEAST_SHARE * total or (asked.also and not further):
        return None
    if all(term in names for term in (*shared, *further)):
        return None
    if not _holds(asked, said, held, names):
        return None
    return HeldFact(told, tuple(shared), part + sum(weights[term] for term in further) / 2)


def _is_of_another_day(asked: FactQuery, held: Sequence[str]) -> bool:
    """Say whether a line is about today where tomorrow is asked about."""
    days = words.DAYS.intersection((*asked.subjects, *asked.also))
    return bool(days) and bool(said := words.DAYS.intersection(held)) and days.isdisjoint(said)


def _is_about_asker(asked: FactQuery, told: ToldLine, said: str, names: frozenset[str]) -> bool:
    """Say whether a line may be about something of the asker, where that is what is asked about."""
    if not asked.own:
        return True
    asker, named = frozenset(_names(asked.asker)), frozenset(terms(said))
    mentions = bool(asker & {part for term in named for part in (term, term.removesuffix("s"))})
    if told.line.source.kind is SourceKind.MESSAGE:
        is_own = bool(asker & frozenset(_names(told.author)))
        return (is_own and not (names - asker) & named) or (mentions and not _speaks_of_self(said))
    others = {name for name in names - asker if name in named or f"{name}s" in named}
    return mentions or (not others and (not told.author or bool(asker & frozenset(_names(told.author)))))


def _speaks_of_self(said: str) -> bool:
    return bool(set(_TOKEN.findall(plain(said))) & words.SELF)


def _holds(asked: FactQuery, said: str, held: Sequence[str], names: frozenset[str]) -> bool:
    """Say whether a text holds something of the wanted kind, beyond what was asked."""
    new = [term for term in held if not any(alike(term, one) for one in (*asked.subjects, *asked.also))]
    match asked.wanted:
        case Wanted.WHEN:
            return any(is_figure(term) and not term.startswith(_TOPIC) for term in new) or bool(
                set(_TOKEN.findall(plain(said))) & words.TIMES
            )
        case Wanted.CLOCK:
            return any(term.startswith("time:") or term[:1].isdigit() for term in new) or bool(
                set(_TOKEN.findall(plain(said))) & words.TIMES
            )
        case Wanted.NUMBER:
            return any(term[:1].isdigit() or term.startswith("time:") or _is_code(term) for term in new)
        case Wanted.NAME:
            return any(True for _ in _named(asked, said))
        case Wanted.PLACE:
            return "topic:live" in held or bool(words.PLACES.search(said)) or _says_place(new, said)
        case _:
            return any(
                term not in words.SAYS_NOTHING and term not in names and not term.startswith(_TOPIC) for term in new
            )


def _says_place(new: Sequence[str], said: str) -> bool:
    """Say whether a text says where something is: behind a word of place, something that is no time."""
    tokens = _TOKEN.findall(plain(said))
    for place, token in enumerate(tokens):
        if token not in words.PLACE_LEADS:
            continue
        behind = [term for word in tokens[place + 1 : place + 4] for term in terms(word)][:1]
        if any(term in new and not is_figure(term) and term not in words.TIMES | words.DAYS for term in behind):
            return True
    return False


def _is_code(term: str) -> bool:
    return any(letter.isdigit() for letter in term)


def _named(asked: FactQuery, said: str) -> Iterator[str]:
    """Yield the names that a text gives to what is asked about."""
    found = [(token[0], token.start()) for token in re.finditer(r"[^\W_]+(?:-[^\W_]+)*", said)]
    folded = [plain(token) for token, _ in found]
    for place, (token, start) in enumerate(found):
        own = folded[place]
        if (
            any(alike(own, one) for one in (*asked.subjects, *asked.also))
            or own in words.SAYS_NOTHING
            or own in words.SELF
        ):
            continue
        before = folded[max(0, place - 3) : place]
        if words.CALLED.intersection(before) and not words.CALLED.intersection({own}) and terms(token):
            yield token
        elif token[:1].isupper() and terms(token) and not words.STARTS.intersection({own}):
            near = (*folded[max(0, place - 2) : place], *folded[place + 1 : place + 5])
            joined = said[start - 2 : start] if start else ""
            linked = _before(folded, place)
            if any(alike(one, subject) for one in (*near, linked) for subject in asked.subjects) and "." not in joined:
                yield token


def _before(folded: Sequence[str], place: int) -> str:
    """Return the nearest word before a place that says something: little words stand between."""
    little = words.PLACE_LEADS | words.KIN | words.SAYS_NOTHING
    for at in range(place - 1, max(-1, place - _MOST_BETWEEN), -1):
        if terms(folded[at]) and folded[at] not in little:
            return folded[at]
    return ""


def _names(name: str) -> tuple[str, ...]:
    return tuple(word for word in _TOKEN.findall(plain(name)) if len(word) > 1)


def _straight(text: str) -> str:
    return plain(text.replace("’", "'"))
