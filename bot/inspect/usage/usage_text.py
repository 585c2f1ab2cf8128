"""The live view: how full the context is, of what, what it has cost, and what comes next. Narrow enough for a phone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.context.usage_figures import counted_by, percent, short_number, spark_line, stacked_bar, tokens
from bot.domain.compaction import SummaryType
from bot.domain.snapshot import CaptureKind, ContextStats, SectionFate, SectionStability, SectionTrace
from bot.domain.turn import TurnSize, UsageRow
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.usage.composition import Composition, MessagePile, composition
from bot.inspect.usage.forecast import CompactionForecast
from bot.inspect.usage.usage import spending
from bot.text.text import one_line_name

COLUMNS = 40
_NAME = 26
_SPARKS = 24
_MARK = "▾"

STRATEGY_NAMES = {
    SummaryType.TOOL_CALLS: "tool calls",
    SummaryType.HALF: "the older half",
    SummaryType.GOAL_BATCH: "a goal batch",
    SummaryType.EMERGENCY: "emergency, without a model",
}


@dataclass(frozen=True)
class LiveView:
    """A captured context with what the store knows beside it. `compacted_at` are times of compactions (UTC ms)."""

    context: InspectedContext
    usage: Sequence[UsageRow] = ()
    sizes: Sequence[TurnSize] = ()
    forecast: CompactionForecast = field(default_factory=CompactionForecast)
    compacted_at: Sequence[int] = ()
    unread: Sequence[str] = ()
    """What could not be read beside the context, and why."""

    @property
    def composition(self) -> Composition:
        """What the conversation is made of."""
        return composition(self.context.messages)

    @property
    def room(self) -> int:
        """How many tokens a request may have: the window without what is kept for the answer."""
        return max(0, self.context.stats.window - self.context.max_output)

    @property
    def free(self) -> int:
        """How many more tokens there is room for."""
        return max(0, self.room - self.context.stats.total)

    @property
    def marks(self) -> list[bool]:
        """Say of each size whether a compaction came between it and the one before."""
        begins = [size.at for size in self.sizes[:1]] + [size.at for size in self.sizes]
        pairs = zip(begins, self.sizes, strict=False)
        return [any(before < at <= size.at for at in self.compacted_at) for before, size in pairs]

    @property
    def turns(self) -> int:
        """How many turns are in the request."""
        return max(0, self.context.turns - len(self.context.dropped_turns))


def live_view(view: LiveView) -> str:
    """Write the view as lines of at most 40 columns; the same numbers as the export's for the same revision."""
    lines = [*_head(view), "", *_parts(view), "", *_history(view), "", *spending(view.usage), *_forecast(view)]
    lines += [f"○ could not read {line}" for line in view.unread]
    return "\n".join(piece for line in lines for piece in fold_line(line))


def fold_line(line: str) -> list[str]:
    """Fold a line at 40 columns; what follows is indented a little more."""
    if len(line) <= COLUMNS:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_on_hyphens=False)


def _head(view: LiveView) -> Iterator[str]:
    context, stats = view.context, view.context.stats
    yield f"{one_line_name(context.name, 24)} · {context.which.value.replace('_', ' ')}"
    yield context.model
    yield f"{tokens(stats.total, stats)} of {short_number(stats.window)} tokens · {stats.usage_percent} %"
    yield stacked_bar((stats.system_prompt, stats.tools, stats.history + stats.overhead), stats.window)
    yield f"Free {tokens(view.free, stats)}, {short_number(context.max_output)} kept for the answer"
    yield f"Counted by {counted_by(stats)}"
    yield from _reported(context)


def _reported(context: InspectedContext) -> Iterator[str]:
    """Put the provider's own count beside ours, always: an estimate alone has misled people."""
    usage = context.usage
    if usage is None or usage.input is None:
        yield "The provider has reported no count yet"
        return
    which = "this" if context.which is CaptureKind.SENT else "the last"
    yield f"Provider: {short_number(usage.input)} for {which} request"
    yield f"Learned ratio {context.ratio:.2f}"


def _parts(view: LiveView) -> Iterator[str]:
    context, stats = view.context, view.context.stats
    yield f"█ System {tokens(stats.system_prompt, stats)}"
    traces = [shown.trace for shown in context.sections]
    kept = [trace for trace in traces if trace.fate is SectionFate.KEPT]
    yield from (f"  {trace.name} {tokens(trace.tokens, stats)}{_mark(trace)}" for trace in kept)
    if any(map(_mark, kept)):
        yield "  ↓ in the newest message, counted there"
    yield from (f"  left out {trace.name}: {trace.reason}" for trace in traces if trace.fate is SectionFate.DROPPED)
    absent = [trace.name for trace in traces if trace.fate is SectionFate.ABSENT]
    if absent:
        yield f"  not there: {', '.join(absent)}"
    yield f"▓ Tools {len(context.tools)} · {tokens(stats.tools, stats)}"
    for tool in context.tools:
        opened = " opened" if tool.definition.name in context.opened else ""
        yield f"  {one_line_name(tool.definition.name, _NAME)} {tokens(tool.tokens, stats)}{opened}"
    if context.waiting:
        yield f"  on demand: {', '.join(one_line_name(name, _NAME) for name in context.waiting)}"


def _mark(trace: SectionTrace) -> str:
    return " ↓" if trace.stability is SectionStability.VOLATILE else ""


def _history(view: LiveView) -> Iterator[str]:
    context, stats, made_of = view.context, view.context.stats, view.composition
    messages = len(context.messages)
    yield f"▒ History {tokens(stats.history, stats)}"
    yield f"  {_count(messages, 'message')}, {_count(view.turns, 'turn')}"
    yield f"  raw {_pile(made_of.raw, stats)}"
    yield f"  summarised {_pile(made_of.summaries, stats)}"
    yield f"  goal batches {_pile(made_of.goal_batches, stats)}"
    yield f"  compressed {percent(made_of.compressed, made_of.conversation)}"
    yield f"▒ Overhead ≈{short_number(stats.overhead)}"
    yield from _growth(view)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _pile(pile: MessagePile, stats: ContextStats) -> str:
    text = f"{pile.messages} · {tokens(pile.tokens, stats)}"
    return f"{text} (was {tokens(pile.before, stats)})" if pile.before else text


def _growth(view: LiveView) -> Iterator[str]:
    sizes = view.sizes[-_SPARKS:]
    if len(sizes) < 2:
        return
    totals = [size.stats.total for size in sizes]
    yield f"Last {len(totals)} turns: {short_number(totals[0])} to {short_number(totals[-1])}"
    columns, marks = spark_line(totals), view.marks[-len(sizes) :]
    yield "  " + "".join(f"{_MARK if mark else ''}{column}" for mark, column in zip(marks, columns, strict=True))
    if any(marks):
        yield f"  {_MARK} a compaction"


def _forecast(view: LiveView) -> Iterable[str]:
    context, coming = view.context, view.forecast
    left = len(context.dropped_turns)
    if left:
        yield f"Already left out: the oldest {_count(left, 'turn')}"
    if not coming.on:
        yield f"No compaction configured: from {short_number(view.room)} on the oldest turns are left out"
    elif coming.strategy is None:
        yield "No compaction to come: nothing old enough"
    else:
        when = f"from {short_number(coming.at)} ({coming.percent:g} %) on" if coming.at else "due now"
        yield f"Next compaction: {STRATEGY_NAMES[coming.strategy]}, {when}"
        yield f"  would take {_count(coming.turns, 'turn')}, ≈{short_number(coming.tokens)} tokens"
