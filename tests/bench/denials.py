"""Denied facts found, and honest answers taken for a denial: `python -m tests.bench.denials [--missed]`; JSON."""

from __future__ import annotations

from collections.abc import Sequence

from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource
from bot.mind.denied_facts import DeniedFact, denied_fact
from bot.mind.fact_search import ToldLine
from tests.bench._denial_cases import DENIED, DENIED_AFTER, HONEST, HONEST_AFTER, NOISE, DenialCase
from tests.bench._halves import main

HALVES = (("written before", DENIED, HONEST), ("written after", DENIED_AFTER, HONEST_AFTER))
_KINDS = {
    "memory": SourceKind.MEMORY,
    "summary": SourceKind.SUMMARY,
    "persona": SourceKind.CONFIG,
    "tool": SourceKind.RESULT,
    "bot": SourceKind.ANSWER,
}


def line_of(who: str, words: str) -> ToldLine:
    kind, _, author = who.partition(":")
    if kind not in _KINDS:
        return ToldLine(SourcedLine("message 1", words, WordSource(SourceKind.MESSAGE, "a message")), who)
    return ToldLine(SourcedLine(kind, words, WordSource(_KINDS[kind], kind)), author)


def found_in(case: DenialCase) -> DeniedFact | None:
    told = [line_of(*one) for one in (*NOISE[:5], *case.told, *NOISE[5:])]
    return denied_fact(case.answer, case.asked, "ann", told, ("ann", "bob", "carla"))


def is_found(case: DenialCase) -> bool:
    found = found_in(case)
    return found is not None and found.held.told.line.text == case.told[0][1]


def wrong(denied: Sequence[DenialCase], honest: Sequence[DenialCase]) -> tuple[list[DenialCase], list[DenialCase]]:
    """Return the denied facts that were not found, and the honest answers that were taken for a denial."""
    return [case for case in denied if not is_found(case)], [case for case in honest if found_in(case) is not None]


if __name__ == "__main__":
    main(__doc__, HALVES, wrong, lambda case: f"{case.language} {case.answer} | {case.told[0][1]}")
