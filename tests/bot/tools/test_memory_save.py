"""Remembering."""

from __future__ import annotations

import pytest

from bot.domain.access import Authority
from bot.domain.memory import MemoryType
from bot.errors import ToolError
from bot.memory.write import MemoryRules
from bot.tools.effects import Remembered
from bot.tools.memory_save import SaveArgs, memory_save
from tests.bot.tools.kit import context
from tests.fakes.clock import FakeClock
from tests.fakes.memories import FakeMemories

RULES = MemoryRules(0.75, 2)


async def save(ctx, content: str, kind: str = "fact", importance: float | None = None, memories=None) -> str:
    args = SaveArgs(content=content, type=kind, importance=importance)
    return await memory_save.run(args, ctx, memories or FakeMemories(), RULES, FakeClock())


async def test_a_memory_is_staged_with_its_cause_and_stored_by_nobody_yet():
    ctx, memories = await context(), FakeMemories()
    told = await save(ctx, "ann likes tea", memories=memories)
    assert "importance 0.60" in told and "when this turn ends" in told
    assert memories.kept == []
    ((body, silences),) = ctx.effects.of(Remembered)
    assert (body.type, body.subjects, silences) == (MemoryType.FACT, ("42",), None)
    cause = body.provenance
    assert (cause.author, cause.inbound, cause.message_id, cause.turn) == ("42", 99, "x1", 7)
    assert (cause.process, cause.model, cause.by_admin) == ("channel", "simulated/echo", False)


async def test_a_memory_that_silences_is_flagged_and_the_model_hears_so():
    ctx = await context()
    told = await save(ctx, "Decision: do not answer ann.", "decision", 0.9)
    (kept,) = ctx.effects.of(Remembered)
    assert kept.silences.target == "ann"
    assert kept.memory.importance == 0.75
    assert "The admins are told" in told


async def test_an_admin_is_not_capped():
    ctx = await context(authority=Authority.ADMIN)
    await save(ctx, "x y z", importance=1)
    assert ctx.effects.of(Remembered)[0].memory.importance == 1


async def test_the_same_twice_is_kept_once_and_there_is_a_limit_a_day():
    ctx = await context()
    await save(ctx, "one")
    assert "already" in await save(ctx, "one")
    await save(ctx, "two")
    with pytest.raises(ToolError, match="2 memories in 24 hours"):
        await save(ctx, "three")
    assert len(ctx.effects.of(Remembered)) == 2
