"""Name the things people point at: agents, channels, people, records."""

from __future__ import annotations

from typing import NamedTuple, NewType

ChannelId = NewType("ChannelId", str)
"""`platform:path`, e.g. `telegram:123456:7`, `discord:<guild>:<channel>`, `console:#general`."""
AgentId = NewType("AgentId", str)
UserId = NewType("UserId", str)
"""The numeric id of a person on one platform, as text; never a name."""

MAIN = AgentId("main")


class ChannelKey(NamedTuple):
    """What every table and registry is keyed by: an agent and a conversation."""

    agent: AgentId
    channel: ChannelId

    def __str__(self) -> str:
        return self.channel if self.agent == MAIN else f"{self.agent}/{self.channel}"


class PersonKey(NamedTuple):
    """Somebody, on one platform, by numeric id; the only thing an authority check looks at."""

    platform: str
    user_id: UserId


def channel_id(platform: str, *path: object) -> ChannelId:
    """Join a platform and its path."""
    return ChannelId(":".join([platform, *map(str, path)]))


def ephemeral_id(platform: str, interaction: object) -> ChannelId:
    """Name what one interaction opens: messages that only who began it sees, for some minutes."""
    return channel_id(platform, "ephemeral", interaction)


def is_ephemeral(channel: ChannelId) -> bool:
    """Say whether a channel is what an interaction opened; nothing sent there counts as received."""
    return channel.partition(":")[2].startswith("ephemeral:")


def parse_channel_id(text: str) -> ChannelId:
    """Read a full channel id; raise ValueError for anything else."""
    platform, _, path = text.partition(":")
    if not platform or not path or any(c.isspace() for c in text):
        raise ValueError(f"not a channel id: {text!r}")
    return ChannelId(text)


def platform_of(channel: ChannelId) -> str:
    """Return the platform part of a channel id."""
    return channel.partition(":")[0]


def first_parts(channel: ChannelId, parts: int) -> ChannelId:
    """Return what a channel is a part of: its platform and so many parts of its path; with 0 the channel itself."""
    return ChannelId(":".join(channel.split(":")[: parts + 1])) if parts else channel
