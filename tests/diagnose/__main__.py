"""How often the rules are right: `make diagnose`.

SEEDS=3       how many settings each row is played in (0 is the one it was written in)
SEED=7        only this one
ONLY=word     rows whose name, platform or rule holds it        JOBS=2      processes (as many as there are cores)
DIAGNOSE_OUT  where the table goes as JSON (.diagnose/report.json)

A whole look, with neither SEED nor ONLY, writes its figures into SCORECARD.md.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import structlog

from tests.diagnose import score
from tests.diagnose.pairs import pairs
from tests.diagnose.playing import Diagnosed, played
from tests.diagnose.rows import DiagnosisRow, rows
from tests.diagnose.table import confusion, figures, holds, table
from tests.fakes.patience import waits_for_the_machine

_OUT = Path(".diagnose/report.json")


def main() -> None:
    seed, only = os.environ.get("SEED", ""), os.environ.get("ONLY", "")
    seeds = [int(seed)] if seed else range(int(os.environ.get("SEEDS") or 3))
    path = Path(os.environ.get("DIAGNOSE_OUT") or _OUT)
    plays = [(number, at) for number, row in enumerate(every_row()) if _is_wanted(row, only) for at in seeds]
    done: list[Diagnosed] = []
    with ProcessPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1), initializer=_begin) as pool:
        for one in pool.map(_play, plays, chunksize=4):
            done.append(one)
            mark = "." if one.holds else "-" if one.is_terminal_only else "✗"
            print(mark, end="\n" if len(done) % 100 == 0 else "", flush=True)
    print("\n" + table(done))
    path.parent.mkdir(parents=True, exist_ok=True)
    by_setting = {at: confusion([one for one in done if one.seed == at]) for at in seeds}
    kept = {"figures": figures(done), "confusion": by_setting, "rows": [one.model_dump() for one in done]}
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")
    print(f"The rows are in {path}.")
    if not (seed or only):
        score.write(done)
    sys.exit(0 if holds(done) else 1)


def every_row() -> list[DiagnosisRow]:
    """Return every row and every pair, in an order that stays."""
    return [*rows(), *pairs()]


def _is_wanted(row: DiagnosisRow, only: str) -> bool:
    return only in f"{row.name} {row.platform} {row.scenario.rule} {'pairs' if row.behind else ''}"


def _begin() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    waits_for_the_machine(probe=4.0)


def _play(play: tuple[int, int]) -> Diagnosed:
    number, seed = play
    return asyncio.run(played(every_row()[number], seed))


if __name__ == "__main__":
    main()
