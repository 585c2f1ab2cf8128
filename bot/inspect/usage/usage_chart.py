"""Turn the live view into what its picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.context.usage_figures import level_of, short_number, tokens, usd
from bot.domain.snapshot import SectionFate, SectionStability, SectionTrace
from bot.inspect.charts.chart import ChartSlice, ContextChart, FillLevel, PartFamily, ScaleLine, TurnColumn, round_marks
from bot.inspect.usage.usage import cache_share, is_priced
from bot.inspect.usage.usage_text import LiveView
from bot.sentences import say
from bot.text.text import excerpt, one_line_name

MAX_TURNS = 40
_MAX_SECTIONS = 5
"""So many sections are named; the rest of the system prompt is one slice."""


def chart_of(view: LiveView) -> ContextChart:
    """Return the chart; its slices add up to what is used."""
    context, stats = view.context, view.context.stats
    columns = tuple(_columns(view))
    return ContextChart(
        title=excerpt(one_line_name(context.name), 40),
        subtitle=say("usage.chart-which", which=context.which.value, model=context.model),
        percent=stats.usage_percent,
        level=FillLevel(level_of(stats.usage_percent)),
        used=say("usage.chart-used", tokens=tokens(stats.total, stats), window=short_number(stats.window)),
        free=say("usage.chart-free", tokens=short_number(view.free), answer=short_number(context.max_output)),
        slices=tuple(one for one in _slices(view) if one.tokens > 0),
        columns=columns,
        scales=_scales(columns),
        notes=tuple(_notes(view)),
    )


def _slices(view: LiveView) -> Iterator[ChartSlice]:
    context, stats, made_of = view.context, view.context.stats, view.composition

    def one(name: str, amount: int, family: PartFamily) -> ChartSlice:
        return ChartSlice(name, amount, short_number(amount), family)

    traces = [shown.trace for shown in context.sections if shown.trace.fate is SectionFate.KEPT]
    yield from (one(name, amount, PartFamily.SYSTEM) for name, amount in _named(traces, stats.system_prompt))
    yield one(say("usage.chart-tools", count=len(context.tools)), stats.tools, PartFamily.TOOLS)
    moving = sum(trace.tokens for trace in traces if trace.stability is SectionStability.VOLATILE)
    moving = min(moving, made_of.raw.tokens)
    yield one(say("usage.chart-messages"), made_of.raw.tokens - moving, PartFamily.MESSAGES)
    yield one(say("usage.chart-moving"), moving, PartFamily.MOVING)
    summaries, batches = made_of.summaries, made_of.goal_batches
    yield one(say("usage.chart-summaries", count=summaries.messages), summaries.tokens, PartFamily.SUMMARIES)
    yield one(say("usage.chart-goals", count=batches.messages), batches.tokens, PartFamily.GOALS)
    yield one(say("usage.chart-overhead"), stats.overhead, PartFamily.OVERHEAD)


def _named(traces: Sequence[SectionTrace], whole: int) -> Iterator[tuple[str, int]]:
    """Name the largest sections of the system prompt in their order; what they leave of it is one part."""
    fixed = [trace for trace in traces if trace.stability is not SectionStability.VOLATILE and trace.tokens]
    largest = sorted(fixed, key=lambda trace: -trace.tokens)[
        : _MAX_SECTIONS if len(fixed) > _MAX_SECTIONS + 1 else None
    ]
    left = whole
    for trace in (trace for trace in fixed if trace in largest):
        amount = min(trace.tokens, left)
        left -= amount
        yield trace.name, amount
    unnamed = len(fixed) - len(largest)
    yield say("usage.chart-more-sections", count=unnamed) if unnamed else say("usage.chart-between"), left


def _columns(view: LiveView) -> Iterator[TurnColumn]:
    pairs = list(zip(view.sizes, view.marks, strict=True))[-MAX_TURNS:]
    for size, compacted in pairs:
        yield TurnColumn(size.stats.total - size.stats.history, size.stats.history, compacted)


def _scales(columns: Sequence[TurnColumn]) -> tuple[ScaleLine, ...]:
    """Draw a line at a few round numbers."""
    marks = round_marks(max((column.total for column in columns), default=0))
    return tuple(ScaleLine(mark, short_number(mark).replace(".0", "")) for mark in marks)


def _notes(view: LiveView) -> Iterator[str]:
    coming = view.forecast
    left = len(view.context.dropped_turns)
    if left:
        yield say("usage.chart-left-out", count=left)
    if coming.strategy is not None:
        strategy = say("usage.strategy", strategy=coming.strategy.value)
        if coming.at:
            yield say("usage.chart-compaction", strategy=strategy, tokens=short_number(coming.at))
        else:
            yield say("usage.chart-compaction-due", strategy=strategy)
    if view.usage:
        share = cache_share(view.usage)
        if is_priced(view.usage):
            cost = usd(sum(row.cost_usd for row in view.usage))
            yield say("usage.chart-cache-cost", share=share, cost=cost)
        else:
            yield say("usage.chart-cache", share=share)
