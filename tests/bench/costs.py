"""Measure what of an answer costs most, and what it cost in an older tree: `python -m tests.bench.costs [--before DIR]`

200 private chats on Telegram at once, as in `tests.bench.telegram`. Both trees take turns in one run, and the bare loop
too, so that their ratio does not depend on the machine's moment. A tree's whole CPU and that of its loop's thread are
measured without a profile; a profile in a run of its own divides the latter among packages. DIR is a checkout of the
older tree, such as `git worktree add DIR COMMIT` makes.
"""

from __future__ import annotations

import argparse
import json
import pstats
import statistics
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench._loopback import Remote, a_loopback
from tests.bench.floor import HERE, MESSAGES, PEOPLE, a_crowd, bare
from tests.bench.telegram import a_bot

RUNS, LARGEST = 2, 5


class Costs(NamedTuple):
    """CPU of an answer, in ms: of the whole process, and of its loop's thread."""

    all: float
    loop: float


def thread_ms(pid: int) -> float:
    """Return the CPU time of a process's first thread, which has its loop, in ms."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def costs(loopback: Remote, tree: Path) -> Costs:
    """Measure without a profile."""
    with a_bot(loopback, full=True, tree=tree) as bot:
        a_crowd(loopback, bot.pid, 1)
        before = thread_ms(bot.pid)
        figures = a_crowd(loopback, bot.pid)
        assert not figures["lost"] and not figures["twice"]
        # the first message of each is not counted in what the crowd costs
        return Costs(figures["cpu_ms"], (thread_ms(bot.pid) - before) / (PEOPLE * (MESSAGES + 1)))


def shares(loopback: Remote, tree: Path) -> dict[str, float]:
    """Measure which share of the loop's thread each package has."""
    with tempfile.TemporaryDirectory() as directory:
        profile = Path(directory, "profile")
        with a_bot(loopback, full=True, profile=str(profile), tree=tree) as bot:
            a_crowd(loopback, bot.pid)
        took = by_package(pstats.Stats(str(profile)), tree)
    whole = sum(took.values())
    return {name: spent / whole for name, spent in took.items()}


def by_package(stats: pstats.Stats, tree: Path) -> Counter[str]:
    """Add up own times by package; what is written in C counts for whoever called it. Imports are left out."""
    took: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, callers) in stats.stats.items():  # type: ignore[attr-defined]
        if file != "~":
            took[package(file, tree)] += own
        elif "select.epoll" not in name:
            for (caller, _, _), (_, _, spent, _) in callers.items():
                took[package(caller, tree)] += spent
    for name in ("importing", ""):
        took.pop(name, None)
    return took


def package(file: str, tree: Path) -> str:
    """Name what a file belongs to: `bot.context`, `adapters.sqlite`, a library, `asyncio`, or Python itself."""
    if "importlib" in file or file.startswith("<frozen"):
        return "importing"
    if "site-packages/" in file:
        return file.partition("site-packages/")[2].partition("/")[0]
    for path in (file, str(Path(tree, file))):
        if Path(path).is_absolute() and Path(path).is_relative_to(tree):
            return ".".join(Path(path).relative_to(tree).with_suffix("").parts[:2])
    return "asyncio" if "/asyncio/" in file else "Python" if file not in {"~", ""} else ""


def largest(spent: Mapping[str, float]) -> list[str]:
    return sorted(spent, key=lambda name: -spent[name])[:LARGEST]


def measured(loopback: Remote, trees: Sequence[Path]) -> dict[str, float]:
    """Measure one tree, or an older one and this one."""
    floors, taken = list[float](), dict[Path, list[Costs]]({tree: [] for tree in trees})
    for _ in range(RUNS):
        floors.append(bare(loopback, "full", "plain")["cpu_ms"])
        for tree in trees:
            taken[tree].append(costs(loopback, tree))
    floor = statistics.median(floors)
    figures = {"floor_ms": floor}
    spent: dict[Path, dict[str, float]] = {}
    for tree in trees:
        whole = statistics.median(one.all for one in taken[tree])
        loop = statistics.median(one.loop for one in taken[tree])
        spent[tree] = {name: share * loop for name, share in shares(loopback, tree).items()}
        spent[tree]["other threads"] = whole - loop
        which = "now" if tree == HERE else "before"
        figures |= {f"{which}_ms": whole, f"{which}_to_floor_ratio": whole / floor}
    if len(trees) > 1:
        figures["now_to_before_ratio"] = figures["now_ms"] / figures["before_ms"]
    for name in dict.fromkeys(name for tree in trees for name in largest(spent[tree])):
        for tree in trees:
            figures[f"{name}: {'now' if tree == HERE else 'before'}_ms"] = spent[tree].get(name, 0.0)
        if len(trees) > 1 and spent[trees[0]].get(name):
            figures[f"{name}: now_to_before_ratio"] = spent[HERE].get(name, 0.0) / spent[trees[0]][name]
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.costs")
    parser.add_argument("--before", type=Path, help="a checkout of an older tree")
    before = parser.parse_args().before
    with a_loopback() as loopback:
        figures = measured(loopback, [*([before.resolve()] if before else []), HERE])
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
