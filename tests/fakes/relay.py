"""A relay without a database, and channels that processes share."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor
from bot.ports.leases import Lease, channel_lease
from bot.ports.relay import RelayedEvent, RelayedEvents, StoredEvent, StoredQuestion


class FakeRelay:
    """Implements `bot.ports.relay.Relay` for all processes of a test. `settings` is what the test says."""

    def __init__(self) -> None:
        self.stored: list[StoredEvent] = []
        self.cursors: list[StreamCursor | None] = []
        self.asked: dict[int, StoredQuestion] = {}
        self.was_asked = asyncio.Event()
        self.settings = 1
        self.patience = 100
        """How many times it looks whether a question was answered."""
        self._answers: dict[int, str] = {}
        self._last = 0
        self._keys: set[str] = set()

    async def pass_on(self, events: Sequence[RelayedEvent], cursor: StreamCursor | None) -> None:
        for event in events:
            if not event.key or event.key not in self._keys:
                self._last += 1
                self._keys.add(event.key)
                self.stored.append(StoredEvent(self._last, 0, event))
        self.cursors.append(cursor)

    async def events(
        self, channels: Sequence[ChannelId] | None, limit: int, besides: Collection[int] = ()
    ) -> RelayedEvents:
        found = [one for one in self.stored if channels is None or one.event.channel in channels]
        return RelayedEvents([one for one in found if one.number not in besides][:limit], self.settings)

    async def done(self, numbers: Sequence[int]) -> None:
        self.stored = [one for one in self.stored if one.number not in numbers]

    async def ask(self, channel: ChannelId, body: str, seconds: float) -> str | None:
        self._last += 1
        number = self._last
        self.asked[number] = StoredQuestion(number, channel, body)
        self.was_asked.set()
        for _ in range(self.patience):
            if number in self._answers:
                break
            await asyncio.sleep(0.001)
        self.asked.pop(number, None)
        return self._answers.get(number)

    async def questions(self, channels: Sequence[ChannelId] | None) -> Sequence[StoredQuestion]:
        found = [one for one in self.asked.values() if channels is None or one.channel in channels]
        return [one for one in found if one.number not in self._answers]

    async def answer(self, number: int, body: str) -> bool:
        self._answers[number] = body
        return number in self.asked

    async def news(self, seconds: float) -> None:
        await asyncio.sleep(0.001)


class FakeShares:
    """Implements `bot.ports.leases.ChannelLeases` for one process; `taken` is who has what, among all of a test.

    Only what was relayed or asked waits, and what a test puts into `left`.
    """

    def __init__(self, name: str, relay: FakeRelay, taken: dict[ChannelId, str], left: list[ChannelId]) -> None:
        self.name, self.relay, self.taken, self.left = name, relay, taken, left

    async def take_channels(self, wanted: Sequence[ChannelId], most: int) -> Sequence[Lease]:
        free = [channel for channel in wanted if channel not in self.taken][:most]
        self.taken.update(dict.fromkeys(free, self.name))
        return [Lease(channel_lease(channel), 1, self.name) for channel in free]

    async def give_back_channels(self, channels: Sequence[ChannelId]) -> None:
        for channel in channels:
            del self.taken[channel]

    async def waiting(self, limit: int) -> Sequence[ChannelId]:
        events = [one.event.channel for one in self.relay.stored]
        asked = [one.channel for one in self.relay.asked.values()]
        found = dict.fromkeys((*self.left, *events, *asked))
        return [channel for channel in found if channel not in self.taken][:limit]
