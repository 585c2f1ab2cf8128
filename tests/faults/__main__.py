"""Play families of faults, and write the scorecard.

Usage: python -m tests.faults [--size nightly] [--family F2] [--case KEY] [--jobs 2] [--minutes 45]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time

from tests.faults import scorecard
from tests.faults.families import MODULES, family
from tests.faults.family import Family, Size
from tests.faults.playing import Playing
from tests.faults.records import Records, tree_of_the_product
from tests.faults.worker import play

SHOWN = 5
"""Failures that are printed of each family; all of them stand in the scorecard."""


def main() -> None:
    args = _arguments()
    if args.scorecard:
        scorecard.write()
    elif args.case:
        sys.exit(_one(family(args.family), args.case))
    else:
        sys.exit(asyncio.run(_all([args.family] if args.family else list(MODULES), args)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--size", type=Size, choices=list(Size), default=Size.RELEASE)
    parser.add_argument("--family", choices=list(MODULES), help="only this family")
    parser.add_argument("--case", help="play one case again, here and now")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cases side by side")
    parser.add_argument("--minutes", type=float, default=0, help="begin no case of a family after so many minutes")
    parser.add_argument("--scorecard", action="store_true", help="only write SCORECARD.md from what was played")
    args = parser.parse_args()
    if args.case and not args.family:
        parser.error("--case needs --family")
    return args


def _one(kind: Family, key: str) -> int:
    verdict, seconds = play(kind, key)
    print(verdict.trouble or "it holds", f"{dict(verdict.counts)} {dict(verdict.figures)} {seconds:.1f} s", sep="\n")
    return 1 if verdict.trouble else 0


async def _all(names: list[str], args: argparse.Namespace) -> int:
    tree, failed = tree_of_the_product(), 0
    print(f"tree {tree}, size {args.size}, {args.jobs} side by side")
    for name in names:
        kind = family(name)
        if missing := kind.missing():
            print(f"{name:<4} {kind.title}: not played, {missing}")
            continue
        until = time.monotonic() + args.minutes * 60 if args.minutes else float("inf")
        playing = Playing(kind, args.size, tree, Records(name), args.jobs, _tell, until)
        await playing.play(kind.cases(args.size))
        failed += len(playing.failed)
        _sum_up(playing)
        scorecard.write()
    rows = scorecard.missed(names) if args.size is Size.RELEASE else []
    print(*(f"row {row}" for row in rows), sep="\n", end="\n" if rows else "")
    return 1 if failed or rows else 0


def _tell(playing: Playing) -> None:
    """Show how far it is, on one line where somebody looks on."""
    if sys.stdout.isatty():
        spent = time.monotonic() - playing.began
        far = f"{playing.family.name:<4} {playing.played:,} of {playing.total:,}"
        line = f"{far}, failed {len(playing.failed)}, {spent:.0f} s"
        print(f"\r{line:<70}", end="", flush=True)


def _sum_up(playing: Playing) -> None:
    start = "\r" if sys.stdout.isatty() else ""
    spent = time.monotonic() - playing.began
    held = playing.played - len(playing.failed)
    name, title = playing.family.name, playing.family.title
    print(f"{start}{name:<4} {title}: {held:,} of {playing.total:,} held, {len(playing.failed)} failed, {spent:.0f} s")
    for record in playing.failed[:SHOWN]:
        print(f"     make faults FAMILY={name} CASE={record.key}\n{record.trouble.rstrip()[-1500:]}")


if __name__ == "__main__":
    main()
