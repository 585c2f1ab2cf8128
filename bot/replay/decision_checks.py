"""Ask a model what it was asked on record, until it is clear whether it decides as it should.

Each run is counted by a sequential test, so that a clear case takes two runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from bot.context.envelope import section_texts
from bot.domain.decision_check import DecisionCheck
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.snapshot import SectionFate, SectionStability
from bot.errors import ProviderError
from bot.mind.proof.proof_values import ProofRates
from bot.mind.proof.sequential_test import SequentialTest
from bot.ports.memories import MemoryStore
from bot.prompts import render
from bot.replay.replayer import PreparedReplay, Replayer, ReplayRun
from bot.replay.request_parts import AS_IT_WAS, PartChange, PartKind
from bot.text.text import one_line_name

FEWEST_RUNS, MOST_RUNS = 2, 8
_RATES = ProofRates()


class CheckWord(StrEnum):
    """How a check ended."""

    HOLDS = "holds"
    FAILS = "fails"
    UNCLEAR = "unclear"
    CANNOT = "cannot"


@dataclass(frozen=True)
class CheckResult:
    """What came of a check: each decision with how often it was taken; `why` says why it could not be run."""

    check: DecisionCheck
    word: CheckWord
    seen: Mapping[str, int] = field(default_factory=dict)
    why: str = ""

    @property
    def runs(self) -> int:
        """How often the model answered."""
        return sum(self.seen.values())

    @property
    def hits(self) -> int:
        """How often it decided as it should."""
        return self.seen.get(self.check.expected, 0)


class PromptNow(NamedTuple):
    """What a channel is told today: the texts of its sections, and the memories that are forgotten (handles)."""

    texts: Mapping[str, str]
    forgotten: frozenset[str] = frozenset()


def todays_change(replay: PreparedReplay, now: PromptNow) -> PartChange:
    """Return how a recorded request differs from one of today: by what its operator wrote, and by forgotten memories.

    What was said stays as it was: that is what the check is about.
    """
    record = replay.record
    texts = section_texts(record.request, record.sections)
    fixed = [
        trace.name
        for trace in record.sections
        if trace.stability is SectionStability.STATIC and trace.fate is SectionFate.KEPT and trace.name in texts
    ]
    known = replay.parts.by_id
    changed = [name for name in fixed if now.texts.get(name, "") != texts[name] and f"section:{name}" in known]
    replaced = {f"section:{name}": now.texts[name] for name in changed if now.texts.get(name)}
    gone = [f"section:{name}" for name in changed if not now.texts.get(name)]
    gone += [part.id for part in replay.parts.every if part.kind is PartKind.MEMORY and part.handle in now.forgotten]
    return PartChange(tuple(gone), replaced)


async def run_check(
    replayer: Replayer, check: DecisionCheck, replay: PreparedReplay, turn: int, change: PartChange = AS_IT_WAS
) -> CheckResult:
    """Ask until it is clear, at most `MOST_RUNS` times; raises nothing but what ends a process."""
    test = SequentialTest(_RATES.high, _RATES.low, _RATES.odds, _RATES.odds)
    seen: Counter[str] = Counter()
    while test.holds is None and test.runs < MOST_RUNS:
        try:
            decided = await replayer.run(replay, ReplayRun(turn, test.runs), change)
        except ProviderError as error:
            return CheckResult(check, CheckWord.CANNOT, seen, str(error))
        seen[decided.name] += 1
        test = test.after(decided.name == check.expected)
    if test.holds is None:
        return CheckResult(check, CheckWord.UNCLEAR, seen)
    return CheckResult(check, CheckWord.HOLDS if test.holds else CheckWord.FAILS, seen)


async def forgotten_memories(memories: MemoryStore, replay: PreparedReplay) -> frozenset[str]:
    """Name the memories of a recorded request that are forgotten by now."""
    gone: set[str] = set()
    for name in {part.handle for part in replay.parts.every if part.kind is PartKind.MEMORY}:
        parsed = parse_handle(name)
        memory = await memories.by_handle(parsed) if parsed else None
        if memory is None or memory.forgotten_at:
            gone.add(name)
    return frozenset(gone)


def result_words(result: CheckResult, channel: str, why: str) -> str:
    """Say what came of a check, in a line."""
    expected = result.check.expected
    return render(
        "replay/check",
        kind="result",
        word=result.word.value,
        request=handle(HandleKind.REQUEST, result.check.request),
        channel=channel,
        expected=expected_words(expected),
        why=why,
        hits=result.hits,
        runs=result.runs,
        others=[f"{expected_words(name)}: {count}" for name, count in result.seen.items() if name != expected],
    )


def expected_words(name: str) -> str:
    """Say what a decision is called, as people go on behind "it should"."""
    kind, _, tool = name.partition(":")
    return render("replay/check", kind="decision", name=kind, tool=one_line_name(tool, 40))


def all_hold(results: Sequence[CheckResult]) -> bool:
    """Say whether everything is decided as it should be."""
    return all(one.word is CheckWord.HOLDS for one in results)
