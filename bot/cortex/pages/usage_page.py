"""Show how large a context is: as words, as a picture, as a file; and what it has cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.config.schema import CompactionConfig
from bot.context.compaction.plan import CompactionThresholds, RequestFullness
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.attached_files import attach
from bot.cortex.pages.chart_pictures import ChartPictures
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.exports import local_time, write_export
from bot.cortex.pages.part_reading import PartReading
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.diagnostics.failure_words import unread_line
from bot.diagnostics.piece_reader import PATIENT_SECONDS, PieceReader
from bot.domain.snapshot import CaptureKind
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.markdown import dump
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.usage.export import export
from bot.inspect.usage.forecast import forecast
from bot.inspect.usage.usage import account
from bot.inspect.usage.usage_chart import MAX_TURNS, chart_of
from bot.inspect.usage.usage_text import LiveView, live_view
from bot.messaging.delivery.file_expiry import EXPIRY_HOURS
from bot.ports.clock import Clock
from bot.ports.platform import PlatformCapabilities
from bot.ports.store import Store
from bot.sentences import say


@dataclass(frozen=True)
class UsagePages:
    """Answers of commands; `can` is what a platform takes."""

    store: Store
    clock: Clock
    data_dir: Path
    looking: ContextCapturer
    reading: PartReading
    can: Callable[[str], PlatformCapabilities]
    thresholds: Callable[[], CompactionThresholds | None]
    pictures: ChartPictures

    async def context(self, talk: SessionContext, which: CaptureKind | int) -> ThreadReply:
        """Return the live view, its picture where one can be drawn and sent, and what came back for what was sent."""
        capture = await self.looking.capture(talk.caller, talk.target, which)
        view = await read_live_view(self.store, capture.inspection, capture.shown, self.thresholds())
        text, picture = live_view(view), None
        if not self.pictures.why_not(talk.session):
            drawn = await self.pictures.picture("context", lambda: chart_of(view))
            picture = drawn.file
            text = f"{text}\n\n{drawn.note}" if drawn.note else text
        buttons = await self.reading.openers(talk.session, capture)
        answer = self.reading.came_back(capture)
        return ThreadReply(text, buttons, (answer,) if answer else (), file=picture)

    async def usage(self, talk: SessionContext) -> str:
        """Return what the models have used for the channel."""
        return account(texts.channel_word(talk.target), await self.store.meter.usage(talk.target.key, 0))

    async def export(self, talk: SessionContext, which: CaptureKind | int, *, as_markdown: bool = False) -> ThreadReply:
        """Write the context to a file that goes along where the platform takes it; raise UserError.

        As JSON it can be replayed and compared; as markdown it is for people to read.
        """
        now = self.clock.now()
        shown = (await self.looking.capture(talk.caller, talk.target, which)).shown
        path, content = await asyncio.to_thread(self._written, talk, shown, now, as_markdown)
        await self.store.audit.append(talk.looked(now, "export", path.name))
        can = self.can(talk.session.body.platform)
        attached = await attach(self.data_dir, path, content, can)
        lines = [texts.title(talk.target, "export"), str(path)]
        if not shown.exact:
            lines.append(say("pages.redactions", redactions=shown.redactions, withheld=shown.withheld))
        lines += [attached.note] if attached.note else []
        if attached.file and can.takes_back:
            lines.append(say("pages.stays-message-goes", hours=EXPIRY_HOURS))
        else:
            lines.append(say("pages.stays"))
        return ThreadReply("\n".join(lines), file=attached.file)

    def _written(
        self, talk: SessionContext, shown: InspectedContext, now: int, as_markdown: bool
    ) -> tuple[Path, bytes]:
        """Write the document into a file; blocks."""
        if as_markdown:
            content = dump(shown).encode()
            return write_export(self.data_dir, talk.target.key.channel, now, content, suffix=".md"), content
        content = export(shown, local_time(now).isoformat(), self.store.instance, talk.reader)
        return write_export(self.data_dir, talk.target.key.channel, now, content), content


async def read_live_view(
    store: Store, inspection: ContextCapture, shown: InspectedContext, thresholds: CompactionThresholds | None
) -> LiveView:
    """Put the live view of a capture together; what is read of the store for it is bounded."""
    meter, pieces = store.meter, PieceReader(*PATIENT_SECONDS)
    usage, sizes, compactions = await asyncio.gather(
        pieces.read("usage", "unread.used", lambda: meter.usage(shown.key, 0), ()),
        pieces.read("sizes", "unread.turn-sizes", lambda: meter.sizes(shown.key, MAX_TURNS), ()),
        pieces.read("compactions", "unread.compactions", lambda: store.compactions.recent(shown.key, MAX_TURNS), ()),
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
