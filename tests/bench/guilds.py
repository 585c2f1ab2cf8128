"""What a bot in many guilds costs, seen on some and reckoned to 100,000: `python -m tests.bench.guilds` prints JSON.

`measured` was seen in this run: guilds in the gateway's memory, their messages relayed, stored and answered on a
PostgreSQL server, and how many commits pass its turnstile, fsync on. `reckoned` is arithmetic on that with what is
assumed of the guilds (`Assumed`), one line for each size. `python -m tests.bench.guilds 500 2000` takes 500 guilds and
2,000 messages.
"""

from __future__ import annotations

import asyncio
import gc
import json
import math
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from bot.domain.heard import HeardInbound, heard_json, read_heard
from bot.domain.ids import ChannelId
from bot.ports.relay import RelayedEvent
from bot.ports.store import Store
from bot.runtime.gc_tuning import COLLECTOR_THRESHOLDS
from tests.bench._chats import prose
from tests.bench._machines import load, server_cpu, spent_by
from tests.bench.discord import ME, Inbox, frame, guild, our_client, user
from tests.bench.floor import rss_mib
from tests.bench.postgres import DURABLE, TURNS, turns
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.servers.postgres import PostgresServer, started

GUILDS, MESSAGES, PAGE = 2_000, 10_000, 20
PASSES, SESSIONS = 1_500, (1, 8)
SIZES = (1_000, 10_000, 100_000)


class Assumed(NamedTuple):
    """What the guilds are taken to be like; everything else is measured."""

    messages_a_day: int = 100
    """In an average guild; most say nothing, and a few say thousands."""
    for_the_bot: float = 0.02
    peak: float = 3.0
    """How much more comes in the busiest hour than on average."""
    commits_a_turn: float = 6.0
    """With few others at the same moment to share one."""
    page: int = 5
    """Messages that a gateway hands on in one commit."""
    talking_channels: float = 0.3
    """Channels of a guild in which somebody talks to the bot within ten minutes, at the peak, held by a worker."""
    worker_mib: float = 160.0
    worker_kib_a_channel: float = 20.0
    guilds_a_shard: int = 1_000
    max_concurrency: int = 16
    """What Discord grants a bot of more than 150,000 guilds; below it is 1."""
    identify_seconds: float = 5.0
    kept_days: int = 30


ASSUMED = Assumed()


async def in_memory(home: Path, guilds: int) -> dict[str, float]:
    """Let guilds show themselves to the gateway's half of the adapter, as after a start."""
    from adapters.sqlite import StoreSettings, create

    store: Any = await create(StoreSettings(home / "gateway", FakeClock(), FakeEntropy(), low_water=0, ballast=0))
    inbox = Inbox(store)
    socket, rest = await our_client(inbox)
    gone = [{"id": guild(number)["id"], "unavailable": True} for number in range(guilds)]
    app = {"id": str(ME), "flags": 1 << 19}
    greeting = {"v": 10, "user": user(ME, "glassmind", bot=True), "session_id": "s", "guilds": gone, "shard": [0, 1]}
    ready = frame(1, "READY", {**greeting, "resume_gateway_url": "wss://gateway.discord.gg", "application": app})
    first, *frames = [ready, *(frame(n + 2, "GUILD_CREATE", guild(n)) for n in range(guilds))]
    await socket.received_message(first)
    gc.collect()
    before, used = rss_mib("self"), time.process_time()
    for one in frames:
        await socket.received_message(one)
    await rest()
    used = time.process_time() - used
    gc.collect()
    grown = rss_mib("self") - before
    await store.close()
    return {
        "guilds": guilds,
        "kib_a_guild": grown * 1024 / guilds,
        "start_cpu_ms_a_guild": used * 1000 / guilds,
        "frame_kib_a_guild": sum(map(len, frames)) / 1024 / guilds,
    }


