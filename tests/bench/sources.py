"""Measure how often the source of an answer is found: `python -m tests.bench.sources [--missed]`, prints JSON.

Each chat of `source_cases` is laid out as the lines of a request, among the lines of a real one; a case is an answer
with the one line that it was made of. Chats in `before` were written before the ranking was built, those in `after`
when it was done: only those say how good it is. `again` cases say the same in other words and are counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bot.domain.handles import HandleKind, handle
from bot.inspect.capture.redact_view import view_for_reader
from bot.inspect.diff.diff_side import side_of
from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource, every_line
from bot.mind.source_ranking import AnswerSource, rank_sources
from bot.prompts import template_lines
from tests.bench.context import Bench, prose, talk
from tests.bench.diff import READER, captured

CASES = Path(__file__).parent / "source_cases"
HALVES = ("before", "after")
MIN_FIRST_SHARE, MIN_AMONG_THREE_SHARE = 0.85, 0.95
MAX_LARGE_CPU_MS = 150.0
LARGE_REQUEST_CHARS = 512 * 1024
REMEMBERED = "- {} | fact | importance 0.60 | by ann (id 4711) | 2026-11-20 | {}"
_KINDS = {
    "persona": (SourceKind.CONFIG, None),
    "memory": (SourceKind.MEMORY, HandleKind.MEMORY),
    "message": (SourceKind.MESSAGE, HandleKind.INBOUND),
    "answer": (SourceKind.ANSWER, HandleKind.TURN),
    "result": (SourceKind.RESULT, HandleKind.CALL),
    "file": (SourceKind.FILE, HandleKind.INBOUND),
    "summary": (SourceKind.SUMMARY, HandleKind.COMPACTION),
}


class SourceCase(NamedTuple):
    """An answer to a question, and the line that it was made of; `again`: in other words than that."""

    planted: str
    question: str
    answer: str
    again: bool


class WrittenChat(NamedTuple):
    """A chat as lines of a request, with the cases that were written for it."""

    name: str
    lines: tuple[SourcedLine, ...]
    labels: tuple[str, ...]
    cases: tuple[SourceCase, ...]


def written_chats(half: str) -> Iterator[WrittenChat]:
    for path in sorted((CASES / half).glob("*.txt")):
        yield _read(f"{half}/{path.stem}", path.read_text(encoding="utf-8"))


def _read(name: str, text: str) -> WrittenChat:
    lines: list[SourcedLine] = []
    labels: list[str] = []
    cases: list[SourceCase] = []
    files: dict[str, int] = {}
    for row in filter(None, text.splitlines()):
        head, *parts = row.split(" | ")
        word, label = head.split()
        if word in {"case", "again"}:
            cases.append(SourceCase(label, parts[0], parts[1], word == "again"))
            continue
        kind, handled = _KINDS[word]
        number = files.setdefault(f"{word} {parts[0]}", len(files) + 1) if word == "file" else len(lines) + 1
        named = handle(handled, number) if handled else ""
        said = REMEMBERED.format(named, json.dumps(parts[-1], ensure_ascii=False)) if word == "memory" else parts[-1]
        what = f"{word} {label}" if word != "file" else parts[0]
        lines.append(SourcedLine(word, said, WordSource(kind, what, named), len(lines) + 1 if handled else 0))
        labels.append(label)
    unknown = [case.planted for case in cases if case.planted not in labels]
    assert not unknown, f"{name}: {unknown}"
    return WrittenChat(name, tuple(lines), tuple(labels), tuple(cases))


def standing_lines() -> tuple[SourcedLine, ...]:
    """The lines that stand in every request: of the templates and of the tools."""
    named = ("identity", "operating_contract", "silence_rules", "conversation_context", "guidance_discord")
    return tuple(
        SourcedLine(f"section {name}", line, WordSource(SourceKind.TEMPLATE, f"{name} line {number}"))
        for name in named
        for number, line in enumerate(template_lines(f"sections/{name}"), 1)
        if line.strip()
    )


def ranked(chat: WrittenChat, case: SourceCase, around: Sequence[SourcedLine]) -> tuple[AnswerSource, ...]:
    asked = SourcedLine("message", case.question, WordSource(SourceKind.MESSAGE, "what was asked", "i0000"), 999)
    return rank_sources(case.answer, (*around, *chat.lines, asked), case.question)


def place_of(chat: WrittenChat, case: SourceCase, found: Sequence[AnswerSource]) -> int:
    """Return the place of the planted line among what was found, from 1; 0: it is not among them."""
    planted = chat.lines[chat.labels.index(case.planted)]
    places = (number for number, one in enumerate(found, 1) if one.source == planted.source)
    return next(places, 0)


def counted(half: str) -> dict[str, float]:
    """Count the cases of a half, and how many are found first and among the first three."""
    around, counts = standing_lines(), defaultdict[str, int](int)
    for chat in written_chats(half):
        for case in chat.cases:
            place = place_of(chat, case, ranked(chat, case, around))
            kind = f"{half}_again" if case.again else half
            counts[f"{kind}_cases"] += 1
            counts[f"{kind}_first"] += place == 1
            counts[f"{kind}_among_three"] += 1 <= place <= 3
    return {name: float(count) for name, count in counts.items()}


def missed() -> Iterator[str]:
    """Say which cases are not found first, and what stood before them."""
    around = standing_lines()
    for half in HALVES:
        for chat in written_chats(half):
            for case in chat.cases:
                found = ranked(chat, case, around)
                if (place := place_of(chat, case, found)) != 1:
                    best = "; ".join(f"{one.source.what} {one.score:.1f} {one.shared}" for one in found[:3])
                    yield f"{chat.name} {case.planted} at {place}{' (again)' if case.again else ''}: {best}"


def large_request() -> tuple[SourcedLine, ...]:
    """Lines of about 512 KB, as a request of 128,000 tokens has them."""
    lines, size, number = list(standing_lines()), 0, 0
    while size < LARGE_REQUEST_CHARS:
        number += 1
        text = f"{prose(40, number)} {number * 37 % 1000} {number % 24}:{number % 60:02}"
        lines.append(SourcedLine("message", text, WordSource(SourceKind.MESSAGE, "said", f"i{number:04}"), number))
        size += len(text)
    return tuple(lines)


def large_cpu_ms() -> float:
    lines, answer, best = large_request(), f"{prose(60, 7)} On Thursday at 8 pm it is 777, not 1,204.", 1e9
    for number in range(5):
        began = time.process_time()
        rank_sources(f"{answer} {number}", lines, "when is it?")
        best = min(best, (time.process_time() - began) * 1000)
    return best


async def whole_cpu_ms() -> float:
    """Measure laying out the lines of a captured request of 590 KB and ranking them, the first time they are read."""
    bench = Bench()
    await bench.contexts.counter.warm(["load"])
    captured_context = await captured(bench, talk(640, 152))
    shown = view_for_reader(captured_context, READER, bench.redactor)
    side = side_of(captured_context, shown, 1)
    began = time.process_time()
    rank_sources("Gray pigeons on Thursday at 8 pm: 0.77 of 1,204.", tuple(every_line(shown, side)), "when?")
    return (time.process_time() - began) * 1000


def measure() -> dict[str, float]:
    """Measure both halves and how long a large request takes."""
    figures = {name: value for half in HALVES for name, value in counted(half).items()}
    return {**figures, "large_request_cpu_ms": large_cpu_ms(), "whole_cpu_ms": asyncio.run(whole_cpu_ms())}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.sources")
    parser.add_argument("--missed", action="store_true", help="say which cases are not found first")
    if parser.parse_args().missed:
        print("\n".join(missed()))
    else:
        print(json.dumps({name: round(value, 2) for name, value in measure().items()}))


if __name__ == "__main__":
    main()
