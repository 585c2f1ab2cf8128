"""The rows of SCORECARD.md that say how often the rules find the cause."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import orjson

from tests.diagnose.causes import CAUSES, PLATFORMS
from tests.diagnose.playing import Diagnosed
from tests.diagnose.table import WAYS, few_ways, figures, gaps, places
from tests.faults import scorecard
from tests.faults.records import tree_of_the_product

COMMAND = "make diagnose"
MIN_HEALTHY = 40


class ScoreRow(NamedTuple):
    """A figure: its name, what was measured, and whether its bar is met."""

    figure: str
    text: str
    holds: bool


def score(done: Sequence[Diagnosed]) -> Iterator[ScoreRow]:
    """Judge a whole look: every row in several settings."""
    known = figures(done)
    for seed in sorted({one.seed for one in done}):
        here = figures([one for one in done if one.seed == seed])
        yield ScoreRow(
            f"the right cause first, setting {seed}",
            f"{here['first']:,} of {here['plays']:,} (bar 100%)",
            here["first"] == here["plays"],
        )
    yield ScoreRow(
        "the right cause and no other",
        f"{known['alone']:,} of {known['plays']:,} (bar 100%)",
        known["alone"] == known["plays"],
    )
    healthy = len({(one.name, one.platform) for one in done if not one.wanted and not one.is_terminal_only})
    yield ScoreRow(
        "false alarms where nothing is wrong",
        f"{known['false_alarms']:,} of {known['healthy']:,}, {healthy:,} situations (bar 0 of {MIN_HEALTHY})",
        not known["false_alarms"] and healthy >= MIN_HEALTHY,
    )
    yield ScoreRow(
        "two causes at once, both found, in order",
        f"{known['pairs_in_order']:,} of {known['pairs']:,} (bar 100%)",
        known["pairs_in_order"] == known["pairs"],
    )
    yield ScoreRow("confirmed, and wrong", f"{known['falsely_sure']:,} (bar 0)", not known["falsely_sure"])
    told, few = len(places(done)), [*few_ways(done), *gaps(done)]
    yield ScoreRow(
        f"causes on platforms, told in {WAYS} ways or more",
        f"{told - len(few_ways(done)):,} of {told + len(gaps(done)):,}, {known['causes']:,} causes of {len(CAUSES):,} "
        f"on {len(PLATFORMS)} platforms (bar 100%)",
        not few,
    )
    yield ScoreRow("could not be played", f"{known['not_played']:,} (bar 0)", not known["not_played"])


def write(done: Sequence[Diagnosed]) -> None:
    """Write the rows into SCORECARD.md."""
    when = f"`{tree_of_the_product()}`, {datetime.fromtimestamp(time.time(), UTC).date()}"  # noqa: TID251 - the day of a report
    rows = {row.figure: {"text": row.text, "holds": row.holds, "command": COMMAND, "when": when} for row in score(done)}
    scorecard.DIAGNOSIS_REPORT.parent.mkdir(parents=True, exist_ok=True)
    scorecard.DIAGNOSIS_REPORT.write_bytes(orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")
    scorecard.write()
