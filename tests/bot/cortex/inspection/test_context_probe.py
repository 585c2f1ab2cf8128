"""What a poor answer may come from is said with what to do about it."""

from __future__ import annotations

from bot.cortex.inspection.context_probe import LastContext, rows
from bot.sentences import say
from bot.task_prompt.chunk import ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion, ChunkTruncation, CompressedContext, ExclusionReason


def chunk(source: str = "ledger", priority: ChunkPriority = ChunkPriority.HIGH) -> ContextChunk:
    return ContextChunk(content="x", source=source, chunk_type=ChunkType.LEDGER, priority=priority, tokens=10)


def left(
    reason: ExclusionReason, priority: ChunkPriority | None = None, source: str = "history:1-12"
) -> ChunkExclusion:
    return ChunkExclusion(source=source, reason=reason, detail="The disk is gone.", priority=priority)


def cut(source: str) -> ChunkTruncation:
    return ChunkTruncation(
        source=source, chunk_type=ChunkType.LEDGER, rung="head", note="cut", tokens_before=20, tokens_after=10
    )


async def test_before_any_inspection_there_is_nothing_to_say():
    assert await LastContext().probe() == []


def test_a_context_that_fits_is_well():
    (row,) = rows(
        CompressedContext(chunks=(chunk(),), tokens_used=3500, budget=4000, excluded=(left(ExclusionReason.DUPLICATE),))
    )
    assert (row.state, row.fix) == ("ok", "")
    assert row.evidence == "3,500 of 4,000 tokens in use (88%), 1 of 2 pieces, 0 of them shortened"


def test_each_symptom_has_its_advice():
    context = CompressedContext(
        chunks=(chunk(), chunk("sky", ChunkPriority.LOW)),
        tokens_used=30_000,
        budget=32_000,
        excluded=(
            left(ExclusionReason.GATHERER_FAILED, source="memory"),
            left(ExclusionReason.NO_BUDGET, ChunkPriority.HIGH),
            left(ExclusionReason.NO_BUDGET, ChunkPriority.LOW, "history:13-24"),
        ),
        truncated=(cut("ledger"), cut("sky")),
    )
    found = {row.name: row for row in rows(context)}
    fixes = ("slow-fix", "missing-fix", "misunderstood-fix", "shortened-fix")
    assert [row.fix for row in found.values()] == [say(f"inspection.{name}") for name in fixes]
    assert {row.state for row in found.values()} == {"warning"}
    assert found["inspection context, missing"].evidence == "memory: The disk is gone."
    assert found["inspection context, room"].evidence == "no room for 1 piece that matters: history:1-12"
    assert found["inspection context, cut"].evidence == "shortened: ledger"
