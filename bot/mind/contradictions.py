"""Tell whether two sentences cannot both be true: the same subject, and another time, number, name, or a negation.

Nothing is found where the subject differs in anything, where one of them tells of the past or of one thing more, and
where a thing may well have several values: that Ann likes pears does not deny that she likes apples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from bot.mind.fact_search import alike
from bot.mind.other_values import OtherKind, other_value
from bot.text.terms import is_figure, plain, terms

_MAX_SENTENCES = 12
_MAX_CHARS = 2_000
_MAX_VALUE_TERMS = 3
_SENTENCE = re.compile(r"[^.!?\n;]*(?:\.(?=\S)[^.!?\n;]*)*[.!?;\n]?")
_TOKEN = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_NEGATION = re.compile(
    r"\b(?:not|never|no|nobody|n't|\w+n't|dont|doesnt|isnt|wont|cannot|nicht|nie|niemals|kein\w*|no|nunca|jamas|nao"
    r"|nem"
    r"|ne|n'\w*|pas|jamais|не|нет|никогда)\b"
)
_NEGATING = frozenset(
    [
        "not",
        "never",
        "no",
        "nobody",
        "dont",
        "doesnt",
        "isnt",
        "wont",
        "cannot",
        "don",
        "doesn",
        "isn",
        "won",
        "didn",
        "aren",
        "nicht",
        "nie",
        "niemals",
        "kein",
        "keine",
        "keinen",
        "keiner",
        "keinem",
        "keines",
        "nunca",
        "jamas",
        "nao",
        "nem",
        "ne",
        "pas",
        "jamais",
        "не",
        "нет",
        "никогда",
    ]
)
_PAST = re.compile(
    r"\b(?:used to|formerly|previously|until|before|was|were|had|went|bought|scored|won|lost|ate|paid|met|visited"
    r"|got|played"
    r"|said|no longer|any ?more|last (?:week|month|year)|yesterday|fruher|war|waren|hatte|wohnte|kaufte|damals|bis"
    r"|gestern"
    r"|antes|era|fue|fueron|vivia|ayer|compro|tenia|foi|eram|morava|comprou|ontem|avant|etait|habitait|autrefois"
    r"|hier|a achete"
    r"|раньше|был|была|были|жил|жила|вчера|купил\w*|до)\b"
)
_MORE = re.compile(
    r"\b(?:also|too|as well|another|second|besides|sometimes|or|auch|ausserdem|noch|manchmal|oder|zweite\w*|tambien"
    r"|ademas"
    r"|otro|otra|a veces|tambem|outro|outra|as vezes|aussi|autre|parfois|deuxieme|тоже|также|еще|другой|другая"
    r"|иногда|или)\b"
)
_ONE_VALUE = frozenset(
    [
        "password",
        "code",
        "pin",
        "address",
        "name",
        "called",
        "leader",
        "boss",
        "owner",
        "capital",
        "deadline",
        "favourite",
        "favorite",
        "colour",
        "color",
        "phone",
        "number",
        "email",
        "birthday",
        "due",
        "live",
        "lives",
        "located",
        "located",
        "theme",
        "winner",
        "captain",
        "heisst",
        "passwort",
        "kennwort",
        "adresse",
        "lieblingsfarbe",
        "name",
        "wohnt",
        "lebt",
        "chef",
        "chefin",
        "leiter",
        "leiterin",
        "nummer",
        "geburtstag",
        "fallig",
        "farbe",
        "clave",
        "contrasena",
        "codigo",
        "direccion",
        "nombre",
        "llama",
        "vive",
        "jefe",
        "jefa",
        "lider",
        "capital",
        "favorito",
        "favorita",
        "color",
        "numero",
        "senha",
        "endereco",
        "nome",
        "chama",
        "mora",
        "chefe",
        "prazo",
        "favorito",
        "cor",
        "time",
        "equipo",
        "code",
        "adresse",
        "nom",
        "appelle",
        "habite",
        "chef",
        "capitale",
        "prefere",
        "preferee",
        "couleur",
        "numero",
        "mot",
        "пароль",
        "код",
        "адрес",
        "имя",
        "зовут",
        "живет",
        "столица",
        "любимый",
        "любимая",
        "любимое",
        "цвет",
        "номер",
        "срок",
        "капитан",
        "лидер",
        "главный",
    ]
)
"""Of what one has one: another name, address or password is not one more."""
_ONE_VALUE_ENDS = ("passwort", "adresse", "nummer", "farbe", "kennwort", "name")


_LINK = re.compile(
    r"\b(?:is|are|be|ist|sind|es|son|e|sao|est|sont|called|named|lives?|heisst|wohnt|lebt|llaman?|vive|chamam?|mora"
    r"|appelle|habite"
    r"|это|зовут|живет|называется)\b|:(?=\s)| [-–—] "
)
"""What stands between a subject and what is said of it."""
_SAYS_HOW_OFTEN = frozenset(["always", "likes", "immer", "siempre", "sempre", "toujours", "всегда"])


class Difference(StrEnum):
    """In what two sentences differ."""

    NEGATION = "one says no"
    FIGURE = "another time or number"
    VALUE = "another value"


_KINDS = {
    OtherKind.NEGATION: Difference.NEGATION,
    OtherKind.FIGURE: Difference.FIGURE,
    OtherKind.VALUE: Difference.VALUE,
}


class Contradiction(NamedTuple):
    """Two sentences that cannot both be true: in what they differ, and the terms of each that say so."""

    one: str
    other: str
    difference: Difference
    values: tuple[tuple[str, ...], tuple[str, ...]]
    subject: tuple[str, ...]


class _Sentence(NamedTuple):
    text: str
    terms: tuple[str, ...]
    negated: bool
    values: frozenset[str]


def contradiction(one: str, other: str) -> Contradiction | None:
    """Return the first sentences of two texts that contradict each other."""
    for first in _sentences(one):
        for second in _sentences(other):
            if (found := _compared(first, second)) is not None:
                return found
    for fact, said in ((one, other), (other, one)):
        if (otherwise := other_value(fact, said)) is not None:
            sides = (fact.strip(), otherwise.sentence)
            values = otherwise.values
            if fact is other and one != other:
                sides, values = (otherwise.sentence, fact.strip()), (values[1], values[0])
            return Contradiction(*sides, _KINDS[otherwise.kind], values, otherwise.subject)
    return None


def contradicting(text: str, others: Sequence[str]) -> Iterable[tuple[int, Contradiction]]:
    """Yield each of some texts that a text contradicts, by its place."""
    own = _sentences(text)
    for place, other in enumerate(others if own else ()):
        found = next((c for b in _sentences(other) for a in own if (c := _compared(a, b)) is not None), None)
        if found is not None:
            yield place, found


def contradictions(texts: Sequence[str]) -> Iterable[tuple[int, int, Contradiction]]:
    """Yield each pair of texts that contradict each other, by their places."""
    read = [_sentences(text) for text in texts]
    for (at, first), (behind, second) in combinations(enumerate(read), 2):
        found = next((c for a in first for b in second if (c := _compared(a, b)) is not None), None)
        if found is not None:
            yield at, behind, found


@lru_cache(maxsize=256)
def _sentences(text: str) -> Sequence[_Sentence]:
    found = []
    for match in _SENTENCE.finditer(text[:_MAX_CHARS]):
        sentence = match[0].strip(' \t\n"')
        folded = plain(sentence.replace("’", "'"))
        if len(sentence) < 4 or sentence.endswith("?") or _PAST.search(folded) or _MORE.search(folded):
            continue
        said = tuple(term for term in terms(sentence) if term not in _NEGATING | _SAYS_HOW_OFTEN)
        links = [match.end() for match in _LINK.finditer(folded)]
        values = frozenset(terms(folded[links[-1] :])) if links else frozenset()
        if said:
            found.append(_Sentence(sentence, said, bool(_NEGATION.search(folded)), values))
    return found[:_MAX_SENTENCES]


def _compared(one: _Sentence, other: _Sentence) -> Contradiction | None:
    first = tuple(_missing(one.terms, other.terms))
    second = tuple(_missing(other.terms, one.terms))
    shared = [term for term in one.terms if term not in first]
    words = [term for term in shared if not is_figure(term)]
    if one.negated != other.negated:
        if shared and not first and not second and (len(shared) > 1 or _orders(one, other)):
            return Contradiction(one.text, other.text, Difference.NEGATION, (("yes",), ("no",)), tuple(words))
        return None
    if not words or one.negated or not first or not second:
        return None
    difference = _difference((one, first), (other, second), words)
    return Contradiction(one.text, other.text, difference, (first, second), tuple(words)) if difference else None


def _missing(some: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """Yield the terms of one sentence that the other has in no form."""
    held = frozenset(others)
    heads, tails = {other[:3] for other in others}, {other[-5:] for other in others}
    for term in some:
        if term in held:
            continue
        # forms of one word begin alike, or one is the end of the other
        may_be_alike = term[:3] in heads or term[-5:] in tails
        if not may_be_alike or not any(alike(term, other) for other in others):
            yield term


def _orders(one: _Sentence, other: _Sentence) -> bool:
    """Say whether both are orders of one thing: always, and never."""
    return len(one.text.split()) >= 3 and len(other.text.split()) >= 3


def _difference(
    first: tuple[_Sentence, Sequence[str]], second: tuple[_Sentence, Sequence[str]], shared: Sequence[str]
) -> Difference | None:
    """Say in what two sentences differ, where all of that is a value of what they share."""
    kinds = [{_kind(term) for term in differing} for _, differing in (first, second)]
    if kinds[0] == kinds[1] and "word" not in kinds[0]:
        return Difference.FIGURE
    if not any(term in _ONE_VALUE or term.endswith(_ONE_VALUE_ENDS) for term in shared):
        return None
    are_values = [all(term in sentence.values for term in differing) for sentence, differing in (first, second)]
    if all(are_values) and max(len(first[1]), len(second[1])) <= _MAX_VALUE_TERMS:
        return Difference.VALUE
    # "Carla is the leader" and "the leader is Dave"
    swapped = any(are_values) and len(first[1]) == len(second[1]) == 1
    return Difference.VALUE if swapped else None


def _kind(term: str) -> str:
    if not is_figure(term):
        return "word"
    kind = term.partition(":")[0]
    return kind if ":" in term else "number"
