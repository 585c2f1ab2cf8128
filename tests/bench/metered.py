"""Measure what numbers and traces cost: `python -m tests.bench.metered [--pairs 6] [--people 200] [--before DIR]`

200 private chats on Telegram at once, as in `tests.bench.costs`: a bot whose numbers are read and whose traces are
collected, and one without either. CPU of an answer, of the whole process. The two of a pair run side by side, because
what an answer costs changes by half from one minute to the next where others use the machine: how many messages are
kept together by one commit goes by how long each has to wait. DIR is a checkout of an older tree, which stands in the
place of the first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.bench._chats import cpu_ms
from tests.bench._loopback import Remote, a_loopback
from tests.bench.floor import DELAY, HERE, MESSAGES, PEOPLE, come_to_rest
from tests.bench.telegram import a_bot
from tests.peers.processes import free_port

EVERY_SECONDS = 15.0
"""Between two readings of the numbers, as in docs/metrics.md."""
SCRAPES = 200


class Collecting(BaseHTTPRequestHandler):
    """Takes whatever comes; `taken` has how long each batch was."""

    taken: Sequence[int] = ()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        type(self).taken = (*self.taken, int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def a_collector() -> Iterator[str]:
    """Take traces until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collecting)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def read_again_and_again(port: int) -> Iterator[list[int]]:
    """Read the numbers now and then, as a monitor would; the list has how long each answer was."""
    over, read = threading.Event(), list[int]()

    def go_on() -> None:
        while True:
            read.append(_read(port))
            if over.wait(EVERY_SECONDS):
                return

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield read
    finally:
        over.set()
        thread.join()


def _read(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as page:
        return len(page.read())


def _watched(loopback: Remote, ready: threading.Barrier, *, metrics: bool, traces: bool) -> dict[str, float]:
    port = free_port()
    with a_collector() as collector:
        more = f'[metrics]\nlisten = "127.0.0.1:{port}"\n' if metrics else ""
        more += f'[traces]\nendpoint = "{collector}"\n' if traces else ""
        with a_bot(loopback, full=True, more=more) as bot:
            answers(loopback, bot.pid, 1)
            come_to_rest(bot.pid)
            ready.wait()
            if not metrics:
                return answers(loopback, bot.pid)
            with read_again_and_again(port) as read:
                figures = answers(loopback, bot.pid)
            assert read
            before = cpu_ms(bot.pid)
            for _ in range(SCRAPES):
                _read(port)
            return {**figures, "scrape_ms": (cpu_ms(bot.pid) - before) / SCRAPES}


def with_both(loopback: Remote, ready: threading.Barrier) -> dict[str, float]:
    return _watched(loopback, ready, metrics=True, traces=True)


def with_numbers(loopback: Remote, ready: threading.Barrier) -> dict[str, float]:
    return _watched(loopback, ready, metrics=True, traces=False)


def without(loopback: Remote, ready: threading.Barrier, tree: Path = HERE) -> dict[str, float]:
    with a_bot(loopback, full=True, tree=tree) as bot:
        answers(loopback, bot.pid, 1)
        # what a start loads behind the first answers is not to be counted for one of the two alone
        come_to_rest(bot.pid)
        ready.wait()
        return answers(loopback, bot.pid)


def answers(loopback: Remote, pid: int, messages: int = MESSAGES) -> dict[str, float]:
    """Let everybody write so often; return the milliseconds of CPU of an answer, and how many were lost or doubled."""
    people = [*range(how_many.people)]
    loopback.order("crowd", pid=pid, people=people, messages=1, delay=DELAY)
    figures = loopback.order("crowd", pid=pid, people=people, messages=messages, delay=DELAY)
    return {"ms": float(figures["cpu_ms"]), "lost": float(figures["lost"]) + float(figures["twice"])}


how_many = argparse.Namespace(people=PEOPLE)
"""What was asked for."""
Way = Callable[[Remote, threading.Barrier], dict[str, float]]


def side_by_side(first: Way, second: Way) -> tuple[dict[str, float], dict[str, float]]:
    """Run both at the same time, each with a load of its own."""
    ready = threading.Barrier(2, timeout=300)
    with a_loopback() as one, a_loopback() as other, ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(first, one, ready), pool.submit(second, other, ready)
        return waiting[0].result(), waiting[1].result()


def measured(first: Way, second: Way, pairs: int) -> dict[str, float]:
    """Measure so many pairs in which nothing was lost."""
    ratios, taken = list[float](), list[tuple[dict[str, float], dict[str, float]]]()
    while len(taken) < pairs:
        one, other = side_by_side(first, second)
        if one["lost"] or other["lost"]:
            print(json.dumps({"lost": one["lost"] + other["lost"], "says": "measured again"}), flush=True)
            continue
        taken.append((one, other))
        ratios.append(one["ms"] / other["ms"])
        print(json.dumps({"pair": len(taken), "ratio": round(ratios[-1], 3)}), flush=True)
    return {
        "first_ms": statistics.median(one["ms"] for one, _ in taken),
        "second_ms": statistics.median(other["ms"] for _, other in taken),
        "ratio": statistics.median(ratios),
        "ratio_least": min(ratios),
        "ratio_most": max(ratios),
        "scrape_ms": statistics.median(one.get("scrape_ms", 0.0) for one, _ in taken),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.metered")
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--people", type=int, default=PEOPLE, help="fewer where the machine has other work")
    parser.add_argument("--before", type=Path, help="a checkout of an older tree")
    parser.add_argument("--numbers", action="store_true", help="numbers alone, without traces")
    given = parser.parse_args(namespace=how_many)
    if given.before is not None:
        before = given.before.resolve()
        figures = measured(without, lambda loopback, ready: without(loopback, ready, before), given.pairs)
    else:
        figures = measured(with_numbers if given.numbers else with_both, without, given.pairs)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
