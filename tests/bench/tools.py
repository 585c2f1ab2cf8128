"""Measure tools: what binding them costs a start, and a round of calls its turn: `python -m tests.bench.tools`."""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

from pydantic import Field, create_model

from bot import prompts
from bot.domain.channel import ProcessKind
from bot.ports.clock import Clock
from bot.tools.runtime.effects import SentMessage
from bot.tools.runtime.executor import Executor, TurnCalls
from bot.tools.runtime.tool import ToolArgs, ToolContext, ToolSpec, bind_tool
from bot.tools.toolsets import TOOLSETS
from tests.bot.tools.kit import call, context
from tests.fakes.clock import FakeClock

TOOLS, CALLS, SLOWEST, ROUNDS = 100, 50, 0.2, 7
CHANNEL = frozenset({ProcessKind.CHANNEL})


class Wait(ToolArgs):
    seconds: float = 0.0


async def wait(args: Wait, ctx: ToolContext) -> str:
    await asyncio.sleep(args.seconds)
    ctx.effects.add(SentMessage(f"{args.seconds}", ()))
    return f"waited {args.seconds}"


def some_tools() -> list[ToolSpec]:
    """Make tools of five arguments each, none like another, described by the templates that there are."""
    names = sorted({spec.name for specs in TOOLSETS.values() for spec in specs})
    return [_tool(names[number % len(names)], number) for number in range(TOOLS)]


def _tool(name: str, number: int) -> ToolSpec:
    words = {f"word_{number}_{n}": (str, Field("", max_length=50, description=f"Word {n}.")) for n in range(5)}
    args: Any = create_model(f"Args{number}", __base__=ToolArgs, **words)

    async def run(args: Any, ctx: ToolContext, clock: Clock) -> str:
        return str(clock.now())

    run.__annotations__ = {"args": args, "ctx": ToolContext, "clock": Clock, "return": str}
    return ToolSpec(name, run, CHANNEL)


def timed(work: Callable[[], object]) -> float:
    """Return how many milliseconds of CPU something takes."""
    began = process_time()
    work()
    return (process_time() - began) * 1000


async def a_round(count: int, seconds: float) -> tuple[float, float]:
    """Return how long a round takes, and its CPU time, in milliseconds."""
    bench = TurnCalls({"memory_recall": bind_tool(ToolSpec("memory_recall", wait, CHANNEL), {})}, await context())
    calls = [call("memory_recall", {"seconds": seconds * (n + 1) / count}, f"c{n}") for n in range(count)]
    began, cpu = perf_counter(), process_time()
    done = await Executor(FakeClock()).run(calls, bench, 0)
    took = (perf_counter() - began) * 1000, (process_time() - cpu) * 1000
    assert [result.ok for result in done.results] == [True] * count
    return took


async def main() -> None:
    prompts.warm()
    clock: dict[type, object] = {Clock: FakeClock()}
    specs = some_tools()
    binding = timed(lambda: [bind_tool(spec, clock) for spec in specs])
    wide = [await a_round(CALLS, SLOWEST) for _ in range(ROUNDS)]
    one = [await a_round(1, 0.0) for _ in range(10 * ROUNDS)]
    figures = {
        "bind_100_tools_cpu_ms": binding,
        "parallel_50_of_the_slowest": statistics.median(took for took, _ in wide) / (SLOWEST * 1000),
        "parallel_50_cpu_ms": statistics.median(cpu for _, cpu in wide),
        "one_call_cpu_ms": statistics.median(cpu for _, cpu in one),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main())
