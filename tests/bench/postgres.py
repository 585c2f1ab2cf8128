"""Measure the store on a server beside the one in a file, fsync on: `python -m tests.bench.postgres` prints JSON.

Once more alone, by its lease, and then two that write at once, each with channels of its own, in this one process.
Beside them stands a floor: the driver alone stores as many rows of the same bytes in as many commits, in a table whose
only index is its key. `python -m tests.bench.postgres 300000` copies so many messages over and back. Times depend on
what else the machine does; the CPU of this process and the ratios do not, or less.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome, Settlement
from bot.domain.turn import AttemptRecord, TurnEnd, TurnStatus
from bot.ports.leases import WHOLE_BOT
from bot.ports.store import Store
from tests.bench.store import CALLERS, prose, record
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.inside.store import writer_of
from tests.servers.postgres import PostgresServer, started

INTAKES = 12_000
PAGE = 100
TURNS = 800
MIGRATED = 20_000
DURABLE = ("shared_buffers=128MB", "max_connections=40", "jit=off", "listen_addresses=", "max_wal_size=2GB")


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def in_pages(store: Store) -> dict[str, float]:
    """Messages come in pages, as a platform hands them in, from several channels at once."""
    arrivals = [
        v.arrival(prose(n, 12), str(n), channel=ChannelId(f"console:{n % CALLERS}"), verdicts=(v.passed(),))
        for n in range(INTAKES)
    ]
    pages = [arrivals[first : first + PAGE] for first in range(0, INTAKES, PAGE)]
    began, used = time.perf_counter(), cpu()

    async def lane(first: int) -> None:
        for page in pages[first::4]:
            await store.ledger.arrive(page, None)

    await asyncio.gather(*(lane(n) for n in range(4)))
    took, used = time.perf_counter() - began, cpu() - used
    return {"intakes_per_s": round(INTAKES / took), "intake_cpu_us": round(1e6 * used / INTAKES, 1)}


async def turns(*stores: Store) -> dict[str, float]:
    """Whole turns of sixteen channels: begun, recorded, answered, ended, settled; each channel is of one store."""

    async def turn(number: int) -> None:
        store = stores[number % 16 % len(stores)]
        key = ChannelKey(MAIN, ChannelId(f"console:t{number % 16}"))
        (row,) = await store.ledger.arrive([v.arrival(prose(number, 12), f"t{number}", channel=key.channel)], None)
        begun = await store.journal.begin_turn(v.turn_start(key, inbounds=(row,)), [])
        request = await store.journal.record_request(record(number, []).replace(turn=begun), [])
        answered = AttemptRecord(request=request, number=1, at=START, duration_ms=1, response=v.llm_response())
        await store.journal.record_attempt(answered)
        end = TurnEnd(turn=begun, agent=MAIN, channel=key.channel, at=START, status=TurnStatus.REPLIED)
        said = (v.message(prose(number, 20), inbound=row), v.said(prose(number, 30)))
        await store.journal.end_turn(end.replace(messages=said, outbox=(v.outgoing(),)))
        await store.ledger.settle([Settlement(inbound=row, at=START, outcome=Outcome.REPLIED)])

    async def channel(first: int) -> None:
        for number in range(first, TURNS, 16):
            await turn(number)

    began, used = time.perf_counter(), cpu()
    await asyncio.gather(*(channel(n) for n in range(16)))
    took, used = time.perf_counter() - began, cpu() - used
    return {"turns_per_s": round(TURNS / took), "turn_cpu_ms": round(1e3 * used / TURNS, 2)}


async def ends(store: Store) -> dict[str, float]:
    """The commit alone that ends a turn: what was said, the intent to send it, and its outcome."""
    waiting: list[list[TurnEnd]] = []
    for first in range(16):
        key = ChannelKey(MAIN, ChannelId(f"console:e{first}"))
        named = [v.arrival(prose(n, 12), f"e{first}.{n}", channel=key.channel) for n in range(TURNS // 16)]
        rows = [row for row in await store.ledger.arrive(named, None) if row]
        begun = [await store.journal.begin_turn(v.turn_start(key, inbounds=(row,)), []) for row in rows]
        lane = []
        for number, (row, turn) in enumerate(zip(rows, begun, strict=True)):
            end = TurnEnd(turn=turn, agent=MAIN, channel=key.channel, at=START, status=TurnStatus.REPLIED)
            said = (v.message(prose(number, 20), inbound=row), v.said(prose(number, 30)))
            settled = (Settlement(inbound=row, at=START, outcome=Outcome.REPLIED),)
            lane.append(end.replace(messages=said, outbox=(v.outgoing(),), settlements=settled))
        waiting.append(lane)

    async def channel(lane: list[TurnEnd]) -> None:
        for end in lane:
            await store.journal.end_turn(end)

    began, used = time.perf_counter(), cpu()
    await asyncio.gather(*map(channel, waiting))
    took, used = time.perf_counter() - began, cpu() - used
    count = sum(map(len, waiting))
    return {"turn_commits_per_s": round(count / took), "turn_commit_cpu_ms": round(1e3 * used / count, 2)}


async def sharing(server: PostgresServer, home: Path, many: int) -> dict[str, float]:
    """The same turns by processes that have leases: one that has the whole bot, or several that share its channels."""
    from adapters.postgres import LeaseSettings, PostgresSettings, create, open_leases

    schema, clock, opened = f"shared_by_{many}", FakeClock(), []
    for name in map(str, range(many)):
        place = home / schema / name
        if opened:
            place.mkdir(mode=0o700)
            (place / "secret.key").write_bytes((home / schema / "0" / "secret.key").read_bytes())
        leases = await open_leases(LeaseSettings(server.url(), schema, place, clock, FakeEntropy(name), name))
        await leases.renew()
        lease = await (leases.take(WHOLE_BOT) if many == 1 else leases.join())
        wanted = PostgresSettings(server.url(), place, clock, FakeEntropy(name), schema, lease=lease)
        opened.append((await create(wanted), leases))
    stores = [store for store, _ in opened]
    figures = await turns(*stores)
    commits = sum(writer_of(store).groups for store in stores)
    for store, leases in opened:
        await store.close()
        await leases.close()
    return {**figures, "commits": commits}


class Bytes(NamedTuple):
    """What a schema holds after a measurement, and in how many commits it came."""

    rows: int
    bytes: int
    commits: int


def held(server: PostgresServer, schema: str, store: Store) -> Bytes:
    tables = [name for (name,) in server.run(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")]
    sums = [
        server.run(f'SELECT count(*), coalesce(sum(pg_column_size(t)), 0) FROM {schema}."{t}" t')[0] for t in tables
    ]
    return Bytes(sum(one for one, _ in sums), int(sum(size for _, size in sums)), writer_of(store).groups)


def floor(server: PostgresServer, held: Bytes) -> dict[str, float]:
    """The driver alone: so many rows of so many bytes in so many commits."""
    import psycopg

    server.run("DROP TABLE IF EXISTS floor", "CREATE TABLE floor (id bigint PRIMARY KEY, body bytea NOT NULL)")
    body, share = b"x" * (held.bytes // held.rows), -(-held.rows // held.commits)
    with psycopg.connect(server.url()) as raw, raw.cursor() as cursor:
        began, used = time.perf_counter(), cpu()
        for first in range(0, held.rows, share):
            rows = [(number, body) for number in range(first, min(first + share, held.rows))]
            cursor.executemany("INSERT INTO floor VALUES (%s, %s)", rows)
            raw.commit()
        return {"floor_s": round(time.perf_counter() - began, 3), "floor_cpu_s": round(cpu() - used, 3)}


async def migrated(server: PostgresServer, home: Path, many: int) -> dict[str, float]:
    """Copy so many messages over and back, every row compared."""
    from adapters.postgres import copy_to_file, copy_to_server
    from adapters.sqlite import StoreSettings, create

    store = await create(StoreSettings(home / "many", FakeClock(), FakeEntropy(), ballast=0))
    for first in range(0, many, 500):
        page = [
            v.arrival(prose(n, 12), str(n), channel=ChannelId(f"console:{n % 50}")) for n in range(first, first + 500)
        ]
        await store.ledger.arrive(page, None)
    await store.close()
    began, used = time.perf_counter(), cpu()
    over = copy_to_server(home / "many", server.url(), "moved", FakeClock())
    there, there_cpu = time.perf_counter() - began, cpu() - used
    began, used = time.perf_counter(), cpu()
    copy_to_file(server.url(), "moved", home / "many", home / "back")
    figures = {"migrated_rows": over.rows, "over_s": round(there, 1), "over_cpu_s": round(there_cpu, 1)}
    return {**figures, "back_s": round(time.perf_counter() - began, 1), "back_cpu_s": round(cpu() - used, 1)}


async def main(many: int) -> None:
    from adapters.postgres import PostgresSettings
    from adapters.postgres import create as on_server
    from adapters.sqlite import StoreSettings
    from adapters.sqlite import create as in_file

    server = started(DURABLE)
    if isinstance(server, str):
        print(server, file=sys.stderr)
        print("{}")
        return
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as directory:
        home, clock = Path(directory), FakeClock()
        for what in (in_pages, turns, ends):
            for kind in ("file", "server"):
                place = home / f"{kind}-{what.__name__}"
                if kind == "file":
                    store: Store = await in_file(StoreSettings(place, clock, FakeEntropy(), ballast=0))
                else:
                    wanted = PostgresSettings(server.url(), place, clock, FakeEntropy(), what.__name__)
                    store = await on_server(wanted)
                figures |= {f"{kind}_{name}": figure for name, figure in (await what(store)).items()}
                if kind == "server":
                    there = held(server, what.__name__, store)
                    figures |= {f"{what.__name__}_{name}": figure for name, figure in floor(server, there).items()}
                    figures |= {f"{what.__name__}_{name}": figure for name, figure in there._asdict().items()}
                await store.close()
        for writers, name in ((1, "leased"), (2, "two_writers")):
            shared = await sharing(server, home, writers)
            figures |= {f"{name}_{one}": figure for one, figure in shared.items()}
        figures["turn_cpu_ratio"] = round(figures["server_turn_cpu_ms"] / figures["file_turn_cpu_ms"], 2)
        if many:
            figures |= await migrated(server, home, many)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else MIGRATED))
