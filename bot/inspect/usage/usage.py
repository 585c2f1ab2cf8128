"""What the models have used for a channel: summed, and written in narrow lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.context.usage_figures import percent, short_number, usd
from bot.domain.channel import ProcessKind
from bot.domain.turn import UsageRow
from bot.sentences import say
from bot.text.text import one_line_name

_DAYS = 7


class SpentTokens(NamedTuple):
    """What was used under one heading."""

    name: str
    requests: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost_usd: float = 0.0

    def plus(self, row: UsageRow) -> SpentTokens:
        """Return the sum with one more row."""
        return SpentTokens(
            self.name,
            self.requests + row.requests,
            self.input + row.input,
            self.output + row.output,
            self.cached + row.cached,
            self.cost_usd + row.cost_usd,
        )


def sum_usage(usage: Iterable[UsageRow], heading: Callable[[UsageRow], str]) -> dict[str, SpentTokens]:
    """Sum usage under headings, in the order in which they come."""
    totals: dict[str, SpentTokens] = {}
    for row in usage:
        name = heading(row)
        totals[name] = totals.get(name, SpentTokens(name)).plus(row)
    return totals


def spent_by_kind(usage: Iterable[UsageRow]) -> tuple[SpentTokens, ...]:
    """Sum usage by process kind, the channel's own first."""
    totals = sum_usage(usage, lambda row: row.kind.value)
    return tuple(totals[kind.value] for kind in ProcessKind if kind.value in totals)


def is_priced(usage: Iterable[UsageRow]) -> bool:
    """Say whether anything has a price: what has none is stored as zero, and `$0.00` would say that it was free."""
    return any(row.cost_usd for row in usage)


def cache_share(usage: Sequence[UsageRow]) -> str:
    """Write how much of the input came out of the provider's cache."""
    return percent(sum(row.cached for row in usage), sum(row.input for row in usage))


def spending(usage: Sequence[UsageRow]) -> Iterator[str]:
    """Write a short account by process kind."""
    if not usage:
        yield say("usage.nothing-yet")
        return
    yield say("usage.used")
    yield from _lines(spent_by_kind(usage))
    if not is_priced(usage):
        yield say("usage.no-price")
    yield say("usage.cache-hits", share=cache_share(usage))


def account(name: str, usage: Sequence[UsageRow]) -> str:
    """Write the whole account of a channel: by process kind, by model, and of the last days."""
    if not usage:
        return "\n".join((say("usage.title", name=name), say("usage.nothing")))
    everything = say("usage.in-total")
    whole = sum_usage(usage, lambda row: everything)[everything]
    days = sum_usage(sorted(usage, key=lambda row: row.day, reverse=True), lambda row: row.day)
    models = sorted(sum_usage(usage, lambda row: row.model).values(), key=lambda spent: -spent.input)
    shown = list(days.values())[:_DAYS]
    lines = [say("usage.title", name=name), *_lines([whole])]
    lines += [
        say("usage.cache-hits-of-all", share=cache_share(usage)),
        *([] if is_priced(usage) else [say("usage.no-price")]),
    ]
    lines += ["", say("usage.by-process"), *_lines(spent_by_kind(usage))]
    lines += ["", say("usage.by-model"), *_lines(models)]
    lines += ["", say("usage.by-day", shown=len(shown), days=len(days)), *_lines(shown)]
    return "\n".join(lines)


def _lines(spent: Iterable[SpentTokens]) -> Iterator[str]:
    for one in spent:
        name = one_line_name(one.name)
        if one.cost_usd:
            yield say("usage.requests-cost", name=name, count=one.requests, cost=usd(one.cost_usd))
        else:
            yield say("usage.requests", name=name, count=one.requests)
        yield say("usage.in-and-out", input=short_number(one.input), output=short_number(one.output))
