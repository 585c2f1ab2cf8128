"""Measure the receiving half of Discord next to the bare library in the same run: `python -m tests.bench.discord`.

A message is a frame of the gateway until its row is stored, against a bot that has the library read the same frame and
stores the same row, which it does not have to make; a start is READY and the guilds that follow it. CPU of the whole
process, medians of interleaved rounds.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import discord
import orjson
from discord.gateway import DiscordWebSocket

from adapters.discord import Settings
from adapters.discord.base.state import DiscordState
from adapters.discord.gateway.backfill import BackfillReader
from adapters.discord.gateway.event_receiver import EventReceiver
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.gateway.ordering import ChannelLanes
from adapters.discord.gateway.thread_starters import ThreadStarters
from adapters.discord.gateway.watermark import ReadWatermark
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.own_messages import OwnMessages
from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from adapters.system import SystemClock, SystemEntropy
from bot.domain.ids import MAIN
from bot.domain.ledger import Arrival, ArrivalDisposition, StreamCursor
from bot.domain.messages import Inbound
from bot.ports.store import Store

GUILDS, CHANNELS, ROLES = 1000, 40, 20
TALKING, EACH = 100, 30
ROUNDS = 3
ME = 10**18
FIRST_GUILD = 2 * 10**18
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gbench.benchbenchbenchbenchbenchbench"


def user(number: int, name: str, *, bot: bool = False) -> dict[str, Any]:
    return {"id": str(number), "username": name, "global_name": name, "discriminator": "0", "avatar": None, "bot": bot}


def guild(number: int) -> dict[str, Any]:
    """Make a guild as GUILD_CREATE carries it without the members intent."""
    base = FIRST_GUILD + number * 1000
    role = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "permissions": "1071698660929"}
    roles = [{"id": str(base + n), "name": f"role {n}", "position": n, **role} for n in range(ROLES)]
    place = {"permission_overwrites": [], "parent_id": None, "topic": "a topic", "nsfw": False}
    channels = [
        {"id": str(base + 100 + n), "type": 0, "name": f"c{n}", "position": n, "last_message_id": str(base), **place}
        for n in range(CHANNELS)
    ]
    me = {"user": user(ME, "glassmind", bot=True), "roles": [], "joined_at": "2025-01-01T00:00:00+00:00", "deaf": False}
    settings = {
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
    }
    return {
        "id": str(base),
        "name": f"guild {number}",
        "owner_id": "1",
        "roles": roles,
        "channels": channels,
        "threads": [],
        "members": [me | {"mute": False, "flags": 0}],
        "member_count": 50,
        "joined_at": "2025-01-01T00:00:00+00:00",
        "large": False,
        "unavailable": False,
        "features": [],
        "emojis": [],
        "stickers": [],
        "premium_tier": 0,
        "preferred_locale": "en-US",
        "nsfw_level": 0,
        **settings,
    }


def message(number: int) -> dict[str, Any]:
    """Make a message of one of the channels of the first guild, in turns."""
    author = user(5000 + number % 7, "ann")
    member = {
        "roles": [],
        "joined_at": "2025-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "nick": "Ann",
        "flags": 0,
    }
    text = f"message {number}: what about the plan for tomorrow, does it still stand?"
    return {
        "id": str(FIRST_GUILD * 2 + number),
        "channel_id": str(FIRST_GUILD + number % TALKING // CHANNELS * 1000 + 100 + number % CHANNELS),
        "guild_id": str(FIRST_GUILD + number % TALKING // CHANNELS * 1000),
        "type": 0,
        "content": text,
        "author": author,
        "member": member,
        "timestamp": "2025-10-09T08:53:20+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "components": [],
        "flags": 0,
    }


def frame(sequence: int, name: str, data: dict[str, Any]) -> str:
    return orjson.dumps({"op": 0, "s": sequence, "t": name, "d": data}).decode()


def start_frames() -> list[str]:
    guilds = [guild(number) for number in range(GUILDS)]
    ready = {
        "v": 10,
        "user": user(ME, "glassmind", bot=True),
        "session_id": "s",
        "resume_gateway_url": "wss://gateway.discord.gg",
        "guilds": [{"id": one["id"], "unavailable": True} for one in guilds],
        "shard": [0, 1],
        "application": {"id": str(ME), "flags": 1 << 19},
    }
    return [frame(1, "READY", ready), *(frame(n + 2, "GUILD_CREATE", one) for n, one in enumerate(guilds))]


MESSAGES = [frame(10_000 + number, "MESSAGE_CREATE", message(number)) for number in range(TALKING * EACH)]


class Inbox:
    """Ears that do nothing but store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.rows = 0

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        self.rows += len(batch)
        await self._store.ledger.arrive([arrival(one) for one in batch], cursor)

    async def cursor(self, adapter: str, stream: str) -> str | None:
        return await self._store.ledger.cursor(adapter, stream)

    async def pressed(self, press: object) -> str:
        return ""

    async def settled(self) -> None:
        pass

    def language(self) -> str:
        return "en"


