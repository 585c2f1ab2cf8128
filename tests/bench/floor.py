"""Measure the bare loop that our Telegram bot is compared with: `python -m tests.bench.floor`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess  # noqa: TID251 - a bot gets a process of its own, so that its CPU and memory can be told
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench._chats import Json, cpu_ms
from tests.bench._loopback import Remote, a_loopback

HERE = Path(__file__).resolve().parents[2]
"""The tree that is measured."""
PEOPLE, MESSAGES, DELAY, ALONE = 200, 10, 0.2, 100
SYNCS = 100
QUIET_MS = 50
"""CPU time in a second below which a process does nothing but beat."""


def environment() -> dict[str, str]:
    """Return what a bot is run with: compiled modules are kept, as they are wherever it is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "glassmind-bench"))}


@contextmanager
def a_process(module: str, *arguments: str) -> Iterator[int]:
    """Run a module in a process; yield its id."""
    with subprocess.Popen([sys.executable, "-m", module, *arguments], env=environment()) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def rss_mib(pid: int | str, what: str = "VmRSS") -> float:
    """Return the resident memory of a process ("self": this one), or another line of its status in kB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024


def come_to_rest(pid: int) -> None:
    """Return when a process has done nothing for two seconds: what a start loads later is there, or else by chance."""
    quiet, before = 0, cpu_ms(pid)
    while quiet < 2:
        time.sleep(1)
        now = cpu_ms(pid)
        quiet, before = quiet + 1 if now - before < QUIET_MS else 0, now


def a_crowd(loopback: Remote, pid: int, messages: int = MESSAGES) -> Json:
    """Let 200 people write, after a first message each that makes connections and fills caches."""
    people: Sequence[int] = range(PEOPLE)
    loopback.order("crowd", pid=pid, people=[*people], messages=1, delay=DELAY)
    return loopback.order("crowd", pid=pid, people=[*people], messages=messages, delay=DELAY)


def bare(loopback: Remote, size: str, written: str) -> Json:
    """Measure the bare loop with a minimal or a full context; JSON is "plain" (the standard library) or by orjson."""
    with a_process("tests.bench._bare", loopback.bot_api, loopback.model, size, written) as pid:
        start = loopback.order("begin", pid=pid)["cpu_ms"]
        figures = a_crowd(loopback, pid)
        rss = rss_mib(pid)
        soon = loopback.order("alone", pid=pid, person=PEOPLE, messages=ALONE)
        more = {"rss_mib": rss, "start_cpu_ms": start, "alone_p50_ms": soon["p50_ms"], "alone_p99_ms": soon["p99_ms"]}
        return {**figures, **more}


def sync_ms() -> float:
    """Return how long this disk takes to make a page durable, which is under everything that we keep (median)."""
    took: list[float] = []
    with tempfile.TemporaryFile() as file:
        for _ in range(SYNCS):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def main() -> None:
    figures = {"sync_ms": sync_ms()}
    with a_loopback() as loopback:
        for size, written in (("minimal", "plain"), ("full", "plain"), ("full", "orjson")):
            name = f"{size}_{written}"
            figures |= {f"{name}_{key}": value for key, value in bare(loopback, size, written).items()}
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
