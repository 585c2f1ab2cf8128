"""Measure proofs on simulated models: `python -m tests.bench.proof` prints JSON, and a table meanwhile.

300 seeded cases with the right suspect and 300 without any: one cause, both needed, either enough; right in 95 or 85 of
100 runs; 40 and 120 parts. 100 in which the cause is not in the context. 1,000 in which a proof could go wrong: with
wrong suspects, without a cause, with three, with one that shifts the odds a little, and where a coin decides.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from statistics import mean

from tests.bench._deciders import KINDS, PlantedCase

TROUBLES = ("nothing", "coin", "unsteady", "three", "shifted")


@dataclass(frozen=True)
class Played:
    case: PlantedCase
    exact: bool
    word: str
    reason: str
    runs: int

    @property
    def wrong(self) -> bool:
        return self.word == "proven" and not self.exact


def play(case: PlantedCase) -> Played:
    exact, verdict = case.play()
    return Played(case, exact, verdict.word.value, verdict.reason.value, verdict.runs)


def planted(hint: str, seeds: int) -> list[PlantedCase]:
    return [
        PlantedCase(kind, many, high, hint, seed)
        for many in (40, 120)
        for high in (0.95, 0.85)
        for kind in KINDS
        for seed in range(seeds)
    ]


def not_in_context(many: int) -> list[PlantedCase]:
    return [PlantedCase("nothing", 40, (0.95, 0.85)[seed % 2], "none", seed) for seed in range(many)]


def hostile(many: int) -> list[PlantedCase]:
    """Half of them with wrong suspects of a cause that is there; the rest where there is nothing simple to be found."""
    wrong = [PlantedCase(KINDS[n % 3], 40, (0.95, 0.85)[n % 2], "wrong", 1000 + n) for n in range(many // 2)]
    rest = range(many - many // 2)
    return wrong + [PlantedCase(TROUBLES[n % 5], 40, (0.95, 0.85)[n % 2], "wrong", 2000 + n) for n in rest]


def play_all(cases: Iterable[PlantedCase]) -> list[Played]:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(play, cases, chunksize=4))


def row(name: str, played: list[Played]) -> dict[str, float]:
    exact, runs = mean(one.exact for one in played), mean(one.runs for one in played)
    wrong = mean(one.wrong for one in played)
    most = max(one.runs for one in played)
    print(f"{name:<44}{len(played):>6}{exact:>9.1%}{wrong:>9.1%}{runs:>8.1f}{most:>6}", file=sys.stderr, flush=True)
    key = name.replace(" ", "_").replace(",", "").replace(".", "")
    return {f"{key}_exact": round(exact, 4), f"{key}_wrong": round(wrong, 4), f"{key}_calls": round(runs, 2)}


def main() -> None:
    print(f"{'':<44}{'cases':>6}{'exact':>9}{'wrong':>9}{'calls':>8}{'most':>6}", file=sys.stderr)
    figures: dict[str, float] = {}
    for hint, name in (("right", "right suspect"), ("none", "no suspect")):
        played = play_all(planted(hint, 25))
        figures |= row(name, played)
        for high in (0.95, 0.85):
            figures |= row(f"{name}, {high}", [one for one in played if one.case.high == high])
        for many in (40, 120):
            some = [one for one in played if one.case.many == many]
            figures |= row(f"{name}, {many} parts, one or both", [one for one in some if one.case.kind != "either"])
            for kind in KINDS:
                figures |= row(f"{name}, {many} parts, {kind}", [one for one in some if one.case.kind == kind])
    figures |= row("not in the context", play_all(not_in_context(100)))
    hard = play_all(hostile(1000))
    figures |= row("could go wrong", hard)
    for kind in (*KINDS, *TROUBLES):
        figures |= row(f"could go wrong, {kind}", [one for one in hard if one.case.kind == kind])
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
