"""Run every measurement in a process of its own and write the figures as JSON: medians of several runs, interleaved.

Usage: python -m tests.bench [--out bench.json] [--runs 3] [NAME ...]
       python -m tests.bench --before DIR [NAME ...]: in turn with the same of an older tree, and how they compare
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
ASKED_ALONE = {"mind", "who_and_when", "wordings"}
"""What runs others, or needs data and a model of somebody's own."""
NAMES = sorted(
    path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_") and path.stem not in ASKED_ALONE
)
ROOT = HERE.parent.parent


def measure(name: str, *how: str, tree: Path = ROOT) -> dict[str, float]:
    command = [sys.executable, "-m", f"tests.bench.{name}", *how]
    # what takes an hour says meanwhile how it goes
    quiet = None if how else subprocess.PIPE
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=quiet, check=False, cwd=tree)
    if done.returncode != 0:
        sys.exit(f"tests.bench.{name} failed:\n{(done.stderr or b'').decode()}")
    return {key: value for key, value in orjson.loads(done.stdout).items() if isinstance(value, int | float)}


def compare(names: list[str], before: Path, runs: int) -> None:
    """Measure two trees in turn and print the medians of what both measure, and the ratio of now to before."""
    for name in names:
        if not (before / "tests" / "bench" / f"{name}.py").exists():
            print(f"{name}: not measured there", file=sys.stderr)
            continue
        pairs = [(measure(name, tree=before), measure(name)) for _ in range(runs)]
        for key in [key for key in pairs[0][1] if key in pairs[0][0]]:
            old, new = (statistics.median(pair[side][key] for pair in pairs) for side in (0, 1))
            print(f"{name:<10} {key:<48} {old:>12,.4g} {new:>12,.4g} {new / old if old else 1:>7.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--out", default="bench.json")
    parser.add_argument("--runs", type=int, default=0, help="3, or one of an hour")
    parser.add_argument("--before", type=Path, help="an older tree, such as `git worktree add DIR COMMIT` makes")
    parser.add_argument("--minutes", help="how long `aging` takes")
    parser.add_argument("--rate", help="messages a second in `aging`")
    args = parser.parse_args()
    if args.before is not None:
        compare(args.names, args.before.resolve(), args.runs or 5)
        return
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
