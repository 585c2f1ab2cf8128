"""The live view: how full the context is, of what, and what it has cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.context.figures import counted_by, percent, short, tokens, usage_bar, usd
from bot.context.inspected import InspectedContext
from bot.domain.channel import ProcessKind
from bot.domain.snapshot import Fate, SectionTrace, Stability, Which
from bot.domain.text import one_line_name
from bot.domain.turn import UsageRow


class Spent(NamedTuple):
    """What one process kind has used."""

    kind: ProcessKind
    requests: int
    input: int
    output: int
    cached: int
    cost_usd: float


def live_view(context: InspectedContext, usage: Sequence[UsageRow]) -> str:
    """Write the view as plain text of narrow lines; the same numbers as the export's for the same revision."""
    stats = context.stats
    free = max(0, stats.window - context.max_output - stats.total)
    turns = max(0, context.turns - len(context.dropped_turns))
    lines = [
        f"{one_line_name(context.name)} · {context.which.value.replace('_', ' ')} · {context.model}",
        f"Context {tokens(stats.total, stats)} / {short(stats.window)} ({stats.usage_percent} %)",
        usage_bar(stats.usage_percent),
        f"Free {tokens(free, stats)} (answer: {short(context.max_output)} kept)",
        f"Counted by {counted_by(stats)}",
        _reported(context),
        "",
        f"System {tokens(stats.system_prompt, stats)}",
        *_sections(context),
        f"Tools {len(context.tools)}, {tokens(stats.tools, stats)}",
        *(f"  {tool.definition.name} {tokens(tool.tokens, stats)}" for tool in context.tools),
        f"History {len(context.messages)} messages, {turns} turns, {tokens(stats.history, stats)}",
        f"  raw {len(context.messages)} / {tokens(stats.history, stats)} · summarised 0 / 0 · goal batches 0 / 0",
        f"  compressed {percent(0, stats.history)}",
        f"Overhead ≈{short(stats.overhead)}",
        "",
        *_spending(usage),
        _forecast(context),
    ]
    return "\n".join(lines)


def spent_by_kind(usage: Iterable[UsageRow]) -> tuple[Spent, ...]:
    """Sum usage by process kind, the channel's own first."""
    order = list(ProcessKind)
    totals: dict[ProcessKind, Spent] = {}
    for row in usage:
        before = totals.get(row.kind, Spent(row.kind, 0, 0, 0, 0, 0.0))
        totals[row.kind] = Spent(
            row.kind,
            before.requests + row.requests,
            before.input + row.input,
            before.output + row.output,
            before.cached + row.cached,
            before.cost_usd + row.cost_usd,
        )
    return tuple(totals[kind] for kind in order if kind in totals)


def _reported(context: InspectedContext) -> str:
    """Put the provider's own count beside ours, always: an estimate alone has misled people."""
    usage = context.usage
    if usage is None or usage.input is None:
        return "The provider has reported no count yet"
    which = "this" if context.which is Which.SENT else "the last"
    return f"The provider counted {short(usage.input)} for {which} request; learned ratio {context.ratio:.2f}"


def _sections(context: InspectedContext) -> list[str]:
    shown = [s.trace for s in context.sections if s.trace.fate is Fate.KEPT]
    lines = [f"  {t.name} {tokens(t.tokens, context.stats)}{_where(t)}" for t in shown]
    missing = (s.trace for s in context.sections if s.trace.fate is not Fate.KEPT)
    return [*lines, *(f"  without {t.name}: {t.reason}" for t in missing)]


def _where(trace: SectionTrace) -> str:
    return " (in the newest message)" if trace.stability is Stability.VOLATILE else ""


def _spending(usage: Sequence[UsageRow]) -> list[str]:
    spent = spent_by_kind(usage)
    if not spent:
        return ["Used so far: nothing recorded"]
    # an unpriced request is stored as zero, and `$0.00` would say that it was free
    priced = any(s.cost_usd for s in spent)
    lines = [
        f"  {s.kind.value} {s.requests} requests, {short(s.input)} in, {short(s.output)} out"
        + (f", {usd(s.cost_usd)}" if priced else "")
        for s in spent
    ]
    whole = sum(s.input for s in spent)
    unknown = [] if priced else ["  cost not known: no price is configured"]
    return ["Used so far", *lines, *unknown, f"Cache hits {percent(sum(s.cached for s in spent), whole)}"]


def _forecast(context: InspectedContext) -> str:
    if context.dropped_turns:
        return f"Already left out: the oldest {len(context.dropped_turns)} turns"
    room = context.stats.window - context.max_output
    return f"No compaction is installed: from {short(room)} on the oldest turns are left out"
