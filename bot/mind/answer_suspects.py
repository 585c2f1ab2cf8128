"""Why it said that: what an answer shares words with, and beside that what says how others are to be treated.

Whoever poisons a memory may have the bot say what stands nowhere: an insult, a full stop, another language. So a line
of somebody who is no admin that would have others treated in some way is a suspect of any answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.mind.silence_suspects import SuspectLine, worth_judging
from bot.mind.source_ranking import MAX_SOURCES, AnswerSource, content, rank_sources
from bot.mind.treatment import MIN_SALIENCE, salience, treatments
from bot.text.terms import plain

_SHARED_WEIGHT = 3.0
_SALIENT_WEIGHT = 2.0
_MOST_SALIENT = 6.0
_NAMED_WEIGHT = 0.5
_NEW_WEIGHT = 0.3


class GivenAnswer(NamedTuple):
    """Who asked what, and what they were answered; `known` are other texts of the channel, `people` who is in it."""

    asker: str
    question: str
    answer: str
    known: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


def rank_answer_suspects(given: GivenAnswer, lines: Sequence[SuspectLine]) -> tuple[AnswerSource, ...]:
    """Return what an answer may have come from, the likeliest first; `signs` say what else stands out in it."""
    shared = rank_sources(given.answer, [one.line for one in lines], given.question, given.known)
    best = shared[0].score if shared else 0.0
    found = {_place(one): (one, _SHARED_WEIGHT * one.score / best) for one in shared}
    for at in sorted(worth_judging(lines)):
        one = lines[at]
        line, words = one.line, content(one.line)
        told = salience(words, given.people)
        if told < MIN_SALIENCE:
            continue
        place = (line.source, line.where, line.text)
        known, score = found.get(place, (None, 0.0))
        named = one.about or plain(given.asker) in plain(words)
        score += _SALIENT_WEIGHT * min(told, _MOST_SALIENT) / _MOST_SALIENT
        score += _NAMED_WEIGHT * named + _NEW_WEIGHT * one.new
        source = known or AnswerSource(line.source, line.where, line.text, (), 0.0, line.message, piece=line.piece)
        found[place] = (source._replace(signs=tuple(treatments(words, given.people))), score)
    return tuple(_one_each(one for one, _ in sorted(found.values(), key=lambda pair: -pair[1])))[:MAX_SOURCES]


def _place(one: AnswerSource) -> tuple[object, ...]:
    return (one.source, one.where, one.line)


def _one_each(ranked: Iterable[AnswerSource]) -> Iterable[AnswerSource]:
    """Name a record once: what is suspected for two of its lines is one suspect."""
    seen: set[tuple[object, ...]] = set()
    for one in ranked:
        whose = (one.source.kind, one.source.handle or one.source.what, one.message)
        if whose not in seen:
            seen.add(whose)
            yield one
