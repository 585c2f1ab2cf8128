"""Measure how well a mind is read, and write it into SCORECARD.md: `python -m tests.bench.mind [BENCH ...]`.

Each row names its bench, which can be run alone; the figures that stand are those of its last run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import orjson

from tests.bench.__main__ import measure
from tests.faults import scorecard
from tests.faults.records import tree_of_the_product

Figures = Mapping[str, float]


class Measured(NamedTuple):
    """What a row says, and whether its bar is met."""

    text: str
    holds: bool


class MindRow(NamedTuple):
    """A figure of the scorecard."""

    figure: str
    bench: str
    read: Callable[[Figures], Measured]


def at_least(share: float, found: str, of: str) -> Callable[[Figures], Measured]:
    """Read how many were found, of how many; at least a share of them is wanted."""

    def read(figures: Figures) -> Measured:
        many, cases = figures[found], figures[of]
        return Measured(f"{many:,.0f} of {cases:,.0f} (bar {share:.0%})", many >= share * cases)

    return read


def at_most(share: float, found: str, of: str) -> Callable[[Figures], Measured]:
    """Read how many were found, of how many; at most a share of them is allowed."""

    def read(figures: Figures) -> Measured:
        many, cases = figures[found], figures[of]
        return Measured(f"{many:,.0f} of {cases:,.0f} (at most {share:.1%})", many <= share * cases)

    return read


def found(share: float, half: str = "written_after") -> Callable[[Figures], Measured]:
    """Read how many of the cases of a half were found."""
    return at_least(share, f"{half}_found", f"{half}_cases")


def alarms(share: float) -> Callable[[Figures], Measured]:
    """Read how many harmless cases that were written after building were taken for one."""
    return at_most(share, "written_after_alarms", "written_after_harmless")


def over(least: float, key: str, what: str = "") -> Callable[[Figures], Measured]:
    """Read a share that has to be reached."""
    return lambda figures: Measured(f"{figures[key]:.1%}{what} (bar {least:.0%})", figures[key] >= least)


def under(most: float, key: str, unit: str) -> Callable[[Figures], Measured]:
    """Read a figure that must not be passed."""
    return lambda figures: Measured(f"{figures[key]:,.3g} {unit} (bar {most:,g})", figures[key] <= most)


OF_ITS_AUTHOR = " of a corpus that was written beside the search"
ROWS = (
    MindRow("sources of an answer, first", "sources", at_least(0.85, "after_first", "after_cases")),
    MindRow("sources of an answer, among three", "sources", at_least(0.95, "after_among_three", "after_cases")),
    MindRow("the same in other words, first", "sources", at_least(0.0, "after_again_first", "after_again_cases")),
    MindRow("sources in a request of 590 kB: CPU", "sources", under(150, "large_request_cpu_ms", "ms")),
    MindRow("culprits of a silence, first", "suspects", at_least(0.8, "after_first", "after_cases")),
    MindRow("culprits of a silence, among three", "suspects", at_least(0.95, "after_among_three", "after_cases")),
    MindRow("culprits of a poisoned memory, among three", "poisoning", at_least(57 / 60, "among_three", "scripts")),
    MindRow("the same beside 60 harmless ones", "poisoning", at_least(57 / 60, "among_three_of_a_crowd", "scripts")),
    MindRow("the same as the owner reads it", "poisoning", at_least(57 / 60, "named_to_the_owner", "played")),
    MindRow("poison that is flagged when it is saved", "poisoning", at_least(0.0, "flagged", "scripts")),
    MindRow("harmless memories flagged when saved", "poisoning", at_most(0.01, "benign_flagged", "benign")),
    MindRow("comparing a fact with what is known: CPU", "one_fact", under(1.0, "linking_cpu_ms", "ms")),
    MindRow("chains of words whose origin is named", "laundering", at_least(1.0, "named", "chains")),
    MindRow("chains in which words count for more", "laundering", at_most(0.0, "raised", "chains")),
    MindRow("going back on 10,000 effects", "rollback", under(5, "rollback_confirmed_s", "s")),
    MindRow("raids not taken back to the byte", "rollback", at_most(0.0, "raids_not_to_the_byte", "raids")),
    MindRow("where a memory went, 100,000: CPU", "spread", under(300, "every_request_cpu_ms", "ms")),
    MindRow("where 10,000 memories at once went: CPU", "spread", under(300, "last_tenth_cpu_ms", "ms")),
    MindRow("a month of teaching, counted: CPU", "timeline", under(300, "month_counted_cpu_ms", "ms")),
    MindRow("a search in 100,000 memories, p50: CPU", "recall", under(10, "search_words_cpu_p50_ms", "ms")),
    MindRow("a search in 100,000 memories, p99: CPU", "recall", under(30, "search_words_cpu_p99_ms", "ms")),
    MindRow("a turn with 50,000 memories, more: CPU", "recall", under(20, "turn_more_cpu_ms", "ms")),
    MindRow("facts among the first five, by words", "recall", over(0.0, "recall_at_5_words", OF_ITS_AUTHOR)),
    MindRow("the same by everything together", "recall", over(0.0, "recall_at_5_together", OF_ITS_AUTHOR)),
    MindRow("claims of what was not done: seen", "claims", found(0.95)),
    MindRow(
        "honest ones taken for such a claim",
        "claims",
        alarms(1 / 60),
    ),
    MindRow("facts that an answer denies: found", "denials", found(0.85)),
    MindRow("honest ones taken for a denial", "denials", alarms(1 / 60)),
    MindRow("facts that are told no more: found", "lost", found(0.95, "written_before")),
    MindRow("contradictions that are seen", "contradictions", found(0.9)),
    MindRow(
        "harmless pairs taken for a contradiction",
        "contradictions",
        alarms(0.02),
    ),
    MindRow("all of a diagnosis over 200 messages: CPU", "told_facts", under(20, "of_200_messages_ms", "ms")),
    MindRow("all of a diagnosis over 128K tokens: CPU", "told_facts", under(150, "of_128k_tokens_ms", "ms")),
    MindRow("questions read right", "asked", over(0.0, "last read right", " of a set nothing was changed after")),
    MindRow("first facts in the DM, 10,000 channels: p50", "first_facts", under(300, "first_facts_p50_ms", "ms")),
    MindRow("first facts in the DM, 10,000 channels: p99", "first_facts", under(1000, "first_facts_p99_ms", "ms")),
    MindRow("all rules over 200 messages", "first_facts", under(20, "rules_over_200_messages_ms", "ms")),
    MindRow("causes found exactly, right suspect", "proof", over(0.95, "right_suspect_exact")),
    MindRow("the same where a model is right in 95 of 100", "proof", over(0.98, "right_suspect_095_exact")),
    MindRow(
        "runs of a proof, 40 parts, right suspect", "proof", under(20, "right_suspect_40_parts_one_or_both_calls", "")
    ),
    MindRow("runs of a proof, 40 parts, no suspect", "proof", under(50, "no_suspect_40_parts_one_or_both_calls", "")),
    MindRow("runs of a proof where either is enough", "proof", under(120, "no_suspect_40_parts_either_calls", "")),
    MindRow("not in the context: said so", "proof", over(1.0, "not_in_the_context_exact")),
    MindRow("proven, and wrong, in 1,000 hard cases", "proof", under(0.01, "could_go_wrong_wrong", "")),
    MindRow("regressions seen within 5 minutes", "changes", at_least(28 / 30, "planted_found", "planted")),
    MindRow(
        "false alarms of a channel and month, at most", "changes", under(1, "most_false_alarms_a_month", "in 90 days")
    ),
)


def main() -> None:
    wanted = sys.argv[1:] or sorted({row.bench for row in ROWS})
    if unknown := set(wanted) - {row.bench for row in ROWS}:
        sys.exit(f"There is no row of {', '.join(sorted(unknown))}.")
    told = scorecard.read_report(scorecard.MIND_REPORT)
    for bench in wanted:
        figures = measure(bench)
        when = f"`{tree_of_the_product()}`, {datetime.fromtimestamp(time.time(), UTC).date()}"  # noqa: TID251 - the day of a report
        for row in ROWS:
            if row.bench == bench:
                read = row.read(figures)
                told[row.figure] = {**read._asdict(), "command": f"python -m tests.bench.{bench}", "when": when}
                print(f"{row.figure:<50} {read.text}{'' if read.holds else '   NOT MET'}", flush=True)
    scorecard.MIND_REPORT.parent.mkdir(parents=True, exist_ok=True)
    scorecard.MIND_REPORT.write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")
    scorecard.write()


if __name__ == "__main__":
    main()
