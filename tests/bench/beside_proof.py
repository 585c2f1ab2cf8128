"""Measure how soon others are answered while a proof runs, and without: `python -m tests.bench.beside_proof`.

The whole bot on Telegram, with a model that answers after 200 ms, which is the floor under every answer. Halves with
and without a proof follow each other in one run of one bot; each half with one is held against those around it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
from collections.abc import Sequence

from tests.bench._chats import Json, latencies
from tests.bench._loopback import PLANTED, Remote, a_loopback
from tests.bench.floor import DELAY, come_to_rest
from tests.bench.telegram import OWNER, a_bot

PEOPLE, MESSAGES, PAIRS = 20, 30, 6
LINE = f'!cortex prove "{PLANTED.decode()}"'


def half(loopback: Remote, pid: int, line: str) -> Json:
    """Let people write, with proofs beside them or without."""
    return loopback.order(
        "beside_proofs", pid=pid, people=[*range(PEOPLE)], messages=MESSAGES, owner=OWNER, line=line, delay=DELAY
    )


def measure(loopback: Remote, pairs: int) -> dict[str, float]:
    with a_bot(loopback) as bot:
        loopback.order("says", person=OWNER, number=1, text=f"the word is {PLANTED.decode()}", delay=0.0)
        loopback.order("says", person=OWNER, number=2, text="what is the word?", delay=0.0)
        half(loopback, bot.pid, LINE)
        come_to_rest(bot.pid)
        without, beside = [half(loopback, bot.pid, "")], []
        for _ in range(pairs):
            beside.append(half(loopback, bot.pid, LINE))
            without.append(half(loopback, bot.pid, ""))
    around = [(before["p99_ms"] + after["p99_ms"]) / 2 for before, after in itertools.pairwise(without)]
    ratios = [one["p99_ms"] / two for one, two in zip(beside, around, strict=True)]
    figures = {**_of("without", without), **_of("beside", beside)}
    drift = [after["p99_ms"] / before["p99_ms"] for before, after in itertools.pairwise(without)]
    return {
        "floor_ms": DELAY * 1000,
        **figures,
        "p99_ratio": statistics.median(ratios),
        "p99_ratio_least": min(ratios),
        "p99_ratio_most": max(ratios),
        "pooled_p99_ratio": figures["beside_p99_ms"] / figures["without_p99_ms"],
        "without_least_to_most_p99": min(drift) / max(drift),
        "proofs": sum(one["proofs"] for one in beside),
        "lost": sum(one["lost"] for one in (*without, *beside)),
    }


def _of(name: str, halves: Sequence[Json]) -> dict[str, float]:
    every = latencies([took for one in halves for took in one["took"]])
    cost = statistics.mean(one["cpu_ms"] for one in halves)
    return {f"{name}_{key}": every[key] for key in ("p50_ms", "p99_ms", "max_ms")} | {f"{name}_cpu_ms": cost}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.beside_proof")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    pairs = parser.parse_args().pairs
    with a_loopback() as loopback:
        figures = measure(loopback, pairs)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
