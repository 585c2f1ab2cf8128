"""Who only looks reads from a replica: the page, the numbers, an editor's questions and the host's commands."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from bot.app.adapters import looking_edges, machine, open_leases, with_shows
from bot.app.lease_keeper import ProcessRole
from bot.app.looker_process import LookerProcess
from bot.cli.host_queries import HostAnswer
from bot.cli.main import run
from bot.cli.mcp import InspectorEndpoint
from bot.config import LoadedConfig, load_config
from bot.errors import StoreError
from bot.ports.leases import Leases
from bot.runtime.tasks import TaskSupervisor
from tests.dialogs import stores
from tests.dialogs.bot import a_bot
from tests.servers.postgres import USER, PostgresServer, reason_for_none
from tests.servers.replication import ReplicatedServer, replicated_server

pytestmark = pytest.mark.skipif(bool(reason_for_none()), reason=reason_for_none())
CONFIG = """
[bot]
data_dir = "{data}"
[store]
url = "postgresql://{user}@/postgres?host={replica}"
schema_name = "bot0"
[platforms.console]
owner_ids = [1]
"""
SHOWS = """
[web_page]
enabled = true
port = {page}
[metrics]
listen = "127.0.0.1:{numbers}"
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def configured(home, server: ReplicatedServer, shows: str = "") -> LoadedConfig:
    """The configuration of a machine that knows the replica alone, and has a copy of the key."""
    data = home / "elsewhere"
    if not data.exists():
        data.mkdir(mode=0o700)
        shutil.copy2(home / "data" / "secret.key", data)
    path = home / "config.toml"
    path.write_text(CONFIG.format(data=data, user=USER, replica=server.replica) + shows)
    path.chmod(0o600)
    return load_config(path, {})


async def shown(port: int, path: str, until: Callable[[str], bool] = bool) -> str:
    """Return what stands at an address, once it is there."""
    async with aiohttp.ClientSession() as browser:
        while True:
            try:
                async with browser.get(f"http://127.0.0.1:{port}{path}") as found:
                    text = await found.text()
                    if until(text):
                        return text
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.01)


async def page_of(port: int, link: str, path: str) -> str:
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"Origin": f"http://127.0.0.1:{port}"}
    ) as browser:
        async with browser.post(f"http://127.0.0.1:{port}/enter", data={"token": link.rpartition("/")[2]}) as found:
            assert found.status == 200, await found.text()
        async with browser.get(f"http://127.0.0.1:{port}{path}") as found:
            return await found.text()


async def test_everything_that_only_looks_is_answered_from_a_replica(tmp_path, monkeypatch, capsys):
    with replicated_server() as server:
        monkeypatch.setattr(stores, "ON_SERVER", True)
        monkeypatch.setattr(stores, "SEVERAL", False)
        monkeypatch.setattr(stores, "postgres_server", lambda: server)
        async with a_bot(tmp_path / "data") as bot:
            await bot.says("ann", "@glassmind say good morning")
            await replayed(server)
            await looks(tmp_path, server, capsys)


async def replayed(server: ReplicatedServer) -> None:
    """Wait until the replica shows what the primary has confirmed."""
    (at,) = server.run("SELECT pg_current_wal_lsn()::text")[0]
    replica = PostgresServer(server.replica)
    has_it = f"SELECT pg_last_wal_replay_lsn() >= '{at}'::pg_lsn"
    while not replica.run(has_it)[0][0]:  # noqa: ASYNC110 - of another server nobody is told
        await asyncio.sleep(0.01)


async def looks(home, server: ReplicatedServer, capsys) -> None:
    page, numbers = free_port(), free_port()
    loaded = configured(home, server, SHOWS.format(page=page, numbers=numbers))

    async def command(*words: str) -> str:
        await asyncio.to_thread(run, [words[0], "--config", str(loaded.path), *words[1:]])
        return capsys.readouterr().out

    assert "answered" in await command("ledger", "#general")
    assert "The bot is not running" in await command("why", "#general")

    desk = InspectorEndpoint(loaded, no_doctor)
    read = await desk.ask("read_context", {"channel": "#general", "part": "history"})
    assert not read.failed and "good morning" in read.text

    async with looking_edges(loaded, machine(), signs=True) as edges:
        tasks, stop, named = TaskSupervisor(), asyncio.Event(), list[str]()
        looker = LookerProcess(with_shows(edges, loaded), loaded, refused_by(loaded, named))
        tasks.spawn("looker", looker.run(stop))
        assert "glassmind" in await shown(numbers, "/metrics")
        assert re.search(r"ok|ready", await shown(numbers, "/readyz"))
        await shown(page, "/")
        link = (await command("web", "--link")).strip()
        assert "good morning" in await page_of(page, link, "/channel.json?of=main/console:%23general")
        assert named and "read-only replica" in named[0]
        probes = {probe.name: probe.evidence for probe in await edges.store.probe()}
        assert probes["store replicas"].startswith("this is a replica")
        stop.set()
        await tasks.idle()


def refused_by(loaded: LoadedConfig, named: list[str]) -> Callable[[], Awaitable[Leases]]:
    async def open_them() -> Leases:
        try:
            return await open_leases(loaded, machine(), ProcessRole.LOOKER)
        except StoreError as error:
            named.append(str(error))
            raise

    return open_them


async def no_doctor(_: object) -> HostAnswer:
    return HostAnswer("", {})
