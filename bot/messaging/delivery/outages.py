"""Know which platforms cannot be reached; one channel at a time finds out whether that is over. No I/O here."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.ids import ChannelId, platform_of
from bot.ports.clock import Clock
from bot.runtime.backoff import Backoff


class PlatformOutage:
    """A platform that cannot be reached, and the channels in which something waits for it, in the order of trying."""

    __slots__ = ("backoff", "due", "scout", "waiting", "was_well")

    def __init__(self, was_well: bool) -> None:
        self.backoff = Backoff()
        self.waiting: dict[ChannelId, None] = {}
        self.scout: ChannelId | None = None
        self.due = 0.0
        self.was_well = was_well


class PlatformOutages:
    """The platforms that cannot be reached now. `is_well` says whether an adapter finds that its platform is."""

    def __init__(self, clock: Clock, is_well: Callable[[str], bool]) -> None:
        self._clock = clock
        self._is_well = is_well
        self._now: dict[str, PlatformOutage] = {}
        self._back: list[ChannelId] = []

    @property
    def any(self) -> bool:
        """Whether a channel waits to be tried again."""
        return bool(self._now or self._back)

    def is_on(self, platform: str) -> bool:
        """Say whether something waits for a platform."""
        return platform in self._now

    def wait(self, channel: ChannelId) -> None:
        """Note that a channel has something for a platform that cannot be reached; it is the last in line."""
        platform = platform_of(channel)
        outage = self._now.get(platform)
        if outage is None:
            outage = self._now[platform] = PlatformOutage(self._is_well(platform))
            outage.scout = channel
        outage.waiting[channel] = None
        self._return(outage, channel)

    def left(self, channel: ChannelId) -> None:
        """Note that nothing waits in a channel any more; if it was to find something out, it has not."""
        outage = self._now.get(platform_of(channel))
        if outage is None:
            return
        outage.waiting.pop(channel, None)
        self._return(outage, channel)
        if not outage.waiting and outage.scout is None:
            del self._now[platform_of(channel)]

    def over(self, platform: str) -> None:
        """Note that a platform has answered: everything that waits for it may go out."""
        outage = self._now.pop(platform, None)
        if outage is not None:
            self._back += outage.waiting

    def due(self) -> list[ChannelId]:
        """Return the channels that are to be tried now: all of a platform that is back, else one now and then."""
        found, self._back = self._back, []
        for platform, outage in self._now.items():
            is_well = self._is_well(platform)
            has_come_back = is_well and not outage.was_well
            outage.was_well = is_well
            is_due = has_come_back or self._clock.monotonic() >= outage.due
            if outage.scout is None and outage.waiting and is_due:
                outage.scout = next(iter(outage.waiting))
                del outage.waiting[outage.scout]
                found.append(outage.scout)
        return found

    def _return(self, outage: PlatformOutage, channel: ChannelId) -> None:
        if outage.scout == channel:
            outage.scout = None
            outage.due = self._clock.monotonic() + outage.backoff.next()
