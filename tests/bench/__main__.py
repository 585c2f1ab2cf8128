"""Run every measurement in a process of its own and write the figures as JSON: medians of several runs, interleaved.

Usage: python -m tests.bench [--out bench.json] [--runs 3] [NAME ...]
       python -m tests.bench aging --minutes 60 [--rate 5]: once, with a line for each minute
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import statistics
import subprocess  # noqa: TID251 - each measurement gets a fresh process, so that memory figures mean something
import sys
from pathlib import Path

import orjson

HERE = Path(__file__).parent
SEEDED = {"proof"}
"""What comes to the same in every run, so that one is enough."""
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def measure(name: str, *how: str) -> dict[str, float]:
    command = [sys.executable, "-m", f"tests.bench.{name}", *how]
    # what takes an hour says meanwhile how it goes
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=None if how else subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"tests.bench.{name} failed:\n{(done.stderr or b'').decode()}")
    return {key: value for key, value in orjson.loads(done.stdout).items() if isinstance(value, int | float)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--out", default="bench.json")
    parser.add_argument("--runs", type=int, default=0, help="3, or one of an hour")
    parser.add_argument("--minutes", help="how long `aging` takes")
    parser.add_argument("--rate", help="messages a second in `aging`")
    args = parser.parse_args()
    given = {"--minutes": args.minutes, "--rate": args.rate}
    how = [word for key, value in given.items() if value is not None for word in (key, value)]
    if how and args.names != ["aging"]:
        parser.error("--minutes and --rate are for `aging` alone")
    runs = args.runs or (1 if how else 3)
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in args.names}
    for run in range(runs):
        for name in args.names:
            if run and name in SEEDED:
                taken[name].append(taken[name][0])
                continue
            print(f"run {run + 1} of {runs}: {name}", file=sys.stderr)
            taken[name].append(measure(name, *how))
    figures = {
        name: {key: round(statistics.median(run[key] for run in runs), 4) for key in runs[0]}
        for name, runs in taken.items()
    }
    report = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),  # noqa: TID251 - a report's own date
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "runs": runs,
        "figures": figures,
        "each_run": taken,
    }
    Path(args.out).write_bytes(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    for name, values in figures.items():
        for key, value in values.items():
            print(f"{name:<10} {key:<48} {value:>14,.4g}")
    print(f"written to {args.out}")


if __name__ == "__main__":
    main()
