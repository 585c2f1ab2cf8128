"""How far Discord's adapter has come: it tells nobody, and a test waits for it."""

from __future__ import annotations

from adapters.discord import DiscordAdapter
from adapters.discord.base.state import ShardHealth
from adapters.discord.gateway.event_receiver import EventReceiver
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.rest.client import RestClient
from bot.runtime.tasks import TaskSupervisor


def client_of(discord: DiscordAdapter) -> LibraryClient:
    assert discord.gateway is not None
    return discord.gateway.client


def rest_of(discord: DiscordAdapter) -> RestClient:
    """What it calls Discord with; a test posts with it as another program of the same account would."""
    return discord._desk.rest


def shards_of(discord: DiscordAdapter) -> ShardHealth:
    return discord._state.shards


def is_up(discord: DiscordAdapter) -> bool:
    return discord._state.is_up


def presses_of(discord: DiscordAdapter) -> TaskSupervisor:
    """What people pressed, and is still under way."""
    return discord._interactions._tasks


def read_so_far(discord: DiscordAdapter) -> dict[str | None, int | None]:
    """The number of the newest event that was read, by session."""
    return {socket.session_id: socket.sequence for socket in client_of(discord).sockets.values()}


def holds_nothing(discord: DiscordAdapter) -> bool:
    """Whether everything that was heard is stored."""
    return not _receiving(discord)._lanes.busy


def knows_every_guild(discord: DiscordAdapter) -> bool:
    return _receiving(discord)._guilds.are_all_there


def _receiving(discord: DiscordAdapter) -> EventReceiver:
    assert discord.gateway is not None and discord.gateway.receiving is not None
    return discord.gateway.receiving
