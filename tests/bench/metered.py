"""Measure what counting for a monitor costs: `python -m tests.bench.metered [--pairs 6]`

200 private chats on Telegram at once, as in `tests.bench.costs`: a bot whose numbers are read every second, and one
without them, in pairs that take turns in being first. CPU of an answer, of the whole process; a pair's ratio does not
depend on the machine's moment as much as either figure does.
"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.bench._loopback import Remote, a_loopback
from tests.bench.floor import a_crowd
from tests.bench.telegram import a_bot
from tests.peers.processes import free_port

EVERY_SECONDS = 1.0
Way = Callable[[Remote], float]
"""Measures one way; returns the milliseconds of CPU that an answer took."""


@contextmanager
def read_again_and_again(port: int) -> Iterator[list[int]]:
    """Read the numbers every second, as several monitors would; the list has how long each answer was."""
    over, read = threading.Event(), list[int]()

    def go_on() -> None:
        while not over.wait(EVERY_SECONDS):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
                read.append(len(page.read()))

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield read
    finally:
        over.set()
        thread.join()


def with_numbers(loopback: Remote) -> float:
    port = free_port()
    with a_bot(loopback, full=True, more=f'[metrics]\nlisten = "127.0.0.1:{port}"\n') as bot:
        a_crowd(loopback, bot.pid, 1)
        with read_again_and_again(port) as read:
            figures = a_crowd(loopback, bot.pid)
        assert read and not figures["lost"] and not figures["twice"]
        return float(figures["cpu_ms"])


def without(loopback: Remote) -> float:
    with a_bot(loopback, full=True) as bot:
        a_crowd(loopback, bot.pid, 1)
        return float(a_crowd(loopback, bot.pid)["cpu_ms"])


def measured(loopback: Remote, pairs: int, way_on: Way = with_numbers, way_off: Way = without) -> dict[str, float]:
    """Measure so many pairs; each way is first in half of them."""
    on, off = list[float](), list[float]()
    for pair in range(pairs):
        for way, taken in ((way_on, on), (way_off, off)) if pair % 2 else ((way_off, off), (way_on, on)):
            taken.append(way(loopback))
    ratios = [one / other for one, other in zip(on, off, strict=True)]
    return {
        "with_ms": statistics.median(on),
        "without_ms": statistics.median(off),
        "ratio": statistics.median(ratios),
        "ratio_least": min(ratios),
        "ratio_most": max(ratios),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.metered")
    parser.add_argument("--pairs", type=int, default=6)
    pairs = parser.parse_args().pairs
    with a_loopback() as loopback:
        figures = measured(loopback, pairs)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
