"""Say what the last inspection was given to read, and what to do where that may explain a poor answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.health import ProbeResult
from bot.sentences import say
from bot.task_prompt.chunk import ChunkPriority
from bot.task_prompt.compressed_context import ChunkExclusion, CompressedContext, ExclusionReason
from bot.text.text import quote_line

LARGE_TOKENS = 20_000
"""Tokens from which on a first message is slow to read, and dear in every round."""
_MAX_NAMED_FAILURES = 3


class LastContext:
    """Remembers what the newest inspection was given."""

    def __init__(self) -> None:
        self.context: CompressedContext | None = None

    async def probe(self) -> Sequence[ProbeResult]:
        """Return the doctor's rows; none before the first inspection."""
        return list(rows(self.context)) if self.context is not None else []


def rows(context: CompressedContext) -> Iterator[ProbeResult]:
    """Yield one row, and one more for each thing that may make an answer poor."""
    included, left = len(context.chunks), len(context.excluded)
    said = say(
        "inspection.context-used",
        used=context.tokens_used,
        budget=context.budget,
        share=f"{context.utilization:.0%}",
        included=included,
        all=included + left,
        shortened=len(context.truncated),
    )
    large = context.tokens_used > LARGE_TOKENS
    fix = say("inspection.slow-fix") if large else ""
    yield ProbeResult(name=say("inspection.context-row"), state="warning" if large else "ok", evidence=said, fix=fix)
    failed = [e for e in context.excluded if e.reason is ExclusionReason.GATHERER_FAILED]
    if failed:
        told = "; ".join(f"{e.source}: {quote_line(e.detail, 60)}" for e in failed[:_MAX_NAMED_FAILURES])
        yield _warning("inspection.context-missing", told, "inspection.missing-fix")
    pressed = [
        e for e in context.excluded if e.reason is ExclusionReason.NO_BUDGET and (e.priority or 0) >= ChunkPriority.HIGH
    ]
    if pressed:
        evidence = say("inspection.no-room", count=len(pressed), names=_named(pressed))
        yield _warning("inspection.context-room", evidence, "inspection.misunderstood-fix")
    weighty = {c.source for c in context.chunks if c.priority >= ChunkPriority.HIGH}
    cut = [t.source for t in context.truncated if t.source in weighty]
    if cut:
        named = ", ".join(quote_line(source, 40) for source in cut[:_MAX_NAMED_FAILURES])
        yield _warning("inspection.context-cut", say("inspection.shortened", names=named), "inspection.shortened-fix")


def _warning(name: str, evidence: str, fix: str) -> ProbeResult:
    return ProbeResult(name=say(name), state="warning", evidence=evidence, fix=say(fix))


def _named(excluded: Sequence[ChunkExclusion]) -> str:
    return ", ".join(quote_line(exclusion.source, 40) for exclusion in excluded[:_MAX_NAMED_FAILURES])
