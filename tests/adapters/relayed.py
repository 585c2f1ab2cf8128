"""One process listens and another speaks: what is heard goes between them as text, as it does by the relay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.domain.heard import HeardInbound, HeardPress, heard_json, read_heard
from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor
from bot.domain.messages import ButtonPress, Inbound
from bot.ports.platform import Platform, PlatformListener
from tests.fakes.clock import FakeClock

LISTENER, SPEAKER = {"listens": True, "speaks": False}, {"listens": False, "speaks": True}


async def _nothing(press: ButtonPress) -> None:
    """Nothing is done before a press is heard."""


class Relayed:
    """Implements `bot.ports.platform.PlatformListener` for `listener`; what it hears is taken up by `speaker`.

    That one has each channel since a minute before something is first heard there. `lines` is what was written down,
    `work` is what the process that speaks does when a button is pressed.
    """

    def __init__(self, listener: Platform, speaker: Platform, ears: PlatformListener, clock: FakeClock) -> None:
        self.listener = listener
        self.speaker = speaker
        self.lines: list[str] = []
        self._clock = clock
        self._taken: set[ChannelId] = set()
        self.work: Callable[[ButtonPress], Awaitable[None]] = _nothing
        self._ears = ears

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        written = [heard_json(HeardInbound(inbound=one, handoff=self.listener.handoff(one))) for one in batch]
        self.lines += written
        self._take({one.channel for one in batch} - self._taken)
        read = [read_heard(HeardInbound, line) for line in written]
        await self._ears.receive([self.speaker.take_up(one.inbound, one.handoff) for one in read], cursor)

    def _take(self, channels: set[ChannelId]) -> None:
        self._taken |= channels
        self._clock.at -= 60_000
        self.speaker.take(sorted(channels))
        self._clock.at += 60_000

    async def cursor(self, adapter: str, stream: str) -> str | None:
        return await self._ears.cursor(adapter, stream)

    async def pressed(self, press: ButtonPress) -> str:
        written = heard_json(HeardPress(press=press, handoff=self.listener.handoff(press)))
        self.lines.append(written)
        read = read_heard(HeardPress, written)
        taken = self.speaker.take_up(read.press, read.handoff)
        await self.work(taken)
        return await self._ears.pressed(taken)

    async def settled(self) -> None:
        """Everything heard is at its end at once."""

    def language(self) -> str:
        return self._ears.language()
