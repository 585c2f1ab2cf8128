"""How far Discord's adapter has come: it tells nobody, and a test waits for it."""

from __future__ import annotations

from adapters.discord import Discord
from adapters.discord.base.state import Shards
from adapters.discord.gateway.library_client import Client
from adapters.discord.rest.client import Rest
from bot.runtime.tasks import TaskSupervisor


def client_of(discord: Discord) -> Client:
    return discord._client


def rest_of(discord: Discord) -> Rest:
    """What it calls Discord with; a test posts with it as another program of the same account would."""
    return discord._desk.rest


def shards_of(discord: Discord) -> Shards:
    return discord._state.shards


def is_up(discord: Discord) -> bool:
    return discord._state.is_up


def presses_of(discord: Discord) -> TaskSupervisor:
    """What people pressed, and is still under way."""
    return discord._interactions._tasks


def read_so_far(discord: Discord) -> dict[str | None, int | None]:
    """The number of the newest event that was read, by session."""
    return {socket.session_id: socket.sequence for socket in client_of(discord).sockets.values()}


def holds_nothing(discord: Discord) -> bool:
    """Whether everything that was heard is stored."""
    assert discord._receiving is not None
    return not discord._receiving._lanes.busy


def knows_every_guild(discord: Discord) -> bool:
    assert discord._receiving is not None
    return discord._receiving._guilds.are_all_there
