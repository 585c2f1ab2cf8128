"""To which agent a conversation belongs: the one that lists its channel, else its platform's, else `main`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.config.agents import AgentConfig
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, platform_of
from bot.domain.messages import ChannelPlace


class AgentRouter:
    """Answers from memory; a bot that has no other agent than `main` is never asked to look."""

    def __init__(self, agents: Mapping[str, AgentConfig], moves: Callable[[], ChannelMoves]) -> None:
        self._moves = moves
        self._by_channel = {channel: AgentId(name) for name, one in agents.items() for channel in one.channels}
        self._by_platform = {platform: AgentId(name) for name, one in agents.items() for platform in one.platforms}
        self.names: tuple[AgentId, ...] = (MAIN, *map(AgentId, agents))

    @property
    def are_several(self) -> bool:
        """Whether there is another agent than `main`."""
        return len(self.names) > 1

    def of(self, channel: ChannelId, place: ChannelPlace) -> AgentId:
        """Return the agent that has a channel; what is listed itself goes before what it lies in."""
        if not self.are_several:
            return MAIN
        for name in (channel, *self._moves().former_ids(channel)):
            for spelling in spellings(name, place):
                if spelling in self._by_channel:
                    return self._by_channel[spelling]
        return self._by_platform.get(platform_of(channel), MAIN)

    def key(self, channel: ChannelId, place: ChannelPlace) -> ChannelKey:
        """Return what a conversation is known by."""
        return ChannelKey(self.of(channel, place), channel)


def spellings(channel: ChannelId, place: ChannelPlace) -> Sequence[str]:
    """Return every way to write a channel in a list: its id, its bare path, what it lies in, its parents."""
    path = channel.partition(":")[2]
    first, _, last = path.partition(":")
    # behind a guild stands the channel's own id; otherwise what stands first is the chat that the topic is part of
    part = last if first == place.guild_id else first
    bare = (path, part, *place.parents)
    # a thread's channel by its whole id, too
    within = tuple(f"{place.guild_id}:{parent}" for parent in place.parents) if place.guild_id else ()
    full = (f"{platform_of(channel)}:{name}" for name in (*bare, *within) if name)
    return tuple(dict.fromkeys((channel, *(name for name in bare if name), *full)))
