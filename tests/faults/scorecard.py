"""Writes SCORECARD.md from what was played: every figure with its number of trials, its bar and its command."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.families import MODULES
from tests.faults.records import KEPT, ROOT, Record, Records
from tests.faults.rows import ROWS, Row

HEAD = """\
# Scorecard

Written by `make faults`; nobody writes in it by hand. Each figure stands with the number of its trials and its bar;
where nothing was seen in N trials, the share that may still be there (95 % upper bound) stands beside it. "Not yet"
means that all trials held and that some are still owed. One case is played again with `make faults FAMILY=F2 CASE=...`;
what has held on the same tree is not played again, so that an interrupted run goes on. Machine: {machine}.

| # | Figure | Measured | Holds | Reproduce | Tree, date |
|--:|---|---|---|---|---|
"""
FAMILIES = """
## Families

| Family | Cases | Trials | Failed | Seconds in all | Longest case | Tree, date |
|---|--:|--:|--:|--:|--:|---|
"""
CUT = 300
COUNTED = ("F2", "F3", "F6")
"""Families whose cases are numbered as they come in a recorded run: in another tree a number is another place."""


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def write(path: Path = ROOT / "SCORECARD.md", kept: Path = KEPT) -> None:
    """Write the scorecard anew."""
    played = {name: list(Records(name, kept)) for name in MODULES}
    for name in COUNTED:
        played[name] = of_one_tree(played[name])
    path.write_text(render(played), encoding="utf-8")


def of_one_tree(records: Sequence[Record]) -> list[Record]:
    """Return those of the tree that was played last."""
    return [one for one in records if one.tree == records[-1].tree]


def render(played: Mapping[str, Sequence[Record]]) -> str:
    rows = "".join(_row(row, played) for row in ROWS)
    families = "".join(_family(name, records) for name, records in played.items() if records)
    return HEAD.format(machine=machine()) + rows + FAMILIES + families + _failures(played)


def _row(row: Row, played: Mapping[str, Sequence[Record]]) -> str:
    records = [one for name in row.families for one in played.get(name, ()) if row.chosen(one.key)]
    command = row.command or "; ".join(f"make faults FAMILY={name}" for name in row.families)
    if not records:
        why = f"not run: {row.why_not}" if row.why_not else "not run"
        return f"| {row.number} | {row.figure} | {why} | - | `{command}` | |\n"
    measured = [measure(records) for measure in row.measures]
    text = "; ".join(one.text for one in measured)
    missed = [one for one in measured if one.holds is False]
    holds = "yes" if not missed else "not yet" if all(one.short for one in missed) else "**no**"
    return f"| {row.number} | {row.figure} | {text} | {holds} | `{command}` | {_when(records)} |\n"


def _family(name: str, records: Sequence[Record]) -> str:
    trials, failed = sum(one.n for one in records), sum(bool(one.trouble) for one in records)
    seconds = sum(one.seconds for one in records)
    longest = max(one.seconds for one in records)
    numbers = f"{len(records):,} | {trials:,} | {failed:,} | {seconds:,.0f} | {longest:,.1f} s"
    return f"| {name} | {numbers} | {_when(records)} |\n"


@dataclass(frozen=True)
class _Span:
    trees: list[str]
    dates: list[str]


def _when(records: Iterable[Record]) -> str:
    span = _Span(sorted({one.tree for one in records}), sorted({one.date for one in records}))
    trees = " ".join(f"`{tree}`" for tree in span.trees) if len(span.trees) < 4 else f"{len(span.trees)} trees"
    dates = span.dates[0] if len(span.dates) == 1 else f"{span.dates[0]} to {span.dates[-1]}"
    return f"{trees}, {dates}"


def _failures(played: Mapping[str, Sequence[Record]]) -> str:
    failed = [one for records in played.values() for one in records if one.trouble]
    if not failed:
        return "\n## Failures\n\nNone.\n"
    lines = [f"- `make faults FAMILY={one.family} CASE={one.key}`: {_short(one.trouble)}" for one in failed]
    return "\n## Failures\n\n" + "\n".join(lines) + "\n"


def _short(trouble: str) -> str:
    said = next((line for line in reversed(trouble.splitlines()) if "Error" in line), trouble.strip().splitlines()[-1])
    return said.strip()[:CUT].replace("|", "\\|")
