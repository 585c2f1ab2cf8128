"""The active channels: bounded, least recently used first out, and no task for any of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from bot.config.schema import ConversationConfig
from bot.domain.channel import ChannelEvent, ChannelState
from bot.domain.channel_moves import ChannelMoves
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Message
from bot.domain.snapshot import ContextSnapshot
from bot.messaging.channels.queues import ChannelQueues, ReloadChannel
from bot.ports.channels import AdapterView
from bot.ports.clock import Clock
from bot.ports.platform import Platform


class LiveChannel(Protocol):
    """What messaging needs of `bot.agent.channel.Channel`."""

    @property
    def key(self) -> ChannelKey:
        """What it is known by."""

    @property
    def state(self) -> ChannelState: ...

    @property
    def generation(self) -> int:
        """Which of the successive channels with this key it is."""

    @property
    def in_flight(self) -> ContextSnapshot | None:
        """The snapshot of the round now running."""

    @property
    def running_turn(self) -> int:
        """The number of the turn that runs; 0 when none does."""

    def record(self, event: ChannelEvent) -> None:
        """Replace the state by the next one."""

    async def look_at(self, stored: StoredInbound) -> Message:
        """Return something overheard as it is read once its files were fetched."""

    async def take(self, inbounds: Sequence[StoredInbound]) -> bool:
        """Run one turn to its one outcome; True when it gave way to what came a moment later, and has none."""

    def stop(self) -> bool:
        """Cancel the running turn; False when none runs."""

    def give_way(self) -> bool:
        """Break the running turn off, so that it can begin again with more; False where it has shown something."""


_NONE: Mapping[str, Platform] = MappingProxyType({})
OpenChannel = Callable[[ChannelState], LiveChannel]


class _Entry(NamedTuple):
    channel: LiveChannel
    used: float
    takes: int
    """Bytes, when it was used last."""


class ChannelRegistry:
    """Channels by key. The manager writes it; everyone else reads it as a ChannelDirectory."""

    def __init__(
        self, queues: ChannelQueues, clock: Clock, limits: ConversationConfig, platforms: Mapping[str, Platform] = _NONE
    ) -> None:
        self.queues = queues
        self._clock = clock
        self._limits = limits
        self._platforms = platforms
        self._entries: OrderedDict[ChannelKey, _Entry] = OrderedDict()
        self._taken = 0

    def register(self, channel: LiveChannel) -> None:
        """Make a channel findable, in place of one with the same key; make room by letting idle ones go."""
        self._put(channel.key, channel)
        self.evict()

    def unregister(self, key: ChannelKey, generation: int) -> bool:
        """Forget a channel, but not a younger one that has taken its place."""
        found = self._entries.get(key)
        if found is None or found.channel.generation != generation:
            return False
        self.forget(key)
        return True

    def forget(self, key: ChannelKey) -> None:
        """Put a channel away, whichever it is; a turn of it that runs comes to its end all the same."""
        found = self._entries.pop(key, None)
        if found is not None:
            self._taken -= found.takes

    def _put(self, key: ChannelKey, channel: LiveChannel) -> None:
        self.forget(key)
        entry = self._entries[key] = _Entry(channel, self._clock.monotonic(), channel.state.resident_bytes)
        self._taken += entry.takes

    def follow(self, moves: ChannelMoves) -> None:
        """Find channels where they are now; they are put away before their next turn: the store knows more of them."""
        for old in [key for key in self._entries if moves.key(key) != key]:
            channel = self._entries[old].channel
            self.forget(old)
            if moves.key(old) not in self._entries:
                self._put(moves.key(old), channel)
        for key in [key for key in self._entries if moves.former_ids(key.channel)]:
            lane = self.queues.lane(key)
            if lane is None:
                self.forget(key)
            else:
                lane.work.appendleft(ReloadChannel())

    def live(self, key: ChannelKey) -> LiveChannel | None:
        """Return the channel itself, for the manager; it counts as used now."""
        found = self._entries.get(key)
        if found is None:
            return None
        self._put(key, found.channel)
        if self._taken > self._most_bytes:
            self.evict()
        return found.channel

    def record(self, key: ChannelKey, event: ChannelEvent) -> None:
        """Move a channel on if it is active; that is not using it."""
        found = self._entries.get(key)
        if found is not None:
            found.channel.record(event)

    def evict(self) -> int:
        """Let go what was idle for too long, or is too much; what has work stays. Return how many went."""
        now, before = self._clock.monotonic(), len(self._entries)
        for key, entry in list(self._entries.items())[:-1]:  # the newest has just been opened for somebody
            too_old = now - entry.used > self._limits.idle_eviction
            too_many = len(self._entries) > self._limits.resident_channels
            if not too_old and not too_many and self._taken <= self._most_bytes:
                break
            if self.queues.lane(key) is None:
                self.forget(key)
        return before - len(self._entries)

    @property
    def _most_bytes(self) -> int:
        return self._limits.resident_mb * 2**20

    def get(self, key: ChannelKey) -> ChannelState | None:
        """Return the current state, or None when the channel is not active; looking is not using."""
        found = self._entries.get(key)
        return found.channel.state if found else None

    def keys(self) -> Sequence[ChannelKey]:
        return tuple(self._entries)

    def adapters(self) -> Mapping[str, AdapterView]:
        """Return every connected adapter by its name."""
        return {
            name: AdapterView(name=name, capabilities=platform.capabilities, health=platform.health())
            for name, platform in self._platforms.items()
        }

    def in_flight(self, key: ChannelKey) -> ContextSnapshot | None:
        """Return the snapshot of the round now running, if one is."""
        found = self._entries.get(key)
        return found.channel.in_flight if found else None

    def queue(self, key: ChannelKey) -> QueueHealth:
        """Say what waits and what runs."""
        found, health = self._entries.get(key), self.queues.health(key)
        return health.replace(running_turn=found.channel.running_turn) if found else health
