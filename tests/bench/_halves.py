"""Figures of cases that were written in two halves: before something was built, and after."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Any

Halves = Sequence[tuple[str, Sequence[Any], Sequence[Any]]]
Wrong = Callable[[Sequence[Any], Sequence[Any]], tuple[list[Any], list[Any]]]


def figures(halves: Halves, wrong: Wrong) -> dict[str, int]:
    """Count, for each half, what is there and was found, and what is harmless and was taken for it."""
    counted: dict[str, int] = {}
    for name, wanted, harmless in halves:
        missed, alarms = wrong(wanted, harmless)
        key = name.replace(" ", "_")
        counted |= {f"{key}_cases": len(wanted), f"{key}_found": len(wanted) - len(missed)}
        counted |= {f"{key}_harmless": len(harmless), f"{key}_alarms": len(alarms)}
    return counted


def main(what: str | None, halves: Halves, wrong: Wrong, words: Callable[[Any], str]) -> None:
    """Print the figures as JSON; with `--missed` the words of what was read wrongly."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--missed", action="store_true", help="print what was read wrongly")
    if not parser.parse_args().missed:
        print(json.dumps(figures(halves, wrong)))
        return
    for name, wanted, harmless in halves:
        for label, cases in zip(("missed", "alarm"), wrong(wanted, harmless), strict=True):
            for case in cases:
                print(f"{name}, {label}: {words(case)}")
