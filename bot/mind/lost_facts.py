"""Find what was said once and is not told to the model any more: the message that holds what was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bot.mind import fact_words as words
from bot.mind.denied_facts import denials, queries_of, question_of
from bot.mind.fact_search import FactQuery, HeldFact, ToldLine, Wanted, find_fact, query
from bot.text.terms import plain

_EVERYTHING = re.compile(
    r"\b(?:everything|all of (?:it|that|this)|the whole (?:chat|conversation|talk)|alles|todo|tudo|tout|все|всё)\b"
)


def lost_fact(
    answer: str,
    asked: str,
    asker: str,
    question: str,
    sides: tuple[Sequence[ToldLine], Sequence[ToldLine]],
    known: Iterable[str] = (),
) -> HeldFact | None:
    """Return the line among those that are gone which holds what was asked for; None where one is still told.

    `asked` is what the answer answers, `question` what somebody asks about it now (empty: nothing that names a fact);
    `sides` are the lines that are gone, and those that the model was told.
    """
    gone, told = sides
    known = tuple(known)
    for asking in _queries(answer, asked, asker, question):
        held = find_fact(asking, gone, known)
        if held is not None:
            return None if find_fact(asking, told, known) is not None else held
    return None


def asks_for_everything(question: str) -> bool:
    """Say whether somebody asks whether all was forgotten, and not one thing."""
    return bool(_EVERYTHING.search(plain(question))) and not query(question).subjects


def _queries(answer: str, asked: str, asker: str, question: str) -> Iterator[FactQuery]:
    """Yield what may be meant: what the answer denies, what is asked about it now, what it answered."""
    for sentence in denials(answer):
        yield from queries_of(sentence, asked, asker)
    if question:
        now, then = query(question), query(question_of(asked), asker)
        if now.subjects:
            wanted = now.wanted if now.wanted is not Wanted.ANYTHING else then.wanted
            yield now._replace(own=False, wanted=wanted if _is_about_one_thing(now, then) else now.wanted)
        elif not asks_for_everything(question) and not words.OF_BOT.search(plain(asked)):
            yield then


def _is_about_one_thing(now: FactQuery, then: FactQuery) -> bool:
    return not set(now.subjects).isdisjoint(then.subjects)
