"""Read which facts an answer denies to know, in six languages, and find the line of its request that holds one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.mind import fact_words as words
from bot.mind.denial_phrases import says_not_known, without_denial
from bot.mind.fact_search import FactQuery, HeldFact, ToldLine, Wanted, alike, find_fact, query
from bot.mind.source_ranking import content
from bot.text.terms import plain, terms

MAX_READ_CHARS = 4_000
"""How much of an answer is read."""
_QUOTES = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*|\"[^\"\n]{1,300}\"|“[^“”\n]{1,300}”|„[^„“”\n]{1,300}[“”]"
    r"|«[^«»\n]{1,300}»",
    re.DOTALL | re.MULTILINE,
)
_ADDRESS = re.compile(r"\s*<@!?\d+>[\s,:]*")
"""Whom a message addresses first; some platforms write a number there, which is no figure that is asked about."""
_SENTENCE = re.compile(r"[^.!?…\n;]*(?:[.!?…;]+|\n|\Z)")
_MAX_QUESTION_CHARS = 600
_LEAST_SHARED = 2
_WHAT_IT_IS = re.compile(
    r"\b(?:i am|i['’]m|as|ich bin|als|soy|como|sou|je (?:ne )?suis|en tant qu(?:e |['’])|я|как)\b[^,.;:!?]{0,30}?"
    r"\b(?:ai|ki|ia|ии|(?:chat)?bot|(?:чат-?)?бот|rob[oôó]t?|as+ist[ae]nte?|ассистент|simula(?:tion|ción|ção)|симуляция"
    r"|program(?:m|me|a)?|программа|(?:sprach|language )?model[ol]?|modelo|modèle|модель|machine|maschine|máquina)\b"
    r"(?: (?:de (?:lenguaje|linguagem|langage)|language model|virtual|virtuel))?",
    re.IGNORECASE,
)
"""Bots say what they are when they deny something: that names nothing that was asked about."""


_MAX_BARE_CHARS = 160
_EARLIER = re.compile(
    r"\b(?:before|previous|previously|former|formerly|used to|earlier|vorher|zuvor|fruher\w*|davor|antes|anterior\w*"
    r"|avant"
    r"|ancien\w*|precedent\w*|раньше|прежн\w+|прошл\w+)\b"
)
_TAG = re.compile(
    r",? (?:oder|right|have we|did you|have you|do i|ne|gell|no|verdad|cierto|ne|certo|nao|non|hein|pas vrai|да|так"
    r"|правда)\?+$"
)
"""What only asks to be told that it is so."""


class DeniedFact(NamedTuple):
    """What an answer denies to know, in its own words, and the line that holds it."""

    denial: str
    held: HeldFact


def denials(answer: str) -> tuple[str, ...]:
    """Return the sentences in which an answer denies to know something, or to have been told it."""
    return tuple(_denials(answer))


def denied_fact(
    answer: str, asked: str, asker: str, told: Sequence[ToldLine], known: Iterable[str] = ()
) -> DeniedFact | None:
    """Return what an answer denies and a line holds; None where it denies nothing, or is right.

    `asked` is what it answers, `told` are the lines of its request without that, `known` the names of people.
    """
    known = tuple(known)
    found: DeniedFact | None = None
    for sentence in _denials(answer):
        for asking, wholly in _askings(sentence, asked, asker):
            held = find_fact(asking, told, known)
            if held is None or (wholly and len(held.shared) < max(_LEAST_SHARED, len(asking.subjects))):
                continue
            if not _is_repeated(held, asking, answer) and (found is None or held.score > found.held.score):
                found = DeniedFact(sentence, held)
    found = found or _of_question(answer, asked, asker, told, known)
    return None if found and _asks_of_earlier(asked, found.held) else found


def _of_question(
    answer: str, asked: str, asker: str, told: Sequence[ToldLine], known: Sequence[str]
) -> DeniedFact | None:
    """Return what was asked and a short answer denies, in words of its own that name nothing of it."""
    denial = next(_denials(answer), "") if len(answer) <= _MAX_BARE_CHARS else ""
    question = query(question_of(asked), asker)
    if not denial or (words.OF_BOT.search(plain(question_of(asked))) and not question.own):
        return None
    held = find_fact(question, told, known)
    if held is None or _is_repeated(held, question, answer):
        return None
    is_vague = question.wanted is Wanted.ANYTHING and len(held.shared) < len(question.subjects)
    return None if is_vague else DeniedFact(denial, held)


def _asks_of_earlier(asked: str, held: HeldFact) -> bool:
    """Say whether it was asked how things were before, of which a line that lacks that says nothing."""
    return bool(_EARLIER.search(plain(asked))) and not _EARLIER.search(plain(content(held.told.line)))


def _askings(sentence: str, asked: str, asker: str) -> Iterator[tuple[FactQuery, bool]]:
    """Yield what may be meant, and whether a line has to share all of it to be it.

    The words of the denial itself name nothing, and who says "no idea" in many words was asked for what was asked.
    """
    for asking in queries_of(sentence, asked, asker):
        yield asking, False
    question = query(question_of(asked), asker)
    if not question.subjects or (words.OF_BOT.search(plain(question_of(asked))) and not question.own):
        return
    bare = without_denial(_WHAT_IT_IS.sub(" ", sentence))
    denied = query(bare, asker, also=question_of(asked))
    wanted = denied.wanted if denied.wanted is not Wanted.ANYTHING else question.wanted
    if denied.subjects:
        yield denied._replace(own=question.own, wanted=wanted), False
    shares = any(alike(one, other) for one in denied.subjects for other in question.subjects)
    if not denied.subjects or shares:
        yield question._replace(wanted=wanted), wanted is Wanted.ANYTHING


def _is_repeated(held: HeldFact, asking: FactQuery, answer: str) -> bool:
    """Say whether an answer tells what the line says beyond what was asked: it denies something else."""
    about = (*asking.subjects, *asking.also, *held.shared)
    said = terms(answer)
    new = [term for term in terms(content(held.told.line)) if not any(alike(term, one) for one in about)]
    new = [term for term in new if term not in words.SAYS_NOTHING]
    return any(alike(term, one) for term in new for one in said)


def question_of(asked: str) -> str:
    """Return the sentences of a message that ask, or all of it where none does."""
    address = _ADDRESS.match(asked)
    asked = asked[address.end() :] if address else asked
    asking = [found[0].strip() for found in _SENTENCE.finditer(asked) if found[0].rstrip().endswith("?")]
    return (" ".join(asking) or asked)[:_MAX_QUESTION_CHARS]


def queries_of(sentence: str, asked: str, asker: str) -> Iterator[FactQuery]:
    """Yield what may be meant: what the denial names, in the light of the question, or what the question names."""
    question = query(question_of(asked), asker)
    if words.OF_BOT.search(plain(question_of(asked))) and not question.own:
        return
    denied = query(_WHAT_IT_IS.sub(" ", sentence), asker, also=question_of(asked))
    wanted = next((one.wanted for one in (question, denied) if one.wanted is not Wanted.ANYTHING), Wanted.ANYTHING)
    if denied.subjects:
        own = question.own if question.subjects else not words.YOURS.isdisjoint(plain(sentence).split())
        yield denied._replace(own=own, wanted=wanted)
    elif question.subjects:
        yield question


def _denials(answer: str) -> Iterator[str]:
    text = _QUOTES.sub(" … ", answer[:MAX_READ_CHARS])
    for found in _SENTENCE.finditer(text):
        sentence = found[0].strip(" \t\n*_~|-–—•")
        is_question = sentence.endswith("?") and not _TAG.search(plain(sentence))
        if sentence and not is_question and _denies(plain(sentence.replace("’", "'"))):
            yield sentence


def _denies(folded: str) -> bool:
    return words.DENIAL.search(folded) is not None or says_not_known(folded)
