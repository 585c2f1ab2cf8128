"""Show how large a context is: as words, as a picture, as a file; and what it has cost."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import structlog

from bot.config.schema import CompactionConfig
from bot.context.compaction.plan import CompactionThresholds, RequestFullness
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.exports import local_time, write_export
from bot.cortex.pages.part_reading import PartReading
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.diagnostics.failure_words import unread_line, unread_part
from bot.diagnostics.piece_reader import PATIENT_SECONDS, PieceReader
from bot.domain.messages import OutgoingFile
from bot.domain.snapshot import CaptureKind
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.charts import can_draw
from bot.inspect.charts.chart import ChartStyle, ContextChart
from bot.inspect.usage.export import export
from bot.inspect.usage.forecast import forecast
from bot.inspect.usage.usage import account
from bot.inspect.usage.usage_chart import MAX_TURNS, chart_of
from bot.inspect.usage.usage_text import LiveView, live_view
from bot.messaging.delivery.file_expiry import EXPIRY_HOURS
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.ports.clock import Clock
from bot.ports.platform import PlatformCapabilities
from bot.ports.store import Store
from bot.runtime.files import FileName, write_new
from bot.text.figures import size

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class UsagePages:
    """Answers of commands. `style` is how pictures look (None: there are none), `can` what a platform takes."""

    store: Store
    clock: Clock
    data_dir: Path
    looking: ContextCapturer
    reading: PartReading
    can: Callable[[str], PlatformCapabilities]
    thresholds: Callable[[], CompactionThresholds | None]
    style: Callable[[], ChartStyle | None]

    async def context(self, talk: SessionContext, which: CaptureKind | int) -> ThreadReply:
        """Return the live view, its picture where one can be drawn and sent, and what came back for what was sent."""
        capture = await self.looking.capture(talk.caller, talk.target, which)
        view = await read_live_view(self.store, capture.inspection, capture.shown, self.thresholds())
        style = self.style()
        text, picture = live_view(view), None
        if style is not None and self.can(talk.session.body.platform).files:
            try:
                picture = await self._picture(view, style)
            except Exception as error:
                log.error("picture_not_sent", error_type=type(error).__name__, exc_info=error)
                text = f"{text}\n\nNo picture: {unread_line(unread_part('it', error)).removeprefix('it: ')}"
        buttons = await self.reading.openers(talk.session, capture)
        answer = self.reading.came_back(capture)
        return ThreadReply(text, buttons, (answer,) if answer else (), file=picture)

    async def usage(self, talk: SessionContext) -> str:
        """Return what the models have used for the channel."""
        return account(texts.channel_word(talk.target), await self.store.meter.usage(talk.target.key, 0))

    async def export(self, talk: SessionContext, which: CaptureKind | int) -> ThreadReply:
        """Write the context to a file that goes along where the platform takes it; raise UserError."""
        now = self.clock.now()
        shown = (await self.looking.capture(talk.caller, talk.target, which)).shown
        path, content = await asyncio.to_thread(self._written, talk, shown, now)
        await self.store.audit.append(talk.looked(now, "export", path.name))
        can = self.can(talk.session.body.platform)
        attached = await attach(self.data_dir, path, content, can)
        lines = [texts.title(talk.target, "export"), str(path)]
        if not shown.exact:
            lines.append(f"redactions: {shown.redactions}, withheld: {shown.withheld}, exact: false")
        lines += [attached.note] if attached.note else []
        goes = f" This message goes after {EXPIRY_HOURS} h." if attached.file and can.takes_back else ""
        lines.append(f"It stays there until you remove it.{goes}")
        return ThreadReply("\n".join(lines), file=attached.file)

    def _written(self, talk: SessionContext, shown: InspectedContext, now: int) -> tuple[Path, bytes]:
        """Write the document into a file; blocks."""
        content = export(shown, local_time(now).isoformat(), self.store.instance, talk.reader)
        return write_export(self.data_dir, talk.target.key.channel, now, content), content

    async def _picture(self, view: LiveView, style: ChartStyle) -> OutgoingFile | None:
        content = await draw_usage(view, style)
        return await keep(self.data_dir, FileName("context", ".png"), content, "image/png") if content else None


async def read_live_view(
    store: Store, inspection: ContextCapture, shown: InspectedContext, thresholds: CompactionThresholds | None
) -> LiveView:
    """Put the live view of a capture together; what is read of the store for it is bounded."""
    meter, pieces = store.meter, PieceReader(*PATIENT_SECONDS)
    usage, sizes, compactions = await asyncio.gather(
        pieces.read("usage", "what was used", lambda: meter.usage(shown.key, 0), ()),
        pieces.read("sizes", "how large the turns were", lambda: meter.sizes(shown.key, MAX_TURNS), ()),
        pieces.read("compactions", "the compactions", lambda: store.compactions.recent(shown.key, MAX_TURNS), ()),
    )
    stats = shown.stats
    size = RequestFullness(stats.total, max(0, stats.window - shown.max_output), len(shown.dropped_turns))
    return LiveView(
        context=shown,
        usage=usage,
        sizes=sizes,
        forecast=forecast(inspection.state.turns, size, thresholds),
        compacted_at=tuple(sorted(one.body.at for one in compactions if one.state.stands)),
        unread=tuple(unread_line(one) for one in pieces.unread),
    )


def thresholds_of(config: CompactionConfig) -> CompactionThresholds | None:
    """Return the levels that are configured; None where nothing is ever compacted."""
    if not config.enabled:
        return None
    return CompactionThresholds(
        tool_calls=config.tool_calls_percent,
        goal_batch=config.goal_batch_percent,
        background=config.background_percent,
        aggressive=config.aggressive_percent,
        emergency=config.emergency_percent,
    )


async def draw_usage(view: LiveView, style: ChartStyle) -> bytes | None:
    """Draw the view, in a thread so that nobody waits; None where nothing can be drawn."""
    if not can_draw():
        return None
    return await asyncio.to_thread(_drawn, chart_of(view), style)


def _drawn(chart: ContextChart, style: ChartStyle) -> bytes:
    # the library is an extra, and loaded by the first who wants a picture
    from bot.inspect.charts.context import draw

    return draw(chart, style)


class AttachedFile(NamedTuple):
    """The file that goes along (None: none can), and what is to be said of that; empty when all is as usual."""

    file: OutgoingFile | None
    note: str = ""


async def attach(data_dir: Path, path: Path, content: bytes, can: PlatformCapabilities) -> AttachedFile:
    """Return a written file as it can be attached where it goes to; a packed copy lies with what goes out."""
    if not can.files:
        return AttachedFile(None, "No file can be attached here: it is at that path alone.")
    if _fits(len(content), can):
        return AttachedFile(OutgoingFile(name=path.name, path=str(path), mimetype="application/json"))
    said = f"It is {size(len(content))} and at most {size(can.max_file)} can be attached here:"
    packed = await asyncio.to_thread(gzip.compress, content, 6, mtime=0)
    if not _fits(len(packed), can):
        return AttachedFile(None, f"{said} it is at that path alone ({size(len(packed))} even when packed).")
    file = await keep(data_dir, FileName(path.stem, f"{path.suffix}.gz"), packed, "application/gzip")
    return AttachedFile(file, f"{said} it is packed (gzip)." if file else f"{said} it is at that path alone.")


async def keep(data_dir: Path, name: FileName, content: bytes, mimetype: str) -> OutgoingFile | None:
    """Keep what is only attached among what goes out, where it is removed in time; None when that cannot be done."""
    try:
        path = await asyncio.to_thread(write_new, data_dir, (FOLDER,), name, content)
    except OSError as error:
        # the words go out without it
        log.warning("not_attached", name=name.stem, error=error.strerror or type(error).__name__)
        return None
    return OutgoingFile(name=path.name, path=str(path), mimetype=mimetype)


def _fits(octets: int, can: PlatformCapabilities) -> bool:
    return not can.max_file or octets <= can.max_file
