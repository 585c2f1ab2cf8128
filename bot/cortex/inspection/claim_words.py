"""Tell what a claim of a model says: that all is well, or what it says besides. Words in six languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.domain.handles import handle_pattern

_MIN_SHARED_WORDS = 2
_WORD = re.compile(r"\w{4,}")
_HANDLE_LIKE = re.compile(rf"\b(?=\w*\d){handle_pattern()}\b")
"""What is spelt like a handle and like no word."""
_SENTENCE = re.compile(r"[^\n.!?…。]+(?:[.!?…。]+(?=\s|$)|(?:[.!?…。]+(?!\s|$)[^\n.!?…。]*)*[.!?…。]*)\s*")
_ALL_IS_WELL = re.compile(
    r"""
    \b(?:everything|all|it|the\ bot|the\ context)\s+(?:(?:seems|appears|looks)(?:\s+to\s+be)?|is|are|works?|behaves?)
      \s+(?:\w+\s+){0,2}?(?:well|fine|ok(?:ay)?|normal(?:ly)?|correct(?:ly)?|healthy|as\s+(?:intended|expected|designed))\b
    | \b(?:no|nothing)\s+(?:\w+\s+){0,2}?(?:problems?|issues?|errors?|faults?|wrong|unusual|suspicious)\b
      (?:\s+(?:\w+\s+){0,2}?found)?
    | \balles?\s+(?:ist\s+|scheint\s+|wirkt\s+|läuft\s+)?(?:\w+\s+)?
      (?:in\s+ordnung|gut|normal|wie\s+(?:gewollt|erwartet))\b
    | \bkein(?:e|en)?\s+(?:fehler|probleme?|auffälligkeiten)\b
    | \btodo\s+(?:está|parece|funciona|va)\s+(?:estar\s+)?(?:bien|correcto|normal|como\s+se\s+espera)
    | \b(?:ningún|sin|no\s+hay(?:\s+ningún)?)\s+(?:problemas?|errore?s?|fallos?)\b
    | \btudo\s+(?:está|parece|funciona|vai)\s+(?:estar\s+)?(?:bem|correto|certo|normal|como\s+esperado)
    | \b(?:nenhum|sem|não\s+há(?:\s+nenhum)?)\s+(?:problemas?|erros?|falhas?)\b
    | \btout\s+(?:est|semble|va|fonctionne)\s+(?:être\s+)?(?:\w+\s+)?(?:bien|normal|correct|en\s+ordre|comme\s+prévu)
    | \b(?:aucun|aucune|pas\s+de)\s+(?:problème|erreur|anomalie|défaut)\b
    | \bвсё?е?\s+(?:\w+\s+)?(?:в\s+порядке|хорошо|нормально|работает)\b
    | \b(?:нет|никаких)\s+(?:\w+\s+)?(?:проблем|ошибок|неполадок)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BUT = re.compile(
    r"\b(?:but|except|apart|aside|however|although|though|yet|unless|until"
    r"|aber|außer|jedoch|doch|obwohl|allerdings|nur|pero|salvo|excepto|aunque|mas|exceto|embora|porém"
    r"|sauf|mais|excepté|pourtant|но|кроме|однако|хотя)\b",
    re.IGNORECASE,
)
_MAX_WELL_WORDS = 14
"""A longer claim says more than that."""


def says_all_is_well(claim: str) -> bool:
    """Say whether a claim is none: it finds nothing wrong, and names no exception."""
    return len(claim.split()) <= _MAX_WELL_WORDS and bool(_ALL_IS_WELL.search(claim)) and not _BUT.search(claim)


def handles_in(text: str) -> frozenset[str]:
    """Return what is spelt like a handle in a text."""
    return frozenset(_HANDLE_LIKE.findall(text))


def sentences(text: str) -> list[str]:
    """Cut a text into sentences; those on one line keep together what is no end, such as a dot in a number."""
    return [found[0] for found in _SENTENCE.finditer(text) if found[0].strip()]


def tells_of(sentence: str, dropped: Iterable[str], kept: Iterable[str]) -> bool:
    """Say whether a sentence tells of a claim that was dropped, rather than of one that was kept."""
    words = _words(sentence)
    lost = max((len(words & _words(claim)) for claim in dropped), default=0)
    held = max((len(words & _words(claim)) for claim in kept), default=0)
    return lost > held and lost >= min(_MIN_SHARED_WORDS, len(words))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
