"""F14: whatever people, models, platforms, servers and files say: no unexpected exception, and every promise holds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from tests.faults.family import Family, Size, Verdict, seed_of
from tests.faults.fuzz.targets import EXAMPLES, TARGETS

GUIDED = (
    *("openai", "anthropic", "update", "page", "export", "mcp", "error-body", "config", "skill", "attachment"),
    *("openai-whole", "anthropic-whole", "search"),
)
"""Readers of untrusted bytes; the first four are played once more than the others, half an hour in all."""
SECONDS = 60
SLICE = ("redactor", "transcript", "streams", "arguments", "press", "commands", "config-files")
IN_SLICE = 24
"""Examples of each target in every test run."""


def cases(size: Size) -> Iterator[str]:
    if size is Size.SLICE:
        yield "found"
        yield from (f"{target}/slice" for target in SLICE)
        return
    yield "found"
    for target, its in TARGETS.items():
        yield from (f"{target}/seed{n}" for n in range(its.cases if size is Size.RELEASE else 1))
    yield from (f"patterns/{module}" for module in _modules())
    if size is Size.RELEASE:
        yield from (f"atheris/{reader}/{n}" for n in range(3) for reader in (GUIDED if n < 2 else GUIDED[:4]))


def _modules() -> tuple[str, ...]:
    from tests.faults.fuzz.patterns import modules

    return modules()


async def play(key: str, directory: Path) -> Verdict:
    kind, _, rest = key.partition("/")
    if kind == "atheris":
        reader, _, number = rest.partition("/")
        return await _guided(reader, int(number), directory)
    if kind == "patterns":
        return await asyncio.to_thread(_patterns, rest)
    if kind == "found":
        return await asyncio.to_thread(_found)
    examples, number = (IN_SLICE, 0) if rest == "slice" else (EXAMPLES, seed_of(rest))
    return await asyncio.to_thread(_target, kind, examples, number)


def _target(name: str, examples: int, number: int) -> Verdict:
    from tests.faults.fuzz.properties import play as play_property

    properties = TARGETS[name].properties
    share = -(-examples // len(properties))
    n = sum(play_property(path, share, number * 1000 + at) for at, path in enumerate(properties))
    return Verdict(n=n, counts={"crashed": 0})


def _patterns(module: str) -> Verdict:
    from tests.faults.fuzz.patterns import MOST_MS, patterns, slowest

    timed = [slowest(used) for used in patterns(module)]
    too_slow = [slow for _, slow in timed if slow.ms >= MOST_MS]
    assert not too_slow, f"patterns of {module} that take {MOST_MS:g} ms and more: {too_slow}"
    figures = {"slowest_pattern_ms": round(max(slow.ms for _, slow in timed), 2)} if timed else {}
    return Verdict(n=sum(count for count, _ in timed), counts={"crashed": 0, "patterns": len(timed)}, figures=figures)


def _found() -> Verdict:
    """Play what once broke a promise, and every sound sample."""
    from tests.faults.fuzz.found import FOUND
    from tests.faults.fuzz.readers import READERS

    inputs = [(reader, data) for name, reader in READERS.items() for data in (*reader.samples, *FOUND.get(name, ()))]
    for reader, data in inputs:
        reader.check(data)
    return Verdict(n=len(inputs), counts={"crashed": 0})


async def _guided(reader: str, number: int, directory: Path) -> Verdict:
    from tests.faults.fuzz.guided import guided, is_there

    if not is_there():
        return Verdict(n=0, counts={"without_atheris": 1})
    found = await guided(reader, number, SECONDS, directory)
    counts = {"crashed": int(bool(found.trouble)), "guided_seconds": SECONDS, "guided_runs": found.runs}
    return Verdict(n=found.runs, counts=counts, trouble=found.trouble)


FAMILY = Family("F14", "fuzzed inputs", cases, play, seconds=400)
