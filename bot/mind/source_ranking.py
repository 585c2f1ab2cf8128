"""What an answer was made of: the lines of its request that share what it says, ranked.

No model is asked. A term counts the more the fewer lines hold it (inverse document frequency, Spärck Jones 1972,
doi:10.1108/eb026526); a figure (number, time, date) counts more than a word, what the question itself said counts less,
and words that stand side by side in both count together.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bot.domain.handles import HandleKind, handle_pattern
from bot.inspect.diff.find_words import PieceLine, SourcedLine, SourceKind, WordSource
from bot.text.terms import is_figure, plain, spoken, stem, terms, traces

MAX_SOURCES = 10
"""How many sources are ranked at most."""
MAX_READ_LINES = 400
"""How many lines are read closely at most."""
_REMEMBERED = re.compile(rf"- {handle_pattern(HandleKind.MEMORY)} \|(?: [^|\"]* \|)+ (?=\")")
_FIGURE_WEIGHT = 1.6
_STEM_WEIGHT = 0.6
_ASKED_WEIGHT = 0.3
_PAIR_WEIGHT = 0.5
_FURTHER_LINES = 0.25
_LONG_LINE_TERMS = 14
_LEAST_SHARE = 0.15
"""What shares so little beside the best source was not needed for the answer."""
_TRUST = {
    SourceKind.PROGRAM: 0.3,
    SourceKind.TEMPLATE: 0.4,
    SourceKind.TOOL: 0.4,
    SourceKind.CALL: 0.5,
    SourceKind.ANSWER: 0.7,
    SourceKind.SUMMARY: 0.95,
}
"""What says little of where a fact comes from: our own texts, and what the bot itself said or asked for."""


class AnswerSource(NamedTuple):
    """One source of an answer: the best of its lines, and the terms that both share, the weightiest first.

    `signs` say in words for people what stands out in it beside that.
    """

    source: WordSource
    where: str
    line: str
    shared: tuple[str, ...]
    score: float
    message: int = 0
    signs: tuple[str, ...] = ()
    piece: PieceLine = PieceLine()

    @property
    def as_line(self) -> SourcedLine:
        """The line that was ranked."""
        return SourcedLine(self.where, self.line, self.source, self.message, self.piece)


@dataclass(frozen=True)
class _Weights:
    """How much each term of an answer says: exact ones, and how their words begin."""

    exact: dict[str, float]
    stems: dict[str, tuple[str, float]]


def rank_sources(
    answer: str, lines: Sequence[SourcedLine], question: str = "", known: Iterable[str] = ()
) -> tuple[AnswerSource, ...]:
    """Rank what an answer may have come from; `lines` are those of its request, without the answer itself.

    `question` is what was asked; `known` are other texts of the channel (its journal), by which rare words are told
    from common ones.
    """
    said = terms(answer)
    folded = [plain(content(line)) for line in lines]
    holders = {term: _holders(term, folded) for term in dict.fromkeys(said)}
    weights = _weights(holders, frozenset(terms(question)), len(lines), [plain(text) for text in known])
    pairs = set(pairwise(said))
    best: dict[tuple[object, ...], list[AnswerSource]] = defaultdict(list)
    for place in _worth_reading(holders, weights):
        if found := _scored(lines[place], weights, pairs):
            best[_whose(found)].append(found)
    ranked = sorted((_together(found) for found in best.values()), key=lambda found: -found.score)
    least = ranked[0].score * _LEAST_SHARE if ranked else 0.0
    return tuple(found for found in ranked[:MAX_SOURCES] if found.score >= least)


def content(line: SourcedLine) -> str:
    """Return the words of a line; of a memory not what stands before them: its type, author and date."""
    remembered = _REMEMBERED.match(line.text)
    return line.text[remembered.end() :].strip('"') if remembered else line.text


def _holders(term: str, texts: Sequence[str]) -> list[int]:
    """Name the texts that may hold a term."""
    looked_for = traces(term)
    if len(looked_for) == 1:
        return [place for place, text in enumerate(texts) if looked_for[0] in text]
    return [place for place, text in enumerate(texts) if any(one in text for one in looked_for)]


def _worth_reading(holders: Mapping[str, Sequence[int]], weights: _Weights) -> list[int]:
    """Choose the lines that may share most: reading each closely would take long in a large request."""
    promised: defaultdict[int, float] = defaultdict(float)
    for term, places in holders.items():
        for place in places:
            promised[place] += weights.exact[term]
    return sorted(promised, key=lambda place: (-promised[place], -place))[:MAX_READ_LINES]


def _weights(holders: Mapping[str, Sequence[int]], asked: frozenset[str], many: int, known: Sequence[str]) -> _Weights:
    exact: dict[str, float] = {}
    stems: dict[str, tuple[str, float]] = {}
    for term, places in holders.items():
        held = len(places) + (len(_holders(term, known)) if known else 0)
        weight = math.log((many + len(known) + 1) / (held + 0.5)) + 0.3
        weight *= (_FIGURE_WEIGHT if is_figure(term) else 1.0) * (_ASKED_WEIGHT if term in asked else 1.0)
        exact[term] = max(0.05, weight)
        if begins := stem(term):
            stems[begins] = term, exact[term] * _STEM_WEIGHT
    return _Weights(exact, stems)


def _scored(line: SourcedLine, weights: _Weights, pairs: set[tuple[str, str]]) -> AnswerSource | None:
    held = terms(content(line))
    shared: dict[str, float] = {}
    for term in held:
        if term in weights.exact:
            shared[term] = weights.exact[term]
        elif (begun := weights.stems.get(stem(term))) and begun[0] not in shared:
            shared[begun[0]] = begun[1]
    if not shared:
        return None
    together = sum(
        _PAIR_WEIGHT * (shared[one] + shared[two])
        for one, two in {*pairwise(held)} & pairs
        if one in shared and two in shared
    )
    length = 1 + math.log1p(max(0, len(held) - _LONG_LINE_TERMS) / _LONG_LINE_TERMS) / 2
    score = (sum(shared.values()) + together) / length * _TRUST.get(line.source.kind, 1.0)
    words = tuple(sorted(shared, key=lambda term: -shared[term]))
    return AnswerSource(line.source, line.where, line.text, words, score, line.message, piece=line.piece)


def _whose(found: AnswerSource) -> tuple[object, ...]:
    return (found.source.kind, found.source.handle or found.source.what, found.message)


def _together(found: list[AnswerSource]) -> AnswerSource:
    """Take the best line of a source; what its other lines add counts a little."""
    found.sort(key=lambda one: -one.score)
    best = found[0]
    further = {term for one in found[1:4] for term in one.shared} - set(best.shared)
    return best._replace(score=best.score * (1 + _FURTHER_LINES * len(further) / (len(best.shared) + len(further))))


def shared_words(found: AnswerSource, limit: int = 6) -> tuple[str, ...]:
    """Return the terms that answer and source share, the weightiest first, as people write them."""
    return tuple(spoken(term) for term in found.shared[:limit])
