"""Conversations at rest, and the live ones read-only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from bot.domain.base import FrozenModel
from bot.domain.channel import ChannelSettings, ChannelState
from bot.domain.channel_moves import ChannelMoves
from bot.domain.finding import AuditRow, NewAudit
from bot.domain.health import AdapterHealth, QueueHealth
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace, Message
from bot.domain.revisions import ChangedBy
from bot.domain.snapshot import ContextSnapshot
from bot.ports.platform import PlatformCapabilities


class KnownChannel(FrozenModel):
    """A channel that the store knows, in a line."""

    agent: str
    id: ChannelId
    name: str
    place: ChannelPlace
    last_at: int
    settings: ChannelSettings | None = None
    """What is set there; None where it was not asked for, or nobody met the channel."""

    @property
    def key(self) -> ChannelKey:
        """What tables know it by."""
        return ChannelKey(self.agent, self.id)  # type: ignore[arg-type]


class HandedOver(NamedTuple):
    """A channel that another agent has now."""

    channel: ChannelId
    former: AgentId
    agent: AgentId


class ChannelStore(Protocol):
    """Conversations in the store. A former id of a channel means the channel as it is called now."""

    @property
    def moves(self) -> ChannelMoves:
        """Every channel that has another id now; in memory."""

    async def move(self, old: ChannelId, new: ChannelId, at: int) -> bool:
        """Go on under another id, in one transaction; False when that is known, and nothing changes.

        Settings, history, memories of the channel, turns, open offers, sessions about it and unsent chunks go along, as
        do the channels that lie in it. Arrivals keep the id under which they arrived, and are found by both. What was
        said under the new id already follows what was said under the old one.
        """

    async def load(self, key: ChannelKey) -> ChannelState | None:
        """Rebuild a conversation exactly as it was when it was last used; None for a channel never heard of."""

    async def meet(self, key: ChannelKey, name: str, place: ChannelPlace, settings: ChannelSettings) -> ChannelState:
        """Return the conversation, made with these settings if it is new; a changed name is taken over."""

    async def known(self, agent: str | None = None) -> Sequence[KnownChannel]:
        """List every channel with its settings, the most recently used first."""

    async def look_up(self, key: ChannelKey) -> KnownChannel | None:
        """Return a channel with its settings and without its conversation; None for one never heard of."""

    async def neighbours(self, key: ChannelKey, guild_id: str, limit: int) -> Sequence[KnownChannel]:
        """List the other channels of one guild of the same agent, by id; never direct messages."""

    async def set_settings(self, key: ChannelKey, settings: ChannelSettings, by: ChangedBy) -> None:
        """Keep mode, pause and model, and who set them; nobody where the program did by itself."""

    async def settings(self, limit: int) -> Sequence[tuple[ChannelKey, ChannelSettings]]:
        """Return what people set, the most recently used channels first; the gates keep it in memory.

        Channels in which nobody set anything are left out, and cost next to nothing, however many they are.
        """

    async def hear(self, talk: Sequence[tuple[ChannelKey, Message]], keep: int) -> None:
        """Keep ambient messages of channels, all or none of them; only the newest `keep` of a channel are."""

    async def amend(self, key: ChannelKey, message: Message) -> None:
        """Replace the message with the same `inbound` number, wherever it stands."""

    async def reset(self, key: ChannelKey, at: int, audit: NewAudit | None = None) -> None:
        """Start anew; what was before stays in the store and is never sent again. Unknown channels stay unknown.

        The audit row is kept in the same transaction, with what `bring_back` needs.
        """

    async def fresh_start(self, key: ChannelKey, since: int) -> AuditRow | None:
        """Return the newest fresh start of a conversation that nobody has taken back, if it is not older than that."""

    async def bring_back(self, key: ChannelKey, row: int, audit: NewAudit) -> bool:
        """Take a fresh start back: what was before stands again, and what was said since follows it.

        False, and nothing changes, where that was done already or the conversation has gone on otherwise.
        """

    async def hand_over(
        self, owner: Callable[[ChannelId, ChannelPlace], AgentId], at: int, *, several: bool
    ) -> Sequence[HandedOver]:
        """Give every channel that the store knows to its owner, in one transaction; return those that changed hands.

        Without `several` agents nothing is asked or done where `main` always had every channel.
        What was said stays with the former agent; the new one begins anew, and its settings say where it came from.
        Mode, pause and whether requests are recorded are the channel's, and go along.
        """


class AdapterView(FrozenModel):
    """A chat service, as who may only look sees it."""

    name: str
    capabilities: PlatformCapabilities
    health: AdapterHealth


class ChannelDirectory(Protocol):
    """The active channels and their adapters, read-only; what a tool and the cortex see of the registry."""

    def adapters(self) -> Mapping[str, AdapterView]:
        """Return every connected adapter by its name, which the ids of its channels begin with."""

    def get(self, key: ChannelKey) -> ChannelState | None:
        """Return the current state, or None when the channel is not active."""

    def keys(self) -> Sequence[ChannelKey]:
        """Return every active channel."""

    def in_flight(self, key: ChannelKey) -> ContextSnapshot | None:
        """Return the snapshot of the round now running, if one is."""

    def queue(self, key: ChannelKey) -> QueueHealth:
        """Say what waits and what runs."""
