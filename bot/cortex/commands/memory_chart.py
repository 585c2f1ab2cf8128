"""Show who taught the bot how much, and when."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.memory_chart_page import ChartQuery
from bot.cortex.targets.session_context import SessionContext
from bot.domain.access import AccessRight

_CHART = re.compile(r"(?P<place>.*?\S)??\s*(?:(?P<count>\d{1,4})\s*(?P<unit>h|d|w|y)[a-z]*)?", re.IGNORECASE)
_HOUR_MS = 3_600_000
_UNITS_MS = {"h": _HOUR_MS, "d": 24 * _HOUR_MS, "w": 7 * 24 * _HOUR_MS, "y": 365 * 24 * _HOUR_MS}
_USUAL_MS = 30 * _UNITS_MS["d"]
_SERVER_WORDS = frozenset({"server", "guild"})


class MemoryChartArgs(CommandArgs):
    """Of which time, and whether of the whole server."""

    span_ms: int = _USUAL_MS
    everywhere: bool = False


def memory_chart(typed: TypedLine) -> MemoryChartArgs | None:
    """Read `[#name | server] [30d]`."""
    found = _CHART.fullmatch(typed.rest)
    if found is None:
        return None
    place, span = found["place"] or "", _USUAL_MS
    if found["count"]:
        span = int(found["count"]) * _UNITS_MS[found["unit"].casefold()]
    if not span:
        return None
    if place.casefold() in _SERVER_WORDS:
        return MemoryChartArgs(span_ms=span, everywhere=True)
    return MemoryChartArgs(where=place.strip('"'), span_ms=span) if not place or is_place(place) else None


async def _chart(talk: SessionContext, args: MemoryChartArgs, context: CommandSources) -> ThreadReply:
    return await context.memory_charts.taught(talk, ChartQuery(args.span_ms, args.everywhere))


MEMORY_CHART = CortexCommand(
    "commands.memory-chart",
    PageCommand("memory chart", memory_chart, "commands.title-who-taught-it", _chart, right=AccessRight.AUDIT),
)