async def _worker(server: PostgresServer, home: Path, schema: str, name: str) -> Any:
    from adapters.postgres import LeaseSettings, PostgresSettings, create, open_leases

    clock, place = FakeClock(), home / schema
    leases = await open_leases(LeaseSettings(server.url(), schema, place, clock, FakeEntropy(name), name))
    await leases.renew()
    lease = await leases.join()
    return leases, await create(PostgresSettings(server.url(), place, clock, FakeEntropy(name), schema, lease=lease))


async def relayed(server: PostgresServer, store: Store, messages: int, guilds: int) -> dict[str, float]:
    """Hand messages on as a gateway does, and take them in as a worker does; each half by itself."""
    assert store.relay is not None
    relay = store.relay
    heard = [
        HeardInbound(inbound=v.inbound(prose(12, n), str(n), channel=ChannelId(f"discord:{n % guilds}:{n % 7}")))
        for n in range(messages)
    ]
    began, used, theirs = time.perf_counter(), time.process_time(), server_cpu(server)
    for at in range(0, messages, PAGE):
        page = heard[at : at + PAGE]
        await relay.pass_on([RelayedEvent(one.channel, "heard", heard_json(one), one.key) for one in page], None)
    passed = time.perf_counter() - began, time.process_time() - used, spent_by(server, theirs)
    began, used, theirs = time.perf_counter(), time.process_time(), server_cpu(server)
    while found := (await relay.events(None, PAGE)).events:
        inbounds = [read_heard(HeardInbound, one.event.body).inbound for one in found]
        await store.ledger.arrive(
            [v.arrival(text=one.text, message_id=one.message_id, channel=one.channel) for one in inbounds], None
        )
        await relay.done([one.number for one in found])
    taken = time.perf_counter() - began, time.process_time() - used, spent_by(server, theirs)
    return {
        "messages": messages,
        "relay_cpu_us": passed[1] * 1e6 / messages,
        "relay_server_cpu_us": passed[2] * 1e3 / messages,
        "relays_a_second": messages / passed[0],
        "intake_cpu_us": taken[1] * 1e6 / messages,
        "intake_server_cpu_us": taken[2] * 1e3 / messages,
        "intakes_a_second": messages / taken[0],
    }


def _size(server: PostgresServer, schema: str) -> tuple[int, int]:
    """Return how many rows a schema keeps, and how many bytes they take with their indexes."""
    kept = f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}' AND tablename <> 'relayed'"
    tables = [name for (name,) in server.run(kept)]
    counts = [server.run(f'SELECT count(*) FROM {schema}."{name}"')[0][0] for name in tables]
    sizes = [server.run(f"SELECT pg_total_relation_size('{schema}.\"{name}\"')")[0][0] for name in tables]
    return sum(counts), sum(sizes)


