"""Measure comparing two contexts of 200 messages; run with `python -m tests.bench.diff`, prints JSON (milliseconds)."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Callable

from bot.domain.channel import ChannelState, Turn
from bot.domain.llm import LLMRequest
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.inspect.diff.causes import explain
from bot.inspect.diff.change_events import ChangeRecords
from bot.inspect.diff.context_diff import ContextDiff, RequestPart, compare, line_changes
from bot.inspect.diff.diff_side import DiffSide, side_of
from bot.inspect.diff.find_words import find
from bot.inspect.diff.shared_prefix import common_prefix
from tests.bench.context import Bench, prose, talk
from tests.fakes.contexts import says
from tests.fakes.values import memory, said

READER = CaptureReader(reads_content=True, operator=True)
WINDOW = ChangeRecords(since=0, until=1)
RUNS = 60


async def captured(bench: Bench, state: ChannelState) -> ContextCapture:
    bench.state = state
    bench.inspector.directory.states[state.key] = state  # type: ignore[attr-defined]
    return await bench.inspector.inspect(state.key)


def timed(work: Callable[[], object], runs: int = RUNS) -> dict[str, float]:
    taken, cpu = [], []
    for _ in range(runs):
        began, spent = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - spent) * 1000)
    return {"ms": statistics.median(taken), "p95_ms": sorted(taken)[int(runs * 0.95)], "cpu_ms": statistics.median(cpu)}


def whole(first: ContextCapture, second: ContextCapture, bench: Bench) -> ContextDiff:
    """Everything between two captures and the answer: who may see what, the parts, what differs, and the causes."""
    sides = [side_of(one, view_for_reader(one, READER, bench.redactor), 1) for one in (first, second)]
    diff = compare(*sides)
    for change in diff.changes:
        explain(change, diff, WINDOW)
        for old, new in zip(change.before, change.after, strict=False) if change.part is RequestPart.SECTION else ():
            line_changes(old.text, new.text)
    return diff


def forgotten(request: LLMRequest) -> None:
    """Drop the names that the messages keep."""
    for message in request.messages:
        vars(message).pop("digest", None)


async def measure() -> dict[str, float]:
    bench = Bench()
    await bench.contexts.counter.warm(["load"])
    state = talk(200, 152)
    first = await captured(bench, state)
    await bench.inspector.memories.add([memory(prose(12, 99), created_at=99)])
    more = Turn(id=101, messages=(says(prose(30, 7), 777), said(prose(30, 8))))
    grown = await captured(bench, state.replace(turns=(*state.turns, more)))
    other = await captured(bench, talk(200, 152, seed=5))
    quiet = compare(*(side_of(one, view_for_reader(one, READER, bench.redactor), 1) for one in (first, grown)))
    sides: list[DiffSide] = [quiet.before, quiet.after]
    strange = side_of(other, view_for_reader(other, READER, bench.redactor), 1)

    shown = view_for_reader(first, READER, bench.redactor)

    def cold() -> None:
        forgotten(first.request)
        forgotten(grown.request)
        whole(first, grown, bench)

    figures = {
        "messages": float(len(sides[0].messages)),
        "changes": float(len(quiet.changes)),
        **_named("compare", timed(lambda: compare(*sides))),
        **_named("compare_nothing_alike", timed(lambda: compare(sides[0], strange))),
        **_named("view", timed(lambda: view_for_reader(first, READER, bench.redactor))),
        **_named("side", timed(lambda: side_of(first, shown, 1))),
        **_named("whole", timed(lambda: whole(first, grown, bench))),
        **_named("whole_nothing_alike", timed(lambda: whole(first, other, bench))),
        **_named("whole_names_unknown", timed(cold)),
        **_named("prefix", timed(lambda: common_prefix(*sides))),
        **_named(
            "find", timed(lambda: find(view_for_reader(grown, READER, bench.redactor), sides[1], "gray pigeons"), 20)
        ),
    }
    return figures


def _named(name: str, figures: dict[str, float]) -> dict[str, float]:
    return {f"{name}_{key}": value for key, value in figures.items()}


def main() -> None:
    print(json.dumps({name: round(value, 3) for name, value in asyncio.run(measure()).items()}))


if __name__ == "__main__":
    main()
