"""What was sent can be built again from what was saved, and looking for a difference stops nobody."""

from __future__ import annotations

import asyncio

from bot.context.builder import ContextBuilder
from tests.fakes.contexts import Stack, ask, limits, talked
from tests.fakes.memories import FakeMemories
from tests.fakes.values import channel, memory
from tests.fakes.wires import FakeWires


async def test_what_was_sent_can_be_built_again():
    contexts, wires = Stack(memories=FakeMemories(memory("Tea."))).contexts, FakeWires()
    snapshot = await contexts.snapshot(ask(talked(channel(), ("hi", "hello"))))
    sha = wires.encode(snapshot.request).sha256
    assert await contexts.drift(snapshot, sha, wires.encode) is None
    assert "the bytes are" in await contexts.drift(snapshot, "0" * 64, wires.encode)


async def test_drift_names_the_first_part_that_differs():
    contexts, wires = Stack().contexts, FakeWires()
    snapshot = await contexts.snapshot(ask(talked(channel(), ("hi", "hello"))))
    other = await contexts.snapshot(ask(talked(channel(), ("hi", "HELLO"))))
    forged = snapshot.model_copy(update={"inputs": other.inputs})
    assert "message 2 of 3 differs" in await contexts.drift(forged, "", wires.encode)


async def test_inactive_tools_and_limits_are_seen_as_differences():
    contexts, wires = Stack().contexts, FakeWires()
    snapshot = await contexts.snapshot(ask(channel()))
    without = await contexts.snapshot(ask(channel(), tools=()))
    smaller = await contexts.snapshot(ask(channel(), limit=limits(100_000, 99)))
    named = await contexts.snapshot(ask(channel(name="#ops").replace(place={"is_dm": True})))
    for other, words in ((without, "tool 1 of 1"), (smaller, "parameters differ"), (named, "section ")):
        forged = snapshot.model_copy(update={"inputs": other.inputs})
        assert words in await contexts.drift(forged, "", wires.encode)


async def test_a_name_that_no_longer_fits_its_words_is_seen():
    contexts, wires = Stack().contexts, FakeWires()
    state = talked(channel(), ("hi", "hello"))
    vars(state.turns[0].messages[1])["digest"] = "0" * 32
    snapshot = await contexts.snapshot(ask(state))
    assert "message 2 of 3 differs" in await contexts.drift(snapshot, "", wires.encode)


async def test_a_long_chat_is_read_back_in_steps():
    contexts, wires = Stack().contexts, FakeWires()
    long = talked(channel(), *((f"question {n}", f"answer {n}") for n in range(200)))
    assert await _steps(contexts, ask(long), wires) > await _steps(contexts, ask(channel()), wires) + 20


async def _steps(contexts: ContextBuilder, asked, wires) -> int:
    """How often others get their turn during one check."""
    snapshot = await contexts.snapshot(asked)
    steps = 0

    async def others() -> None:
        nonlocal steps
        while True:
            steps += 1
            await asyncio.sleep(0)

    running = asyncio.get_running_loop().create_task(others())
    assert await contexts.drift(snapshot, wires.encode(snapshot.request).sha256, wires.encode) is None
    running.cancel()
    return steps
