"""Several bots on one database, each on a machine of its own: one is at work, and whoever ends is started again.

async with on_server("discord", directory, machines=3) as house:
    await house.start()  # all of them; returns when one is at work
    house.at_work  # its number; `house.lives[number]` is its process
    began = house.begun
    house.lives[house.at_work].signal(signal.SIGKILL)
    await house.takeover(began)  # until another one is at work; the seconds since it was called
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.runtime.tasks import TaskSupervisor
from tests.faults.processes.discord import DiscordHouse
from tests.faults.processes.discord import a_house as a_discord_house
from tests.faults.processes.house import PATIENCE, TOKEN, House, Restless
from tests.faults.processes.lives import Life, Start, Trap, the_nursery
from tests.faults.processes.telegram import TelegramHouse
from tests.faults.processes.telegram import a_house as a_telegram_house
from tests.servers.postgres import PostgresServer

SCHEMA = "machines"
STORE = """
[store]
url = "{url}"
schema_name = "machines"
"""
AGAIN_AFTER = 0.05
"""Seconds after which a process that ended is started again, as a service manager does it."""
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'glassmind'"


@dataclass
class ServedHouse(House):
    """A house whose store is on a server, and whose processes have directories of their own."""

    server: PostgresServer = None  # type: ignore[assignment]
    machines: int = 2
    roles: tuple[str, ...] = ()
    """What each machine does; where it is not said, all of it."""
    ahead: tuple[float, ...] = ()
    """By how many seconds the clock of each machine is wrong; where it is not said, all are right."""
    lives: dict[int, Life] = field(default_factory=dict)
    ends: list[tuple[int, int]] = field(default_factory=list)
    _supervisor: TaskSupervisor = field(default_factory=TaskSupervisor)
    _is_over: bool = False
    _one_birth: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def is_alive(self) -> bool:
        return not self._is_over or any(life.status is None for life in self.lives.values())

    @property
    def at_work(self) -> int:
        """Which of them has begun last."""
        newest = [event for event in self.log if event.get("event") == "started" and "data" in event][-1]
        return next(number for number in range(self.machines) if str(newest["data"]).startswith(str(self.home(number))))

    def home(self, number: int) -> Path:
        return self.directory / f"machine{number}"

    async def bear(self, trap: Trap | None = None, number: int = 0) -> Life:
        home = self.home(number)
        config = home / "config.toml"
        if not config.exists():
            (home / "data").mkdir(mode=0o700, parents=True)
            # all need the same, and it is copied before any of them begins
            (home / "data" / "secret.key").write_bytes(b"k" * 32)
            (home / "data" / "secret.key").chmod(0o600)
            config.write_text(self.config_text().replace(str(self.data), str(home / "data")), "utf-8")
        files = self.files()
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), TOKEN: self.token}
        try:
            async with self._one_birth:
                words = ("run", "--config", str(config), *self._role_of(number))
                ahead = self.ahead[number] if self.ahead else 0.0
                return await the_nursery().bear(Start(words, home, environment, files, trap, ahead))
        finally:
            for file in files:
                os.close(file)

    def _role_of(self, number: int) -> tuple[str, ...]:
        return ("--role", self.roles[number]) if self.roles else ()

    async def command(self, number: int, *words: str) -> tuple[str, float]:
        """Let the host of a machine run a command; return what it prints, and how many seconds that took."""
        home, lines, began = self.home(number), list[bytes](), time.monotonic()
        files = (os.open(os.devnull, os.O_RDWR), self.pipe(lines.append), self.pipe(self._hear_log))
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), TOKEN: self.token}
        order = Start((words[0], "--config", str(home / "config.toml"), *words[1:]), home, environment, files)
        async with self._one_birth:
            life = await the_nursery().bear(order)
        for file in files:
            os.close(file)
        await self.gone(life)
        self.read()
        return b"\n".join(lines).decode(), time.monotonic() - began

    async def start(self, *trap: Trap | None) -> None:
        begun = self.begun
        for number in range(self.machines):
            self.lives[number] = await self.bear(number=number)
            self._supervisor.spawn(f"machine {number}", self._keep(number))
        if self.roles:
            await self.until(lambda: self.begun >= begun + self.machines, "not all of them begin")
        else:
            await self.takeover(begun)

    async def _keep(self, number: int) -> None:
        while True:
            await self.lives[number].ended.wait()
            if self._is_over:
                return
            self.ends.append((number, self.lives[number].status or 0))
            await asyncio.sleep(AGAIN_AFTER)
            self.lives[number] = await self.bear(number=number)

    async def takeover(self, begun: int) -> float:
        """Wait until one more has begun than so many; return how many seconds that took."""
        began = time.monotonic()
        await self.until(lambda: self.begun > begun, "nobody takes over")
        return time.monotonic() - began

    async def gone(self, life: Life) -> int:
        """Wait until a process has ended; return its status."""
        try:
            async with asyncio.timeout(PATIENCE):
                await life.ended.wait()
        except TimeoutError:
            raise Restless(f"it does not end\n{self.told()}") from None
        return life.status or 0

    async def stop(self) -> int:
        """Ask all of them to end, those that stand by first; return the worst status."""
        await self.until(lambda: all(life.status is None for life in self.lives.values()), "one does not come again")
        self._is_over = True
        last = self.at_work
        for number in sorted(self.lives, key=lambda number: number == last):
            self.lives[number].signal(signal.SIGTERM)
            await self.gone(self.lives[number])
        self.read()
        await self._supervisor.close()
        return max(life.status or 0 for life in self.lives.values())

    async def close(self) -> None:
        self._is_over = True
        await self._supervisor.close()
        for life in self.lives.values():
            life.signal(signal.SIGKILL)
            await self.gone(life)
        await super().close()

    def let_leases_end(self) -> None:
        """Let so much time pass for the database that nobody's lease holds; who lives renews it."""
        self.server.run(f"UPDATE {SCHEMA}.lease_owner SET until = clock_timestamp()")

    def cut(self) -> None:
        """Cut every connection to the database."""
        self.server.run(_CUT)

    # what the store says

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self.server.run(f"SET search_path = {SCHEMA}", sql)

    def _is_at_rest(self) -> bool:
        from psycopg import Error

        try:
            # each chat of Telegram counts its messages anew, so another one's may hide that one was not taken up yet
            return super()._is_at_rest() and not self.rows("SELECT 1 FROM relayed LIMIT 1")
        except Error:
            return False  # there is no store yet, or it is away

    async def opened(self) -> Any:
        from adapters.postgres import open_readonly

        return await open_readonly(self.server.url(), self.home(0) / "data", schema=SCHEMA, signs=True)

    def is_whole(self) -> str:
        return "ok"  # of its files the server takes care


@dataclass
class ServedTelegram(ServedHouse, TelegramHouse):
    """Several processes on Telegram."""


@dataclass
class ServedDiscord(ServedHouse, DiscordHouse):
    """Several processes on Discord."""


@asynccontextmanager
async def on_server(
    platform: str, directory: Path, server: PostgresServer, machines: int, **changes: Any
) -> AsyncIterator[ServedHouse]:
    """Open a house with so many machines, on an empty database."""
    server.run(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    more = STORE.format(url=server.url())
    options = {"more": more, "server": server, "machines": machines, **changes}
    opening = (
        a_telegram_house(directory, kind=ServedTelegram, **options)
        if platform == "telegram"
        else a_discord_house(directory, kind=ServedDiscord, **options)
    )
    async with opening as house:
        try:
            yield house  # type: ignore[misc]
        finally:
            with suppress(OSError):
                shutil.rmtree(directory / "data", ignore_errors=True)
