"""How much memory a thousand branches take that wait on a model, each with 4 kB of a conversation of its own."""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
import tempfile
from pathlib import Path

import orjson

from bot.agent.turn.answering import ToolOffer, context_ask
from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelState, ProcessKind, Turn
from bot.domain.ids import MAIN, ChannelId, PersonKey, UserId
from bot.domain.llm import WireRequest
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import Trigger
from bot.tools.runtime.effects import TurnEffects
from bot.tools.runtime.tool import CallOrigin, ToolContext, TurnView
from bot.tools.runtime.work_port import DelegatedTask
from tests.bench._bot import Bench, Setup, a_bot
from tests.bench._hangs import a_deaf_model
from tests.bench._model import prose

MANY = 1000
CONTEXT = 4000


def said(text: str, at: int) -> Message:
    return Message(role=Role.USER, parts=(TextPart(text=text),), at=at)


def conversation(number: int) -> ChannelState:
    """A channel in which eight things were said, 4 kB in all."""
    words = [prose(CONTEXT // 8 // 5, number * 8 + n)[: CONTEXT // 8 - 40] for n in range(8)]
    messages = tuple(said(text, 1 + n) for n, text in enumerate(words))
    channel = ChannelId(f"console:#c{number}")
    return ChannelState(agent=MAIN, id=channel, name=f"#c{number}", turns=(Turn(id=1, messages=messages),))


async def context_of(bench: Bench, number: int) -> ToolContext:
    """What a tool of a turn in that channel is called with."""
    app, state = bench.app, conversation(number)
    trigger = Trigger(messages=(said("what now?", 9),), at=9)
    limits = app.mind.turns.models.limits(app.mind.turns.models.chain()[0])
    snapshot = await app.inspector.contexts.snapshot(
        context_ask(ProcessKind.CHANNEL, state, trigger, ToolOffer(()), limits)
    )
    view = TurnView(number=number, kind=ProcessKind.CHANNEL, snapshot=snapshot)
    caller = Caller(PersonKey("console", UserId("101")), "ann", Authority.EVERYONE)
    return ToolContext(CallOrigin(state.key, "console"), caller, app.registry, TurnEffects(), view)


def resident() -> int:
    """Bytes in memory now, after whatever can go is gone."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize()


async def sends_out(bench: Bench, numbers: range) -> None:
    for number in numbers:
        await bench.app.mind.work.branch(await context_of(bench, number), DelegatedTask("think about it"))


async def main() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, a_deaf_model(1) as (url, first):
        async with a_bot(Setup(Path(folder) / "data", url)) as bench:
            # what the first one loads is no cost of the others
            await sends_out(bench, range(MANY, MANY + 1))
            assert first.stdout is not None
            await asyncio.to_thread(first.stdout.readline)
    with tempfile.TemporaryDirectory() as folder, a_deaf_model(MANY) as (url, model):
        async with a_bot(Setup(Path(folder) / "data", url)) as bench:
            before = resident()
            await sends_out(bench, range(MANY))
            assert model.stdout is not None
            await asyncio.to_thread(model.stdout.readline)
            await asyncio.sleep(0.5)
            after = resident()
            wires = sum(isinstance(thing, WireRequest) for thing in gc.get_objects())
    return {
        "branches": MANY,
        "rss_mb": round((after - before) / 1_000_000, 1),
        "kb_each": round((after - before) / 1000 / MANY, 1),
        "wires_kept": wires,
    }


if __name__ == "__main__":
    sys.stdout.write(orjson.dumps(asyncio.run(main())).decode() + "\n")
