"""Draw a chart and keep the picture until it is sent; where none can be drawn or sent, say why and what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import structlog

from bot.cortex.pages.attached_files import keep
from bot.cortex.pages.exports import NotWritten
from bot.diagnostics.failure_words import unread_line, unread_part
from bot.domain.drawn_people import NOTE_ENDING, people_note
from bot.domain.finding import StoredSession
from bot.domain.ids import PersonKey
from bot.domain.messages import OutgoingFile
from bot.inspect.charts import can_draw
from bot.inspect.charts.chart import ChartStyle, ContextChart
from bot.inspect.charts.memory_values import SpreadChart, TeachingChart
from bot.ports.platform import PlatformCapabilities
from bot.runtime.files import FileName, write_file
from bot.sentences import say

log = structlog.get_logger(__name__)

Chart = ContextChart | TeachingChart | SpreadChart


class DrawnPicture(NamedTuple):
    """A picture that goes along (None: there is none), and what is to be said of that; empty when all is as usual."""

    file: OutgoingFile | None
    note: str = ""


@dataclass(frozen=True)
class ChartPictures:
    """Draws for sessions. `style` is how pictures look (None: nobody wants them), `can` what a platform takes."""

    data_dir: Path
    style: Callable[[], ChartStyle | None]
    can: Callable[[str], PlatformCapabilities]

    def why_not(self, session: StoredSession) -> str:
        """Say why there are no pictures in a session, and what to do; empty where there are."""
        if self.style() is None:
            return say("pages.pictures-off")
        if not can_draw():
            return say("pages.no-pictures", how=say("pages.install-charts"))
        return "" if self.can(session.body.platform).files else say("pages.no-file-for-picture")

    async def picture(
        self, name: str, chart: Callable[[], Chart], people: Collection[PersonKey] = frozenset()
    ) -> DrawnPicture:
        """Make a chart and draw it into a file of that name; the words go out, whatever becomes of it.

        `people` are those whom it names: the file is removed when one of them is forgotten.
        """
        style = self.style()
        try:
            content = await draw_chart(chart(), style) if style is not None else None
        except Exception as error:
            log.error("picture_not_sent", error_type=type(error).__name__, exc_info=error)
            why = unread_line(unread_part("it", error)).removeprefix("it: ")
            return DrawnPicture(None, say("pages.no-picture", why=why))
        if not content:
            return DrawnPicture(None)
        try:
            file = await keep(self.data_dir, FileName(name, ".png"), content, "image/png")
        except NotWritten as error:
            return DrawnPicture(None, say("pages.no-picture", why=error.why))
        note = Path(f"{file.path}{NOTE_ENDING}")
        # replaced: that of a picture that had this name and is gone says nothing of this one. Without a note it
        # goes with whoever is forgotten next
        with suppress(OSError):
            await asyncio.to_thread(write_file, note, people_note(people).encode(), replace=True)
        return DrawnPicture(file)


async def draw_chart(chart: Chart, style: ChartStyle) -> bytes | None:
    """Draw a chart, in a thread so that nobody waits; None where nothing can be drawn."""
    if not can_draw():
        return None
    return await asyncio.to_thread(_drawn, chart, style)


def _drawn(chart: Chart, style: ChartStyle) -> bytes:
    # the library is an extra, and loaded by the first who wants a picture
    if isinstance(chart, ContextChart):
        from bot.inspect.charts.context import draw

        return draw(chart, style)
    from bot.inspect.charts.memory_drawing import draw_spread, draw_teaching

    return draw_teaching(chart, style) if isinstance(chart, TeachingChart) else draw_spread(chart, style)
