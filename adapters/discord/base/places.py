"""Where things are: channels, threads and direct messages, as the bot names them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import discord
from discord.abc import GuildChannel, PrivateChannel

from bot.domain.ids import ChannelId, channel_id
from bot.domain.messages import ChannelPlace
from bot.text.text import clean

NAME = "discord"
ELSEWHERE = channel_id(NAME, "elsewhere")
"""Stands for what happened in no channel that can be named, such as a direct message of somebody unknown."""

_HIDDEN = "___hidden___"
"""What Discord writes for the name of a channel that the bot may not view."""

Somewhere = GuildChannel | discord.Thread | PrivateChannel | discord.PartialMessageable | None
"""What the library gives for a channel; a partial one, or none at all, where its cache does not know it."""


class DiscordPlace(NamedTuple):
    """A channel as an inbound names it."""

    channel: ChannelId
    name: str
    place: ChannelPlace


def guild_channel(guild: object, channel: object) -> ChannelId:
    """Name a channel or thread of a guild."""
    return channel_id(NAME, guild, channel)


def dm_of(user: object) -> ChannelId:
    """Name the private chat with a person; the platform's own number of it is the adapter's affair."""
    return channel_id(NAME, "dm", user)


def guild_place(guild: int, channel: int, known: Somewhere) -> DiscordPlace:
    """Describe a channel of a guild, as far as the cache knows it."""
    name, parent = _shown_name(known), None
    parents: tuple[int | None, ...] = ()
    if isinstance(known, discord.Thread):
        parent = known.parent
        parents = (known.parent_id, parent.category_id if parent is not None else None)
    elif isinstance(known, GuildChannel):
        parents = (known.category_id,)
    return _make_place(guild, channel, name, _shown_name(parent), parents)


def dm_place(user: int) -> DiscordPlace:
    """Describe the private chat with a person."""
    return DiscordPlace(dm_of(user), "direct messages", ChannelPlace(is_dm=True))


def unknown_place() -> DiscordPlace:
    """Describe what has no place."""
    return DiscordPlace(ELSEWHERE, "elsewhere", ChannelPlace())


def of_interaction(interaction: discord.Interaction) -> DiscordPlace:
    """Describe where somebody pressed or typed; a private chat with the bot is named by who did.

    Who has installed the bot for themselves may use it in chats of other people, in which it is no member.
    """
    if interaction.context.private_channel and interaction.channel_id is not None:
        return DiscordPlace(
            channel_id(NAME, "private", interaction.channel_id), "a chat of other people", ChannelPlace()
        )
    if interaction.guild_id is None:
        return dm_place(interaction.user.id)
    if interaction.channel_id is None:
        return unknown_place()
    return guild_place(interaction.guild_id, interaction.channel_id, interaction.channel)


def _shown_name(known: Somewhere) -> str:
    """Return a channel's name; empty where it is not known, or hidden from the bot together with the channel."""
    name = str(getattr(known, "name", None) or "")
    return "" if name == _HIDDEN else name


@lru_cache(maxsize=4096)
def _make_place(guild: int, channel: int, name: str, parent: str, parents: tuple[int | None, ...]) -> DiscordPlace:
    """Put together what is the same for every message of a channel."""
    shown = f"#{parent} › {name}" if parent and name else f"#{name}" if name else f"channel {channel}"
    place = ChannelPlace(guild_id=str(guild), parents=tuple(str(number) for number in parents if number))
    return DiscordPlace(guild_channel(guild, channel), clean(shown).text, place)
