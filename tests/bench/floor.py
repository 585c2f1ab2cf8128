"""Measure the bare loop that our Telegram bot is compared with: `python -m tests.bench.floor`."""

from __future__ import annotations

import json
import subprocess  # noqa: TID251 - a bot gets a process of its own, so that its CPU and memory can be told
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench._chats import Json
from tests.bench._loopback import Remote, a_loopback

PEOPLE, MESSAGES, DELAY = 200, 10, 0.2


@contextmanager
def a_process(module: str, *arguments: str) -> Iterator[int]:
    """Run a module in a process; yield its id."""
    with subprocess.Popen([sys.executable, "-m", module, *arguments]) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def rss_mib(pid: int) -> float:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def a_crowd(loopback: Remote, pid: int, messages: int = MESSAGES) -> Json:
    """Let 200 people write, after a first message each that makes connections and fills caches."""
    people: Sequence[int] = range(PEOPLE)
    loopback.order("crowd", pid=pid, people=[*people], messages=1, delay=DELAY)
    return loopback.order("crowd", pid=pid, people=[*people], messages=messages, delay=DELAY)


def bare(loopback: Remote, size: str) -> dict[str, float]:
    """Measure the bare loop with a minimal or a full context."""
    with a_process("tests.bench._bare", loopback.bot_api, loopback.model, size) as pid:
        loopback.order("begin", pid=pid)
        figures = a_crowd(loopback, pid)
        return {**figures, "rss_mib": rss_mib(pid)}


def main() -> None:
    with a_loopback() as loopback:
        figures = {f"{size}_{key}": value for size in ("minimal", "full") for key, value in bare(loopback, size).items()}
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
