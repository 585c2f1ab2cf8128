"""Processes that share one bot on a PostgreSQL server, each as `glassmind run --role` runs it; the world is here."""

from __future__ import annotations

import asyncio
import os
import subprocess  # noqa: TID251 - each role gets a process of its own, as it has wherever it runs
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.runtime.tasks import TaskSupervisor
from tests.bench._chats import FIRST_PERSON, cpu_ms
from tests.bench._http import Connection
from tests.bench._loopback import TOKEN, Loopback
from tests.bench.floor import HERE, environment
from tests.servers.postgres import PostgresServer

OWNER = 9_000
SCHEMA = "shared"
CONFIG = """
[bot]
data_dir = "{data}"
log_level = "warning"
[store]
url = "{store}"
schema_name = "shared"
[model]
name = "bench/bench"
context_window = 400000
max_output_tokens = 4096
[providers.bench]
kind = "openai"
base_url = "{url}/v1"
api_key = "sk-0123456789abcdef0123"
[platforms.telegram]
token = "{token}"
base_url = "{url}/bot"
owner_ids = [{owner}]
[conversation]
streaming = false
debounce = 0
[limits]
user_per_minute = 0
channel_per_minute = 0
loop_guard_messages = 0
[cortex]
per_minute = 10000
"""
PATIENCE = 180.0
_HELD = """
    SELECT process, json_agg(lease.name)::text FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE lease.name LIKE 'channel:%' AND until > clock_timestamp() AND NOT ended GROUP BY process"""
_LIVING = "SELECT count(*) FROM lease_owner WHERE until > clock_timestamp() AND NOT ended"


@dataclass
class Machines:
    """One gateway and some workers. `workers` are the living ones, by their process id."""

    server: PostgresServer
    home: Path
    loopback: Loopback
    port: int
    gateway: subprocess.Popen[bytes] | None = None
    workers: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    _born: int = 0

    @property
    def pids(self) -> list[int]:
        return [*([self.gateway.pid] if self.gateway is not None else []), *self.workers]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.server.run(f"SET search_path = {SCHEMA}", sql)

    async def held(self) -> dict[int, list[str]]:
        """Return which channels each living worker has, by its process id."""
        import orjson

        found = await asyncio.to_thread(self.rows, _HELD)
        return {int(process.split()[1]): orjson.loads(names) for process, names in found}

    async def start(self, workers: int) -> None:
        """Start all of them; return when they live."""
        self.gateway = self.bear("gateway")
        for _ in range(workers):
            self.begin_worker()
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self._are_there(workers + 1):
                    await asyncio.to_thread(time.sleep, 0.1)
                await self.loopback.platform.polled.wait()
        except TimeoutError:
            raise SystemExit(f"they do not start: {self.said()}") from None

    async def _are_there(self, many: int) -> bool:
        from psycopg import Error

        try:
            return bool((await asyncio.to_thread(self.rows, _LIVING))[0][0] >= many)
        except Error:
            return False  # there is no schema yet

    def begin_worker(self) -> None:
        worker = self.bear("worker")
        self.workers[worker.pid] = worker

    def bear(self, role: str) -> subprocess.Popen[bytes]:
        self._born += 1
        home = self.home / f"{role}{self._born}"
        data = home / "data"
        data.mkdir(mode=0o700, parents=True)
        # all need the same, and it is copied before any of them begins
        (data / "secret.key").write_bytes(b"k" * 32)
        (data / "secret.key").chmod(0o600)
        text = CONFIG.format(
            data=data,
            store=self.server.url(),
            url=f"http://127.0.0.1:{self.port}",
            token=TOKEN,
            owner=FIRST_PERSON + OWNER,
        )
        path = home / "config.toml"
        path.write_text(text, "utf-8")
        path.chmod(0o600)
        command = [sys.executable, "-m", "bot", "run", "--config", str(path), "--role", role]
        with (home / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=HERE, env=environment(), stdout=log, stderr=log)

    def end(self, pid: int) -> None:
        """Kill a worker, whatever it does."""
        worker = self.workers.pop(pid)
        worker.kill()
        worker.wait()

    def replace_ended(self) -> int:
        """Start anew what has ended by itself, as a service manager does; return how many."""
        ended = [pid for pid, worker in self.workers.items() if worker.poll() is not None]
        for pid in ended:
            del self.workers[pid]
            self.begin_worker()
            print(f"worker {pid} has ended: {self.said()}", file=sys.stderr)
        return len(ended)

    def said(self) -> str:
        """Return the last words of each process."""
        return "\n".join(log.read_text("utf-8")[-600:] for log in sorted(self.home.glob("*/log")))

    def close(self) -> None:
        for process in (*self.workers.values(), *([self.gateway] if self.gateway is not None else [])):
            process.kill()
            process.wait()


@asynccontextmanager
async def a_loopback_here() -> AsyncIterator[tuple[Loopback, int]]:
    """Serve the Bot API and the model from this loop, so that whoever writes and kills sees every answer."""
    loopback, tasks = Loopback(), TaskSupervisor()
    loopback.model.delay = 0.0
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(loopback.handle, tasks), "127.0.0.1", 0, backlog=1024)
    try:
        yield loopback, int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await tasks.close()


@asynccontextmanager
async def machines(server: PostgresServer, home: Path, workers: int) -> AsyncIterator[Machines]:
    """Run a gateway and so many workers."""
    async with a_loopback_here() as (loopback, port):
        shared = Machines(server, home, loopback, port)
        try:
            await shared.start(workers)
            yield shared
        finally:
            shared.close()


def pss_mib(pid: int) -> float:
    """Return the memory of a process in which what it shares with others counts for its part; 0 where it has ended."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(rollup.partition("\nPss:")[2].split()[0]) / 1024


def server_pids(server: PostgresServer) -> list[int]:
    """Return the server's processes: the first one, and all that it began."""
    first = int((server.home / "data" / "postmaster.pid").read_text(encoding="ascii").split("\n")[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
    return [first, *map(int, children)]


def server_cpu(server: PostgresServer) -> dict[int, float]:
    """Return the CPU time of each of the server's processes, in milliseconds."""
    found: dict[int, float] = {}
    for pid in server_pids(server):
        with suppress(OSError):  # some end by themselves
            found[pid] = cpu_ms(pid)
    return found


def spent_by(server: PostgresServer, since: dict[int, float]) -> float:
    """Return how many milliseconds of CPU the server took since; what ended meanwhile is not counted."""
    return sum(used - since.get(pid, 0.0) for pid, used in server_cpu(server).items())


def load() -> float:
    return round(os.getloadavg()[0], 2)