def arrival(inbound: Inbound) -> Arrival:
    return Arrival(agent=MAIN, inbound=inbound, arrived_at=1, verdicts=(), disposition=ArrivalDisposition.NOTE)


def socket_of(client: discord.Client) -> DiscordWebSocket:
    """Make a socket that reads for a client and is connected to nothing."""
    socket = DiscordWebSocket(None, loop=asyncio.get_running_loop())  # type: ignore[arg-type]
    state: Any = client._connection
    socket._connection, socket._discord_parsers, socket._dispatch = state, state.parsers, client.dispatch
    socket.shard_id = 0
    return socket


class Bare(discord.AutoShardedClient):
    """The least that a bot can do: read with the library, and store a row that is ready for each message."""

    def __init__(self, store: Store) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, messages=True, message_content=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0.0,
        )
        self.prepared: dict[int, Arrival] = {}
        self.seen = self.rows = 0
        self._store = store

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.seen += event == "message"
        super().dispatch(event, *args, **kwargs)

    async def on_message(self, message: discord.Message) -> None:
        if message.id in self.prepared:
            await self._store.ledger.arrive([self.prepared[message.id]], None)
        self.rows += 1

    async def rest(self) -> None:
        while self.rows < self.seen:  # noqa: ASYNC110 - an event would be a part of what is measured
            await asyncio.sleep(0.0002)


async def bare_client(store: Store) -> tuple[DiscordWebSocket, Bare]:
    client = Bare(store)
    await client._async_setup_hook()
    client._connection.shard_ids, client._connection.shard_count, client.shard_count = [0], 1, 1
    return socket_of(client), client


async def our_client(inbox: Inbox) -> tuple[DiscordWebSocket, Callable[[], Awaitable[None]]]:
    settings, clock = Settings(token=TOKEN), SystemClock()  # type: ignore[arg-type]
    rest = RestClient(settings)
    client = LibraryClient(rest, settings)
    state = DiscordState(clock, 90.0, wants_content=True)
    state.begin([0])
    marks = ReadWatermark(inbox, clock, rest.server_clock, 24.0)
    lanes = ChannelLanes(inbox, marks, clock, state)
    desk = DiscordDeps(rest, DiscordAccount(rest), DmChannels(rest), clock, OwnMessages())
    parts = (lanes, marks, BackfillReader(rest, clock, state, marks, 1000), clock)
    EventReceiver(client, state, desk, ThreadStarters(client, rest), parts, lambda interaction: None)
    await client.prepare([0], 1)
    return socket_of(client), lanes.idle


async def cpu(work: Awaitable[None]) -> float:
    began = time.process_time()
    await work
    return time.process_time() - began


async def read(socket: DiscordWebSocket, frames: Sequence[str], rest: Callable[[], Awaitable[None]]) -> None:
    """Read as many frames at once as there are channels, as they come from a busy gateway."""
    for at in range(0, len(frames), TALKING):
        for one in frames[at : at + TALKING]:
            await socket.received_message(one)
        await rest()


async def measure(directory: Path) -> dict[str, float]:
    start = start_frames()
    taken: dict[str, list[float]] = {name: [] for name in ("start", "bare_start", "ours", "bare", "parse")}
    for number in range(ROUNDS):
        store = await open_sqlite(StoreSettings(directory / str(number), SystemClock(), SystemEntropy()))
        plain = await open_sqlite(StoreSettings(directory / f"{number}-plain", SystemClock(), SystemEntropy()))
        inbox = Inbox(store)
        bare_socket, bare = await bare_client(plain)
        socket, rest = await our_client(inbox)
        taken["bare_start"].append(await cpu(read(bare_socket, start, bare.rest)))
        taken["start"].append(await cpu(read(socket, start, rest)))
        taken["parse"].append(await cpu(read(bare_socket, MESSAGES, bare.rest)))
        taken["ours"].append(await cpu(read(socket, MESSAGES, rest)))
        assert inbox.rows == len(MESSAGES), inbox.rows
        bare.prepared = {int(one.message_id): arrival(one) for one in await kept(store)}
        taken["bare"].append(await cpu(read(bare_socket, MESSAGES, bare.rest)))
        await store.close()
        await plain.close()
    found = {name: statistics.median(values) for name, values in taken.items()}
    per = 1e6 / len(MESSAGES)
    return {
        "message_cpu_us": found["ours"] * per,
        "bare_message_cpu_us": found["bare"] * per,
        "bare_parse_cpu_us": found["parse"] * per,
        "message_to_bare_ratio": found["ours"] / found["bare"],
        "start_1000_guilds_cpu_s": found["start"],
        "bare_start_1000_guilds_cpu_s": found["bare_start"],
    }


async def kept(store: Store) -> list[Inbound]:
    """Return what was stored, as often as it was heard."""
    found = [await store.ledger.inbound(row) for row in range(1, len(MESSAGES) + 1)]
    return [one.inbound for one in found if one is not None]


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        figures = asyncio.run(measure(Path(directory)))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
