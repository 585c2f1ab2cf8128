"""Let group talk become history; what is overheard in idle channels meanwhile is stored together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from bot.config.schema import ConversationConfig
from bot.context.transcript import as_message
from bot.domain.channel import AmbientHeard
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Message
from bot.messaging.channels.queues import AmbientMessage, ChannelQueue
from bot.messaging.channels.registry import ChannelRegistry
from bot.messaging.channels.settings import SettingsBook
from bot.ports.channels import ChannelStore
from bot.runtime.lru_cache import LRUCache
from bot.runtime.tasks import MAX_SHORT_PIECES, TaskSupervisor

log = structlog.get_logger(__name__)

MAX_KNOWN_CHANNELS = 1000
"""Of how many channels it is known that the store has them under their present name; the others are looked up."""

CHANNELS_A_BATCH = 256
"""Of how many channels is stored at once what was overheard, before others get their turn at the store."""


class AmbientListener:
    """One task for all idle channels, because most of what a busy server says is only overheard.

    `start` begins the work of a channel by itself. A channel that was never met comes that way, so that no other
    waits until it is.
    """

    def __init__(
        self,
        channels: ChannelStore,
        registry: ChannelRegistry,
        book: SettingsBook,
        limits: ConversationConfig,
        tasks: TaskSupervisor,
        start: Callable[[ChannelQueue], None],
    ) -> None:
        self._channels = channels
        self._registry = registry
        self._book = book
        self._limits = limits
        self._tasks = tasks
        self._start = start
        self._met: LRUCache[ChannelKey, str] = LRUCache(MAX_KNOWN_CHANNELS)
        self._waiting: list[ChannelQueue] = []
        self._is_listening = False

    def note(self, key: ChannelKey, name: str) -> None:
        """Note that the store has a channel under this name."""
        self._met.put(key, name)

    def forget(self) -> None:
        """Look up every channel again, because some have moved."""
        self._met.clear()

    def takes(self, lane: ChannelQueue) -> bool:
        """Say whether a channel's first work is something overheard, and the store is known to have the channel."""
        first = lane.work[0]
        return isinstance(first, AmbientMessage) and self._has_met(lane.key, first.stored.inbound.channel_name)

    def put(self, lane: ChannelQueue) -> None:
        """See to a channel whose first work it takes."""
        self._waiting.append(lane)
        if not self._is_listening:
            self._is_listening = True
            self._tasks.spawn("overheard", self._listen())

    async def hear(self, overheard: Sequence[tuple[ChannelKey, StoredInbound]]) -> None:
        """Keep messages, all or none of them."""
        keep = self._limits.ambient_messages
        if not keep:
            return
        talk: list[tuple[ChannelKey, Message]] = []
        for number, (key, stored) in enumerate(overheard, 1):
            inbound = stored.inbound
            if not self._has_met(key, inbound.channel_name):
                await self._channels.meet(key, inbound.channel_name, inbound.place, self._book.of(key))
                self.note(key, inbound.channel_name)
            talk.append((key, as_message(stored.id, inbound, ambient=True)))
            if not number % MAX_SHORT_PIECES:
                await asyncio.sleep(0)
        await self._channels.hear(talk, keep)
        for key, message in talk:
            live = self._registry.live(key)
            if live is not None:
                live.record(AmbientHeard(message=message, keep=keep))

    def _has_met(self, key: ChannelKey, name: str) -> bool:
        return self._met.get(key) == name

    async def _listen(self) -> None:
        try:
            while self._waiting:
                lanes, self._waiting = self._waiting[:CHANNELS_A_BATCH], self._waiting[CHANNELS_A_BATCH:]
                await self._hear_in(lanes)
        finally:
            self._is_listening = False

    async def _hear_in(self, lanes: Sequence[ChannelQueue]) -> None:
        heard = [(lane, item) for lane in lanes for item in lane.take_overheard()]
        try:
            await self.hear([(lane.key, item.stored) for lane, item in heard])
        except Exception as error:  # noqa: BLE001 - each channel by itself, so that none fails for another
            log.warning("not_heard_together", channels=len(lanes), error_type=type(error).__name__)
            for lane, item in reversed(heard):
                lane.work.appendleft(item)
            for lane in lanes:
                self._start(lane)
            return
        for lane in lanes:
            self._go_on(lane)

    def _go_on(self, lane: ChannelQueue) -> None:
        """Go on with what came to a channel meanwhile, or close its queue."""
        if not lane.work:
            self._registry.queues.close(lane)
        elif isinstance(lane.work[0], AmbientMessage):
            self._waiting.append(lane)
        else:
            self._start(lane)
