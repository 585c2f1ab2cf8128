"""Contexts that were captured for a page, kept for a moment for the parts of it that somebody scrolls to."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from bot.cortex.pages.context_capture import Capture, ContextCapturer
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.access import Caller
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import CaptureKind
from bot.inspect.capture.redact_view import CaptureReader
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.runtime.lru_cache import LRUCache
from bot.sentences import language_spoken

KEPT_SECONDS = 60.0
_MAX_KEPT = 3
_MIN_MESSAGES = 100
"""What has fewer is shown at once, and nothing more is asked of it."""
_Name = tuple[ChannelKey, CaptureKind | int, int, CaptureReader, str]


class _Kept(NamedTuple):
    capture: Capture
    made: float
    version: Hashable


class RecentCaptures:
    """Captures, and shows again what was just captured to whoever may see the same of it; that is asked each time."""

    def __init__(self, store: Store, clock: Clock, looking: ContextCapturer) -> None:
        self._store, self._clock, self._looking = store, clock, looking
        self._kept: LRUCache[_Name, _Kept] = LRUCache(_MAX_KEPT)

    async def capture(self, caller: Caller, target: TargetChannel, which: CaptureKind | int, at: int) -> Capture:
        """Return a context for one reader; the next one as of a moment (UTC ms; 0: now)."""
        reader = await self._looking.reader(caller, target)
        # words that were taken out since are shown to nobody
        version, now = await self._store.erasure_version(), self._clock.monotonic()
        # it says how exact it is in the language of who reads it
        spoken = language_spoken()
        known = self._kept.get((target.key, which, at, reader, spoken))
        if known is not None and known.version == version and now < known.made + KEPT_SECONDS:
            return known.capture
        found = await self._looking.capture_for(reader, target, which, at=at)
        stored, moment = found.inspection.stored, found.seen.at
        if len(found.shown.messages) >= _MIN_MESSAGES and (stored is not None or which is CaptureKind.NEXT):
            made, of = (stored.id, 0) if stored else (CaptureKind.NEXT, moment)
            self._kept.put((target.key, made, of, reader, spoken), _Kept(found, now, version))
        return found
