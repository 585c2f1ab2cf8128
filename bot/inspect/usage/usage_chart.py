"""Turn the live view into what its picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.context.usage_figures import level_of, short_number, tokens, usd
from bot.domain.snapshot import SectionFate, SectionStability, SectionTrace
from bot.inspect.charts.chart import ChartSlice, ContextChart, FillLevel, PartFamily, ScaleLine, TurnColumn, round_marks
from bot.inspect.usage.usage import cache_share, is_priced
from bot.inspect.usage.usage_text import STRATEGY_NAMES, LiveView
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
        subtitle=f"{context.which.value.replace('_', ' ')} · {context.model}",
        percent=stats.usage_percent,
        level=FillLevel(level_of(stats.usage_percent)),
        used=f"{tokens(stats.total, stats)} of {short_number(stats.window)} tokens",
        free=f"{short_number(view.free)} free, {short_number(context.max_output)} for the answer",
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
    count = len(context.tools)
    yield one(f"{count} tool{'s' * (count != 1)}", stats.tools, PartFamily.TOOLS)
    moving = sum(trace.tokens for trace in traces if trace.stability is SectionStability.VOLATILE)
    moving = min(moving, made_of.raw.tokens)
    yield one("messages as said", made_of.raw.tokens - moving, PartFamily.MESSAGES)
    yield one("status, people, time", moving, PartFamily.MOVING)
    summaries, batches = made_of.summaries, made_of.goal_batches
    yield one(
        f"{summaries.messages} summar{'ies' if summaries.messages != 1 else 'y'}",
        summaries.tokens,
        PartFamily.SUMMARIES,
    )
    yield one(f"{batches.messages} goal batch{'es' * (batches.messages != 1)}", batches.tokens, PartFamily.GOALS)
    yield one("overhead", stats.overhead, PartFamily.OVERHEAD)


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
    yield f"{len(fixed) - len(largest)} more sections" if len(fixed) > len(largest) else "between them", left


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
        yield f"left out already: the oldest {left} turn{'s' * (left != 1)}"
    if coming.strategy is not None:
        when = f"from {short_number(coming.at)} on" if coming.at else "due now"
        yield f"next compaction: {STRATEGY_NAMES[coming.strategy]}, {when}"
    if view.usage:
        cost = f" · {usd(sum(row.cost_usd for row in view.usage))} so far" if is_priced(view.usage) else ""
        yield f"cache hits {cache_share(view.usage)}{cost}"
