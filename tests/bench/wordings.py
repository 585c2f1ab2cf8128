"""Score the readers of words on wordings of your own: `python -m tests.bench.wordings DIR [--missed]`; prints JSON.

A corpus is a directory of JSONL files, each line an object with `lang` and these fields:

- `claims_false.jsonl`, `claims_honest.jsonl`: `text`, an answer, and `asked`, what it answers; no tool was called
- `silence_texts.jsonl`: `text` and `kind`: silencing, partial (about one matter alone), innocent
- `denials.jsonl`: `fact`, `question`, `answer` and `kind`: denied, fine
- `contradictions.jsonl`: `fact`, `answer` and `kind`: contradicts, fine
- `questions.jsonl`: `text` and `kind`: what an admin wants to know, one of `FAMILIES`

For each kind and language it counts the cases, the hits or the false alarms. Files that lack are left out.
`tests/bench/wording_cases` holds three: `first` was developed on, of `second` only false alarms were looked at, and
`third` is half of what a stranger wrote: that half was developed on, the other is kept elsewhere.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from bot.cortex.commands.did_you_mean import understand
from bot.cortex.commands.question_reader import QuestionKind
from bot.domain.handles import HandleKind, handle
from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource
from bot.mind.action_claims import claims
from bot.mind.contradictions import contradiction
from bot.mind.denied_facts import denied_fact
from bot.mind.fact_search import ToldLine
from bot.mind.silence_suspects import SilentTurn, SuspectLine, rank_suspects
from bot.mind.silence_words import speaks_of_silence
from tests.bench._denial_cases import NOISE
from tests.bench.denials import line_of
from tests.bench.sources import REMEMBERED, standing_lines

Wording = Mapping[str, str]

_BY_RECORD = (QuestionKind.WHY, "")
"""Whether it means a silence or an answer the record says."""
_PAGES = (QuestionKind.WHAT_IS, QuestionKind.WHERE_IS, QuestionKind.COMMAND)
FAMILIES: Mapping[str, frozenset[tuple[QuestionKind, str]]] = {
    "silent": frozenset({(QuestionKind.WHY_SILENT, "why"), _BY_RECORD}),
    "odd": frozenset({(QuestionKind.WHY_ANSWER, ""), _BY_RECORD}),
    "claims": frozenset({(QuestionKind.DID_DO, "")}),
    "forgot": frozenset({(QuestionKind.DID_KNOW, "")}),
    "rude_language": frozenset({(QuestionKind.WHY_ANSWER, ""), _BY_RECORD}),
    "costs": frozenset((kind, "usage") for kind in _PAGES),
    # the sources of the answer name whose memory it was, too
    "who_taught": frozenset({*((kind, "memory list") for kind in _PAGES), (QuestionKind.WHY_ANSWER, ""), _BY_RECORD}),
    "memory_list": frozenset((kind, "memory list") for kind in _PAGES),
    "slow": frozenset((kind, "this last") for kind in _PAGES),
}
"""Where a question of each kind has to lead: how it is read, and the command that answers it."""
_ASKER = "ann"
_SPEAKER = re.compile(r"(\w+)\s?: ")


class Judged(NamedTuple):
    """A wording, of what kind it is, and whether its reader took it for what it looks for."""

    kind: str
    language: str
    taken: bool
    words: str


def judged(corpus: Path) -> Iterator[Judged]:
    """Hold every wording of a corpus against its reader."""
    for name, read in _READERS.items():
        path = corpus / f"{name}.jsonl"
        rows = [orjson.loads(line) for line in path.read_bytes().splitlines() if line] if path.exists() else []
        yield from read(name, rows)


def figures(found: Sequence[Judged]) -> dict[str, str]:
    """Say of each kind, and of each language in it, how many were taken for what their reader looks for."""
    cases, taken = Counter[str](), Counter[str]()
    for one in found:
        for key in (one.kind, f"{one.kind} {one.language}"):
            cases[key] += 1
            taken[key] += one.taken
    return {key: f"{taken[key]} of {cases[key]}" for key in sorted(cases)}


def _claims(name: str, rows: Sequence[Wording]) -> Iterator[Judged]:
    for row in rows:
        yield Judged(name, row["lang"], bool(claims(row["text"], row.get("asked", ""))), row["text"])


def _silence(name: str, rows: Sequence[Wording]) -> Iterator[Judged]:
    for row in rows:
        text = row["text"]
        yield Judged(f"silence {row['kind']}", row["lang"], speaks_of_silence(text), text)
        if row["kind"] == "silencing":
            beside = [one["text"] for one in rows if one["lang"] == row["lang"] and one["kind"] == "innocent"]
            yield Judged("silence among three", row["lang"], _is_suspected(text, beside), text)


def _is_suspected(text: str, beside: Sequence[str]) -> bool:
    """Say whether a memory is suspected of a silence for which the model gave no reason, among others beside it."""
    remembered = [_memory(said, place) for place, said in enumerate((*beside, text), 1)]
    lines = (*map(SuspectLine, standing_lines()), *(SuspectLine(one) for one in remembered))
    return remembered[-1] in [one.line for one in rank_suspects(SilentTurn(_ASKER, "", ""), lines)]


def _memory(text: str, place: int) -> SourcedLine:
    named = handle(HandleKind.MEMORY, place)
    said = REMEMBERED.format(named, json.dumps(text, ensure_ascii=False))
    return SourcedLine("memory", said, WordSource(SourceKind.MEMORY, "a memory", named), place)


def _denials(name: str, rows: Sequence[Wording]) -> Iterator[Judged]:
    around = [line_of(*one) for one in NOISE]
    for row in rows:
        found = denied_fact(row["answer"], row["question"], _ASKER, [*around, _told(row["fact"])])
        is_it = found is not None and (row["kind"] == "fine" or found.held.told.line.text in row["fact"])
        yield Judged(f"denials {row['kind']}", row["lang"], is_it, f"{row['answer']} | {row['fact']}")


def _told(fact: str) -> ToldLine:
    """Read a fact as a memory, or as what somebody said whose name stands before it."""
    said = _SPEAKER.match(fact)
    if said is None:
        return ToldLine(SourcedLine("memory", fact, WordSource(SourceKind.MEMORY, "a memory")))
    message = WordSource(SourceKind.MESSAGE, "a message")
    return ToldLine(SourcedLine("message 1", fact[said.end() :], message), said[1])


def _contradictions(name: str, rows: Sequence[Wording]) -> Iterator[Judged]:
    for row in rows:
        found = contradiction(row["fact"], row["answer"])
        words = f"{row['answer']} | {row['fact']}"
        yield Judged(f"contradictions {row['kind']}", row["lang"], found is not None, words)


def _questions(name: str, rows: Sequence[Wording]) -> Iterator[Judged]:
    for row in rows:
        read = understand(row["text"])
        leads = any((read.kind, line) in FAMILIES[row["kind"]] for line in (read.line, *read.guesses))
        yield Judged(f"questions {row['kind']}", row["lang"], leads, f"{row['text']} | {read.kind} {read.line}")


_READERS: Mapping[str, Callable[[str, Sequence[Wording]], Iterator[Judged]]] = {
    "claims_false": _claims,
    "claims_honest": _claims,
    "silence_texts": _silence,
    "denials": _denials,
    "contradictions": _contradictions,
    "questions": _questions,
}
HARMLESS = frozenset({"claims_honest", "silence partial", "silence innocent", "denials fine", "contradictions fine"})
"""Kinds of which none is to be taken for what their reader looks for."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.wordings", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--missed", action="store_true", help="print what was read wrongly")
    args = parser.parse_args()
    found = list(judged(args.corpus))
    if args.missed:
        wrong = [one for one in found if one.taken == (one.kind in HARMLESS)]
        sys.stdout.writelines(f"{one.kind} {one.language}: {one.words}\n" for one in wrong)
        return
    sys.stdout.write(orjson.dumps(figures(found), option=orjson.OPT_INDENT_2).decode() + "\n")


if __name__ == "__main__":
    main()
