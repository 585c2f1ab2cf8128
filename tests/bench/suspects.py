"""Measure how often the cause of a silence is suspected: `python -m tests.bench.suspects [--missed]`, prints JSON.

Each case of `suspect_cases` is a silence with the model's reason, the line that caused it (`*`) and others beside it.
Those in `before` were written before the ranking was built, those in `after` when it was done.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bot.domain.handles import HandleKind, handle
from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource
from bot.mind.silence_suspects import SilenceSuspect, SilentTurn, SuspectLine, rank_suspects
from tests.bench.sources import REMEMBERED, standing_lines

CASES = Path(__file__).parent / "suspect_cases"
HALVES = ("before", "after")
MIN_FIRST_SHARE, MIN_AMONG_THREE_SHARE = 48 / 60, 57 / 60
_KINDS = {
    "persona": SourceKind.CONFIG,
    "memory": SourceKind.MEMORY,
    "message": SourceKind.MESSAGE,
    "skip": SourceKind.CALL,
    "result": SourceKind.RESULT,
    "skill": SourceKind.SKILL,
    "summary": SourceKind.SUMMARY,
}


class WrittenSilence(NamedTuple):
    """A silence, the lines of its request, and which of them caused it."""

    name: str
    silent: SilentTurn
    lines: tuple[SuspectLine, ...]
    culprit: SuspectLine


def written_silences(half: str) -> Iterator[WrittenSilence]:
    for path in sorted((CASES / half).glob("*.txt")):
        for number, block in enumerate(path.read_text(encoding="utf-8").split("silence | ")[1:], 1):
            head, *rows = filter(None, block.splitlines())
            lines = [_line(row, place) for place, row in enumerate(rows, 1)]
            culprit = next(line for line, row in zip(lines, rows, strict=True) if row.startswith("*"))
            yield WrittenSilence(f"{half}/{path.stem} {number}", SilentTurn(*head.split(" | ")), tuple(lines), culprit)


def _line(row: str, place: int) -> SuspectLine:
    head, text = row.split(" | ", 1)
    _, kind, *marks = head.split()
    named = handle(HandleKind.MEMORY, place) if kind == "memory" else f"x{place}"
    said = REMEMBERED.format(named, json.dumps(text, ensure_ascii=False)) if kind == "memory" else text
    source = WordSource(_KINDS[kind], f"what the model asked {kind} for", named)
    return SuspectLine(SourcedLine(kind, said, source, place), "about" in marks, "new" in marks, "guest" in marks)


def suspected(case: WrittenSilence) -> tuple[SilenceSuspect, ...]:
    asked = SourcedLine("message", case.silent.said, WordSource(SourceKind.MESSAGE, "what was asked", "i0000"), 999)
    around = [SuspectLine(line) for line in standing_lines()]
    return rank_suspects(case.silent, (*around, *case.lines, SuspectLine(asked, new=True, non_admin=True)))


def place_of(case: WrittenSilence, found: tuple[SilenceSuspect, ...]) -> int:
    """Return the place of the culprit among the suspects, from 1; 0: it is not among them."""
    return next((number for number, one in enumerate(found, 1) if one.line == case.culprit.line), 0)


def counted(half: str) -> dict[str, float]:
    """Count the silences of a half, and how many have their cause first and among the first three."""
    places = [place_of(case, suspected(case)) for case in written_silences(half)]
    return {
        f"{half}_cases": float(len(places)),
        f"{half}_first": float(sum(place == 1 for place in places)),
        f"{half}_among_three": float(sum(1 <= place <= 3 for place in places)),
    }


def missed() -> Iterator[str]:
    """Say which causes are not suspected first, and what stood before them."""
    for half in HALVES:
        for case in written_silences(half):
            found = suspected(case)
            if (place := place_of(case, found)) != 1:
                best = "; ".join(f"{one.line.text[:50]} {one.score:.1f} {[*map(str, one.signs)]}" for one in found)
                yield f"{case.name} at {place}: {best}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.suspects")
    parser.add_argument("--missed", action="store_true", help="say which causes are not suspected first")
    if parser.parse_args().missed:
        print("\n".join(missed()))
    else:
        print(json.dumps({name: value for half in HALVES for name, value in counted(half).items()}))


if __name__ == "__main__":
    main()
