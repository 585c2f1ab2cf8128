"""The live view: how full the context is, of what, what it has cost, and what comes next. Narrow enough for a phone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.context.usage_figures import counted_by, percent, short_number, spark_line, stacked_bar, tokens
from bot.domain.snapshot import CaptureKind, ContextStats, SectionFate, SectionStability, SectionTrace
from bot.domain.turn import TurnSize, UsageRow
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.usage.composition import Composition, MessagePile, composition
from bot.inspect.usage.forecast import CompactionForecast
from bot.inspect.usage.usage import spending
from bot.sentences import say
from bot.text.figures import decimal, in_figures
from bot.text.text import one_line_name

COLUMNS = 40
_NAME = 26
_SPARKS = 24
_MARK = "▾"


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
    lines += [say("usage.unread", line=line) for line in view.unread]
    return "\n".join(piece for line in lines for piece in fold_line(line))


def fold_line(line: str) -> list[str]:
    """Fold a line at 40 columns; what follows is indented a little more."""
    if len(line) <= COLUMNS:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_on_hyphens=False)


def _head(view: LiveView) -> Iterator[str]:
    context, stats = view.context, view.context.stats
    yield say("usage.head", name=one_line_name(context.name, 24), which=context.which.value)
    yield context.model
    yield say(
        "usage.of-window",
        tokens=tokens(stats.total, stats),
        window=short_number(stats.window),
        percent=in_figures(str(stats.usage_percent)),
    )
    yield stacked_bar((stats.system_prompt, stats.tools, stats.history + stats.overhead), stats.window)
    yield say("usage.free", tokens=tokens(view.free, stats), answer=short_number(context.max_output))
    yield say("usage.counted-by", counter=counted_by(stats))
    yield from _reported(context)


def _reported(context: InspectedContext) -> Iterator[str]:
    """Put the provider's own count beside ours, always: an estimate alone has misled people."""
    usage = context.usage
    if usage is None or usage.input is None:
        yield say("usage.no-count")
        return
    is_own = context.which is CaptureKind.SENT
    yield say("usage.this-request" if is_own else "usage.last-request", tokens=short_number(usage.input))
    yield say("usage.ratio", ratio=decimal(context.ratio, 2))


def _parts(view: LiveView) -> Iterator[str]:
    context, stats = view.context, view.context.stats
    yield say("usage.system", tokens=tokens(stats.system_prompt, stats))
    traces = [shown.trace for shown in context.sections]
    kept = [trace for trace in traces if trace.fate is SectionFate.KEPT]
    yield from (f"  {trace.name} {tokens(trace.tokens, stats)}{_mark(trace)}" for trace in kept)
    if any(map(_mark, kept)):
        yield say("usage.in-newest")
    dropped = [trace for trace in traces if trace.fate is SectionFate.DROPPED]
    yield from (say("usage.section-left-out", name=trace.name, reason=trace.reason) for trace in dropped)
    absent = [trace.name for trace in traces if trace.fate is SectionFate.ABSENT]
    if absent:
        yield say("usage.not-there", names=", ".join(absent))
    yield say("usage.tools", count=len(context.tools), tokens=tokens(stats.tools, stats))
    for tool in context.tools:
        line = "usage.tool-opened" if tool.definition.name in context.opened else "usage.tool"
        yield say(line, name=one_line_name(tool.definition.name, _NAME), tokens=tokens(tool.tokens, stats))
    if context.waiting:
        yield say("usage.on-demand", names=", ".join(one_line_name(name, _NAME) for name in context.waiting))


def _mark(trace: SectionTrace) -> str:
    return " ↓" if trace.stability is SectionStability.VOLATILE else ""


def _history(view: LiveView) -> Iterator[str]:
    context, stats, made_of = view.context, view.context.stats, view.composition
    yield say("usage.history", tokens=tokens(stats.history, stats))
    yield say("usage.messages", messages=len(context.messages), turns=view.turns)
    yield say("usage.raw", pile=_pile(made_of.raw, stats))
    yield say("usage.summarised", pile=_pile(made_of.summaries, stats))
    yield say("usage.goal-batches", pile=_pile(made_of.goal_batches, stats))
    yield say("usage.compressed", share=percent(made_of.compressed, made_of.conversation))
    yield say("usage.overhead", tokens=short_number(stats.overhead))
    yield from _growth(view)


def _pile(pile: MessagePile, stats: ContextStats) -> str:
    held = tokens(pile.tokens, stats)
    if not pile.before:
        return say("usage.pile", messages=pile.messages, tokens=held)
    return say("usage.pile-was", messages=pile.messages, tokens=held, before=tokens(pile.before, stats))


def _growth(view: LiveView) -> Iterator[str]:
    sizes = view.sizes[-_SPARKS:]
    if len(sizes) < 2:
        return
    totals = [size.stats.total for size in sizes]
    yield say("usage.growth", count=len(totals), first=short_number(totals[0]), last=short_number(totals[-1]))
    columns, marks = spark_line(totals), view.marks[-len(sizes) :]
    yield "  " + "".join(f"{_MARK if mark else ''}{column}" for mark, column in zip(marks, columns, strict=True))
    if any(marks):
        yield say("usage.a-compaction", mark=_MARK)


def _forecast(view: LiveView) -> Iterable[str]:
    context, coming = view.context, view.forecast
    left = len(context.dropped_turns)
    if left:
        yield say("usage.left-out", count=left)
    if not coming.on:
        yield say("usage.no-compaction", tokens=short_number(view.room))
    elif coming.strategy is None:
        yield say("usage.nothing-old-enough")
    else:
        strategy = say("usage.strategy", strategy=coming.strategy.value)
        if coming.at:
            share = f"{coming.percent:g}"
            yield say("usage.next-compaction", strategy=strategy, tokens=short_number(coming.at), percent=share)
        else:
            yield say("usage.next-compaction-due", strategy=strategy)
        yield say("usage.would-take", count=coming.turns, tokens=short_number(coming.tokens))
