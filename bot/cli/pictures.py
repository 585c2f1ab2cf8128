"""Draw what a command of the host shows into a file, where one is named."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from pathlib import Path

from bot.cli.host_queries import HostAnswer
from bot.cortex.pages.chart_pictures import Chart, draw_chart
from bot.diagnostics.failure_words import unread_line, unread_part
from bot.errors import UserError
from bot.inspect.charts.chart import ChartStyle
from bot.runtime.files import write_file
from bot.sentences import say


async def with_picture(args: Namespace, chart: Chart, answer: HostAnswer) -> HostAnswer:
    """Draw into the file that `--png` names, and say so; raise UserError where that cannot be done."""
    if not args.png:
        return answer
    try:
        drawn = await draw_chart(chart, ChartStyle(args.style))
    except Exception as error:
        raise UserError(say("cli.no-picture", why=unread_line(unread_part("it", error))[4:])) from error
    if drawn is None:
        raise UserError(say("pages.no-pictures", how=say("pages.install-charts")))
    await asyncio.to_thread(_put, Path(args.png), drawn)
    return answer._replace(text=f"{answer.text}\n\n{args.png}", value={**answer.value, "picture": args.png})


def _put(path: Path, content: bytes) -> None:
    try:
        write_file(path, content, replace=True)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UserError(say("cli.name-other-folder", file=str(path), why=why)) from error
