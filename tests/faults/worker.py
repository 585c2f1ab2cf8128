"""Plays cases of a family in a process of its own: a key a line comes in, a verdict a line goes out."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

import orjson

from tests.fakes.logs import plain_logs
from tests.faults.families import family
from tests.faults.family import Family, Verdict

LONGEST_TROUBLE = 6000
"""Characters; the end of a traceback says most."""


def play(kind: Family, key: str) -> tuple[Verdict, float]:
    """Play one case; a case that does not hold is a verdict too."""
    plain_logs()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="glassmind-fault-", ignore_cleanup_errors=True) as directory:
        try:
            verdict = asyncio.run(_play(kind, key, Path(directory)))
        except Exception:  # noqa: BLE001 - whatever it is, it is what went wrong
            verdict = Verdict(trouble=traceback.format_exc()[-LONGEST_TROUBLE:])
    return verdict, round(time.perf_counter() - began, 3)


def line_of(verdict: Verdict, seconds: float) -> bytes:
    """Write a verdict as a line; its counts may be a Counter, and named by members of an enumeration."""
    # not `asdict`: it makes of a Counter one that counts its own pairs
    counts, figures = dict(verdict.counts), dict(verdict.figures)
    said = {"n": verdict.n, "counts": counts, "figures": figures, "trouble": verdict.trouble, "seconds": seconds}
    return orjson.dumps(said, option=orjson.OPT_NON_STR_KEYS) + b"\n"


async def _play(kind: Family, key: str, directory: Path) -> Verdict:
    return await kind.judge(key, directory)


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")  # what a bot prints must not stand between the verdicts
    os.dup2(2, 1)
    kind = family(sys.argv[1])
    for line in sys.stdin:
        verdict, seconds = play(kind, line.strip())
        out.write(line_of(verdict, seconds))
        out.flush()


if __name__ == "__main__":
    main()
