"""Conversations in a dictionary, and a registry of the live ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.channel import (
    AmbientHeard,
    ChannelReset,
    ChannelSettings,
    ChannelState,
    MessageEdited,
    SettingsChanged,
    apply,
)
from bot.domain.channel_moves import ChannelMoves
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace, Message
from bot.domain.revisions import ChangedBy
from bot.domain.snapshot import ContextSnapshot
from bot.ports.channels import AdapterView, KnownChannel


class FakeChannels:
    """Implements `bot.ports.channels.ChannelStore`; the most recently put state is the most recently used."""

    def __init__(self, *states: ChannelState) -> None:
        self.states: dict[ChannelKey, ChannelState] = {state.key: state for state in states}
        self.moves = ChannelMoves()

    async def move(self, old: ChannelId, new: ChannelId, at: int) -> bool:
        before, self.moves = self.moves, self.moves.adding(old, new)
        moved = {self.moves.key(key): state for key, state in self.states.items()}
        self.states = {key: state.model_copy(update={"id": key.channel}) for key, state in moved.items()}
        return self.moves != before

    async def load(self, key: ChannelKey) -> ChannelState | None:
        return self.states.get(self.moves.key(key))

    async def meet(self, key: ChannelKey, name: str, place: ChannelPlace, settings: ChannelSettings) -> ChannelState:
        state = self.states.get(key)
        if state is None:
            state = ChannelState(agent=key.agent, id=key.channel, name=name, place=place, settings=settings)
        self.states[key] = state.model_copy(update={"name": name, "place": place})
        return self.states[key]

    async def known(self, agent: str | None = None) -> Sequence[KnownChannel]:
        states = [s for s in reversed(self.states.values()) if agent is None or s.agent == agent]
        return [_known(state).replace(settings=state.settings) for state in states]

    async def look_up(self, key: ChannelKey) -> KnownChannel | None:
        state = await self.load(key)
        return _known(state).replace(settings=state.settings) if state is not None else None

    async def neighbours(self, key: ChannelKey, guild_id: str, limit: int) -> Sequence[KnownChannel]:
        found = [
            _known(state)
            for state in sorted(self.states.values(), key=lambda s: s.id)
            if state.key != key and state.agent == key.agent and state.place.guild_id == guild_id
            if not state.place.is_dm
        ]
        return found[:limit]

    async def set_settings(self, key: ChannelKey, settings: ChannelSettings, by: ChangedBy) -> None:
        self.states[key] = apply(self.states[key], SettingsChanged(settings=settings))

    async def settings(self, limit: int) -> Sequence[tuple[ChannelKey, ChannelSettings]]:
        found = [(key, state.settings) for key, state in reversed(self.states.items())]
        return [(key, settings) for key, settings in found if settings != ChannelSettings(mode=settings.mode)][:limit]

    async def hear(self, talk: Sequence[tuple[ChannelKey, Message]], keep: int) -> None:
        for key, message in talk:
            self.states[key] = apply(self.states[key], AmbientHeard(message=message, keep=keep))

    async def amend(self, key: ChannelKey, message: Message) -> None:
        self.states[key] = apply(self.states[key], MessageEdited(message=message))

    async def reset(self, key: ChannelKey, at: int) -> None:
        if key in self.states:
            self.states[key] = apply(self.states[key], ChannelReset())


class FakeDirectory:
    """Implements `bot.ports.channels.ChannelDirectory`."""

    def __init__(self, *states: ChannelState) -> None:
        self.states: dict[ChannelKey, ChannelState] = {state.key: state for state in states}
        self.flying: dict[ChannelKey, ContextSnapshot] = {}
        self.queues: dict[ChannelKey, QueueHealth] = {}
        self.views: dict[str, AdapterView] = {}

    def adapters(self) -> Mapping[str, AdapterView]:
        return self.views

    def get(self, key: ChannelKey) -> ChannelState | None:
        return self.states.get(key)

    def keys(self) -> Sequence[ChannelKey]:
        return tuple(self.states)

    def in_flight(self, key: ChannelKey) -> ContextSnapshot | None:
        return self.flying.get(key)

    def queue(self, key: ChannelKey) -> QueueHealth:
        return self.queues.get(key, QueueHealth())


def _known(state: ChannelState) -> KnownChannel:
    at = max((m.at for m in state.history), default=0)
    return KnownChannel(agent=state.agent, id=state.id, name=state.name, place=state.place, last_at=at)
