"""Say what the last inspection was given to read, and what to do where that may explain a poor answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.health import ProbeResult
from bot.task_prompt.chunk import ChunkPriority
from bot.task_prompt.compressed_context import ChunkExclusion, CompressedContext, ExclusionReason
from bot.text.text import quote_line

ROW = "inspection context"
LARGE_TOKENS = 20_000
"""Tokens from which on a first message is slow to read, and dear in every round."""
_MAX_NAMED_FAILURES = 3
MISUNDERSTOOD_FIX = (
    "If its answers miss the point, they had too little to go by: raise cortex.tokens, or set cortex.model to one with "
    "a larger window (cortex.context_window says how large)."
)
SLOW_FIX = "If it answers slowly, it reads too much: lower cortex.tokens, or ask about one thing at a time."
MISSING_FIX = "What is missing there was not found: look at what failed, then ask again; name a part to have it read."
SHORTENED_FIX = "If what decides was cut, the rest was ranked before it: name it in the question, which puts it first."


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
    said = f"{context.tokens_used:,} of {context.budget:,} tokens in use ({context.utilization:.0%}), "
    said += f"{included} of {included + left} pieces, {len(context.truncated)} of them shortened"
    large = context.tokens_used > LARGE_TOKENS
    yield ProbeResult(name=ROW, state="warning" if large else "ok", evidence=said, fix=SLOW_FIX if large else "")
    failed = [e for e in context.excluded if e.reason is ExclusionReason.GATHERER_FAILED]
    if failed:
        told = "; ".join(f"{e.source}: {quote_line(e.detail, 60)}" for e in failed[:_MAX_NAMED_FAILURES])
        yield ProbeResult(name=f"{ROW}, missing", state="warning", evidence=told, fix=MISSING_FIX)
    pressed = [
        e for e in context.excluded if e.reason is ExclusionReason.NO_BUDGET and (e.priority or 0) >= ChunkPriority.HIGH
    ]
    if pressed:
        evidence = f"no room for {len(pressed)} pieces that matter: {_named(pressed)}"
        yield ProbeResult(name=f"{ROW}, room", state="warning", evidence=evidence, fix=MISUNDERSTOOD_FIX)
    weighty = {c.source for c in context.chunks if c.priority >= ChunkPriority.HIGH}
    cut = [t.source for t in context.truncated if t.source in weighty]
    if cut:
        named = ", ".join(quote_line(source, 40) for source in cut[:_MAX_NAMED_FAILURES])
        yield ProbeResult(name=f"{ROW}, cut", state="warning", evidence=f"shortened: {named}", fix=SHORTENED_FIX)


def _named(excluded: Sequence[ChunkExclusion]) -> str:
    return ", ".join(quote_line(exclusion.source, 40) for exclusion in excluded[:_MAX_NAMED_FAILURES])