def passes(server: PostgresServer, schema: str, sessions: int) -> float:
    """Return how many commits pass the turnstile in a second, with so many at it at once and nothing else in them."""
    import psycopg

    server.run(f"CREATE TABLE IF NOT EXISTS {schema}.load (n bigint)")

    def lane(number: int) -> None:
        with psycopg.connect(server.url()) as raw:
            raw.execute(f"SET search_path = {schema}")
            raw.commit()
            for turn in range(PASSES // sessions):
                raw.execute("SELECT pass_turnstile(%s, %s, '', '', 0)", (f"o{number}", f"o{number} {turn}"))
                raw.execute("INSERT INTO load VALUES (1)")
                raw.commit()

    began = time.perf_counter()
    with ThreadPoolExecutor(sessions) as threads:
        list(threads.map(lane, range(sessions)))
    return PASSES / (time.perf_counter() - began)


async def on_server(server: PostgresServer, home: Path, messages: int, guilds: int) -> dict[str, float]:
    leases, store = await _worker(server, home, "guilds", "worker")
    empty = _size(server, "guilds")
    figures = await relayed(server, store, messages, guilds)
    rows, size = _size(server, "guilds")
    figures["rows_a_message"] = (rows - empty[0]) / messages
    figures["kib_a_message"] = (size - empty[1]) / 1024 / messages
    theirs = server_cpu(server)
    answered = await turns(store)
    figures |= {"turn_cpu_ms": answered["turn_cpu_ms"], "turns_a_second": answered["turns_per_s"]}
    figures["turn_server_cpu_ms"] = spent_by(server, theirs) / TURNS
    after = _size(server, "guilds")
    figures["rows_a_turn"] = (after[0] - rows) / TURNS
    figures["kib_a_turn"] = (after[1] - size) / 1024 / TURNS
    figures["connections_of_a_worker"] = server.run(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'glassmind'"
    )[0][0]
    await store.close()
    await leases.close()
    for sessions in SESSIONS:
        figures[f"turnstile_commits_a_second_by_{sessions}"] = passes(server, "guilds", sessions)
    return figures


def reckon(guilds: int, seen: dict[str, float], is_like: Assumed = ASSUMED) -> dict[str, float]:
    """Say what so many guilds come to, by what was seen and what is assumed."""
    average = guilds * is_like.messages_a_day / 86_400
    events, asked = average * is_like.peak, average * is_like.peak * is_like.for_the_bot
    commits = events / is_like.page * 2 + asked * is_like.commits_a_turn
    ceiling = seen[f"turnstile_commits_a_second_by_{SESSIONS[-1]}"]
    shards = math.ceil(guilds / is_like.guilds_a_shard)
    lanes = is_like.max_concurrency if guilds > 150_000 else 1
    # the 2 % that are asked of the bot are answered, the others stored
    work = events * seen["intake_cpu_us"] / 1e6 + asked * seen["turn_cpu_ms"] * BESIDE_STORE / 1e3
    channels = guilds * is_like.talking_channels
    workers = max(2, math.ceil(work / 0.6), math.ceil(channels / 10_000))
    daily = guilds * is_like.messages_a_day
    kib = daily * (seen["kib_a_message"] + is_like.for_the_bot * seen["kib_a_turn"])
    return {
        "events_a_second": events,
        "turns_a_second": asked,
        "gateway_mib": 70 + guilds * seen["kib_a_guild"] / 1024,
        "gateway_core_share": events * (seen["relay_cpu_us"] + FRAME_US) / 1e6,
        "gateway_start_cpu_s": guilds * seen["start_cpu_ms_a_guild"] / 1e3,
        "shards": shards,
        "identify_s": math.ceil(shards / lanes) * is_like.identify_seconds,
        "commits_a_second": commits,
        "turnstile_share": commits / ceiling,
        "server_core_share": (
            events * (seen["relay_server_cpu_us"] + seen["intake_server_cpu_us"]) / 1e6
            + asked * seen["turn_server_cpu_ms"] / 1e3
        ),
        "workers": workers,
        "workers_core_share": work,
        "workers_mib": workers * is_like.worker_mib + channels * is_like.worker_kib_a_channel / 1024,
        "connections": 7 * workers + 7,
        "gib_kept": kib * is_like.kept_days / 1024 / 1024,
    }


FRAME_US = 250.0
"""CPU of reading one message's frame, as `tests.bench.discord` measures it (message_cpu_us, with its row)."""
BESIDE_STORE = 3.0
"""The whole turn's CPU over that of its store (tests.bench.telegram: 11 ms)."""


async def measure(home: Path, guilds: int, messages: int) -> dict[str, Any]:
    seen: dict[str, float] = await in_memory(home, guilds)
    server = started(DURABLE)
    if isinstance(server, str):
        print(server, file=sys.stderr)
        return {"measured": seen}
    seen |= await on_server(server, home, messages, guilds)
    return {
        "measured": _rounded(seen),
        "load": load(),
        "assumed": ASSUMED._asdict(),
        "reckoned": {str(size): _rounded(reckon(size, seen)) for size in SIZES},
    }


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: float(f"{figure:.4g}") for name, figure in figures.items()}


def main(sizes: Sequence[str]) -> None:
    # as in a running bot
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    guilds, messages = map(int, sizes) if sizes else (GUILDS, MESSAGES)
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measure(Path(directory), guilds, messages)), indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
