"""Keep a typing mark up for as long as a turn has nothing else to show for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from bot.domain.ids import ChannelId
from bot.errors import DeliveryError
from bot.messaging.delivery.retry_policy import code_of
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.runtime.tasks import Tasks
from bot.runtime.timers import Alarms, Length, ended, spawned

log = structlog.get_logger(__name__)

BEGIN_AFTER = 0.5
"""Seconds; whoever is answered sooner sees only the answer."""
_SPACING = 0.05
"""Seconds between two that begin: of the 30 calls a second that Telegram takes from a bot, most are left to answers.

https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""
_RENEW_AT = 0.8
_LONGEST_END = 2.0
_PATIENCE = _LONGEST_END + 0.5
"""Seconds that an answer waits for the end of its mark: an adapter that does not let go of it shall hold up nobody."""


class TypingMarks:
    """The marks of all turns; most turns end before theirs begins."""

    def __init__(self, clock: Clock, tasks: Tasks) -> None:
        self.clock = clock
        self.tasks = tasks
        # who shows one now, and since when (UTC ms); one whose turn is over is a finding
        self.shown: dict[asyncio.Task[None], tuple[ChannelId, int]] = {}
        # a mark is worth no answer: when answers wait for the loop, marks wait for them
        self.alarms = Alarms("typing", Length(BEGIN_AFTER, _SPACING), clock, tasks, gives_way=True)

    def since(self, channel: ChannelId) -> int:
        """Say when the mark began that is shown in a channel, UTC ms; 0 when none is."""
        return min((at for where, at in self.shown.values() if where == channel), default=0)


class TypingMark:
    """The mark of one turn, from a while after this is made to `end`."""

    def __init__(
        self, marks: TypingMarks, platform: Platform, channel: ChannelId, is_needed: Callable[[], bool]
    ) -> None:
        self._marks = marks
        self._platform = platform
        self._channel = channel
        self._is_needed = is_needed
        self._kept: asyncio.Task[None] | None = None
        self._alarm = marks.alarms.set(self._begin)

    async def end(self) -> None:
        """Take the mark away, or let it never begin."""
        self._marks.alarms.off(self._alarm)
        await ended(self._kept, _PATIENCE)

    def _begin(self) -> None:
        work = keep_typing(self._platform, self._channel, self._marks.clock, self._is_needed)
        self._kept = spawned(self._marks.tasks, f"typing in {self._channel}", work)
        if self._kept is not None:
            self._marks.shown[self._kept] = self._channel, self._marks.clock.now()
            self._kept.add_done_callback(lambda task: self._marks.shown.pop(task, None))


async def keep_typing(platform: Platform, channel: ChannelId, clock: Clock, is_needed: Callable[[], bool]) -> None:
    """Show the mark and renew it before it fades, until nobody needs it or this is cancelled; then take it away."""
    if not is_needed():
        return
    try:
        while is_needed():
            await _set(platform, channel, True)
            await clock.sleep(platform.capabilities.typing_seconds * _RENEW_AT)
    finally:
        try:
            async with asyncio.timeout(_LONGEST_END):
                await _set(platform, channel, False)
        except TimeoutError:
            log.info("typing_not_ended", channel=channel)


async def _set(platform: Platform, channel: ChannelId, on: bool) -> None:
    try:
        await platform.set_typing(channel, on)
    except DeliveryError as error:
        log.info("typing_refused", channel=channel, code=code_of(error))
    except Exception as error:
        # a mark is worth no answer, whatever is wrong with the adapter
        log.error("typing_failed", channel=channel, error_type=type(error).__name__, exc_info=error)
