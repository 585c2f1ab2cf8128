"""Capture a context for one reader: frozen, cut to what they may see, with the records that belong to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.cortex.pages.channel_environment import ChannelEnvironment
from bot.cortex.pages.gap_page import GapPages
from bot.cortex.targets.record_lookup import request_line, trail_line
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.diagnostics.failure_words import unread_line
from bot.diagnostics.piece_reader import PATIENT_SECONDS, PieceReader
from bot.domain.access import AccessRight, Authority, Caller
from bot.domain.base import Digest
from bot.domain.channel import ChannelSettings, ChannelState
from bot.domain.ids import ChannelKey
from bot.domain.memory import MemoryScope
from bot.domain.snapshot import CaptureKind
from bot.domain.turn import MarkKind
from bot.errors import UserError
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.inspect.capture.reader_view import CaptureExtras, InspectedContext
from bot.inspect.capture.redact_view import CaptureReader, TextRedactor, view_for_reader
from bot.ports.store import Store
from bot.sentences import say

_MAX_TRAILS = 20
_MAX_REQUESTS = 8


class CaptureRef(NamedTuple):
    """What was looked at: the name of the request, and when (UTC ms)."""

    digest: Digest
    at: int


class Capture(NamedTuple):
    """What was captured, and what of it the reader may see; only the second is ever shown.

    `reads`: whether the reader may see what was said in the channel.
    """

    inspection: ContextCapture
    shown: InspectedContext
    reads: bool = True

    @property
    def seen(self) -> CaptureRef:
        """What names it, so that it can be looked at again."""
        snapshot = self.inspection.snapshot
        return CaptureRef(self.inspection.digest, snapshot.inputs.trigger.at if snapshot is not None else 0)


@dataclass(frozen=True)
class ContextCapturer:
    """The cortex's one way to a context."""

    inspector: ChannelContextInspector
    targets: TargetResolver
    store: Store
    redactor: TextRedactor
    not_recorded: Callable[[ChannelKey], str]
    """Says since when and by whom the requests of a channel are not recorded."""
    surroundings: ChannelEnvironment
    settings: Callable[[ChannelKey], ChannelSettings]
    """Says what is set in a channel, or holds in one that nobody has met yet."""

    async def capture(self, caller: Caller, target: TargetChannel, which: CaptureKind | int, *, at: int = 0) -> Capture:
        """Look; nothing changes, and no model is asked. The records of the channel are not read for it.

        `at` is the moment as of which the next one is made (UTC ms; 0: now).
        """
        return await self.capture_for(await self.reader(caller, target), target, which, at=at)

    async def capture_for(
        self, reader: CaptureReader, target: TargetChannel, which: CaptureKind | int, *, at: int = 0
    ) -> Capture:
        """Do the same for whoever reads as that."""
        if which is CaptureKind.SENT:
            await self.check_recorded(target.key)
        inspection = await self.inspector.inspect(target.key, which, at)
        return Capture(inspection, await self._shown(inspection, reader), reader.reads_content)

    async def check_recorded(self, key: ChannelKey) -> None:
        """Raise UserError where the last request of a channel was not to be recorded: an older one is not the last."""
        mark = await self.store.outlines.newest_mark(key)
        if mark is not None and mark.kind is MarkKind.UNRECORDED:
            raise UserError(self.not_recorded(key))

    async def present(self, caller: Caller, target: TargetChannel) -> Capture:
        """Look at the round that runs now, or else at what the next one would be, with what is on record."""
        try:
            inspection = await self.inspector.inspect(target.key, CaptureKind.IN_FLIGHT)
        except UserError:
            inspection = await self.inspector.inspect(target.key, CaptureKind.NEXT, unmet=self._unmet(target))
        return await self._with_records(caller, target, inspection)

    async def again(self, caller: Caller, target: TargetChannel, seen: CaptureRef) -> Capture:
        """Look at what was looked at before, if it is still there: the digest says whether it is the same.

        A request that was in flight then is in the journal now; what would have come next is made as of that moment.
        """
        recent = await self.store.journal.recent_requests(target.key, _MAX_REQUESTS)
        row = next((stored.id for stored in recent if stored.record.digest == seen.digest), None)
        which = row if row is not None else CaptureKind.NEXT
        inspection = await self.inspector.inspect(target.key, which, seen.at, self._unmet(target))
        return await self._with_records(caller, target, inspection)

    def _unmet(self, target: TargetChannel) -> ChannelState:
        key = target.key
        return ChannelState(
            agent=key.agent, id=key.channel, name=target.name, place=target.place, settings=self.settings(key)
        )

    async def _with_records(self, caller: Caller, target: TargetChannel, inspection: ContextCapture) -> Capture:
        reader, extras = await asyncio.gather(self.reader(caller, target), self._extras(caller, target, inspection))
        return Capture(inspection, await self._shown(inspection, reader, extras), reader.reads_content)

    async def _shown(
        self, inspection: ContextCapture, reader: CaptureReader, extras: CaptureExtras | None = None
    ) -> InspectedContext:
        """Cut a capture down to a reader, in a thread: a first look at many texts would keep everybody waiting."""
        return await asyncio.to_thread(view_for_reader, inspection, reader, self.redactor, extras)

    async def reader(self, caller: Caller, target: TargetChannel) -> CaptureReader:
        """Ask, now, as what somebody reads what is captured of a channel."""
        if caller.authority < Authority.ADMIN:
            recalls = await self.targets.may(AccessRight.RECALL, caller.person, target)
            return CaptureReader(reads_content=recalls, audits=True, scopes=frozenset())
        reads = await self.targets.may_read(caller.person, target)
        if caller.authority is not Authority.OWNER:
            return CaptureReader(reads_content=reads)
        return CaptureReader(reads_content=reads, operator=True, scopes=frozenset(MemoryScope))

    async def _extras(self, caller: Caller, target: TargetChannel, inspection: ContextCapture) -> CaptureExtras:
        pieces, store = PieceReader(*PATIENT_SECONDS), self.store

        async def trails() -> tuple[str, ...]:
            heard = await store.ledger.recent(target.key, _MAX_TRAILS)
            # asked for at once: one after the other, each would wait for a thread of its own
            found = await asyncio.gather(*(store.ledger.trail(stored.id) for stored in heard))
            return tuple(trail_line(trail) for trail in found if trail)

        ledger = await pieces.read("ledger", "unread.ended", trails, ())
        requests = await pieces.read(
            "journal", "unread.newest-requests", lambda: store.journal.recent_requests(target.key, _MAX_REQUESTS), ()
        )
        around = await pieces.read(
            "around", "unread.around", lambda: self.surroundings.around(caller, target, requests), CaptureExtras()
        )
        gap = await pieces.read("gap", "unread.gap", lambda: GapPages(store).lines(inspection), ())
        lacking = tuple(say("reading.could-not-read", what=unread_line(one)) for one in pieces.unread)
        journal = tuple(map(request_line, requests))
        return replace(around, changes=(*lacking, *around.changes), ledger=ledger, journal=journal, gap=gap)
