"""A bot that lived in a file moves to a server and comes back; what it knows, was told and had signed comes along."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import orjson
import pytest

from adapters.sqlite import verify_directory
from bot.cli.main import run
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.memory import MemoryReach
from bot.errors import StoreError
from tests.dialogs.bot import a_bot
from tests.dialogs.stores import ON_SERVER
from tests.fakes.clock import FakeClock
from tests.servers.postgres import SCHEMA, PostgresServer, postgres_server

pytestmark = pytest.mark.skipif(ON_SERVER, reason="begins in a file")
KEY = ChannelKey(MAIN, ChannelId("console:#general"))
REACH = MemoryReach(agent=MAIN, channel=KEY.channel)


@pytest.fixture
def server() -> PostgresServer:
    server = postgres_server()
    server.run(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    return server


async def a_life(data: Path) -> None:
    """People talk, something is remembered, a place moves, somebody looks inside."""
    async with a_bot(data) as bot:
        await bot.says("ann", "glassmind: remember that the cellar key hangs behind the door")
        await bot.says("james", "nobody is addressed here")
        await bot.says("bo", "glassmind: what about Crème brûlée?")
        await bot.says("root", "!cortex why")
        await bot.says("root", "!cortex pause here for lunch")
        await bot.says("root", "!cortex resume here")
        await bot.restart()
        await bot.says("ann", "glassmind: and the attic?")
        found = await bot.store.history.search(KEY, "cellar", 5)
        assert found


def config_of(home: Path, data: Path, url: str = "") -> Path:
    path = home / "config.toml"
    path.write_text(f'[bot]\ndata_dir = "{data}"\n' + (f'[store]\nurl = "{url}"\n' if url else ""))
    path.chmod(0o600)
    return path


def told(capsys: pytest.CaptureFixture[str]) -> dict:
    return orjson.loads(capsys.readouterr().out)


def rows_of(data: Path) -> dict[str, list[tuple]]:
    """Everything that is stored, but for the seals that each kind of database makes of what there is one of."""
    with sqlite3.connect(data / "glassmind.db") as raw:
        tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = [name for name in tables if "_fts" not in name and name != "sqlite_sequence"]
        found = {name: raw.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in kept}
    return found | {"words": raw.execute("SELECT rowid, text FROM memory_fts ORDER BY rowid").fetchall()}


async def test_over_and_back(server: PostgresServer, tmp_path: Path, capsys, monkeypatch):
    from adapters.postgres import open_readonly

    data, back = tmp_path / "data", tmp_path / "back"
    await a_life(data)
    before = rows_of(data)
    monkeypatch.setenv("THE_SERVER", server.url())
    path = config_of(tmp_path, data)
    capsys.readouterr()
    assert await _run("migrate", "--config", str(path), "--to", "env:THE_SERVER", "--json") == 0
    over = told(capsys)
    assert over["rows"] == sum(len(rows) for name, rows in before.items() if name != "words")
    assert over["to"] == f"postgres at {server.home}"

    looking = await open_readonly(server.url(), data, FakeClock(), signs=True)
    assert await looking.verify() == []
    assert [text for _, _, text, _ in await looking.history.search(KEY, "CREME", 5)] == [
        text for _, _, text, _ in await looking.history.search(KEY, "crème brulee", 5)
    ]
    await looking.close()

    path = config_of(tmp_path, data, "env:THE_SERVER")
    assert await _run("verify", "--config", str(path)) == 0
    assert capsys.readouterr().out.startswith("✓ Nothing was changed or damaged.")
    assert await _run("migrate", "--config", str(path), "--to", str(back)) == 0
    assert f"compared every one.\nThe word search there has {over['words']} new entries." in capsys.readouterr().out
    assert rows_of(back) == before
    assert (await verify_directory(back)).damage == ()
    async with a_bot(back) as bot:
        assert await bot.says("bo", "glassmind: still there?", "#attic")


async def test_what_was_altered_is_not_carried_over(server: PostgresServer, tmp_path: Path, capsys):
    from adapters.postgres import copy_to_server

    data = tmp_path / "data"
    await a_life(data)
    with sqlite3.connect(data / "glassmind.db") as raw:
        raw.execute("UPDATE inbound SET text = 'something else' WHERE id = 1")
    with pytest.raises(StoreError, match=r"not everything there is what was written: inbound 1 \(altered\)"):
        copy_to_server(data, server.url(), SCHEMA, FakeClock())
    assert server.run(f"SELECT count(*) FROM pg_tables WHERE schemaname = '{SCHEMA}'") == [(0,)]


async def test_a_schema_that_holds_a_store_is_left_alone(server: PostgresServer, tmp_path: Path):
    from adapters.postgres import copy_to_file, copy_to_server

    data = tmp_path / "data"
    await a_life(data)
    copy_to_server(data, server.url(), SCHEMA, FakeClock())
    with pytest.raises(StoreError, match=r"holds a store already\. Name another one"):
        copy_to_server(data, server.url(), SCHEMA, FakeClock())
    with pytest.raises(StoreError, match=r"There is a database in .*\. Name another directory"):
        copy_to_file(server.url(), SCHEMA, data, data)


async def test_a_row_that_does_not_arrive_as_it_was_stops_it(server: PostgresServer, tmp_path: Path):
    from adapters.postgres import PostgresSettings, copy_to_server, create
    from tests.fakes.clock import FakeEntropy

    data, other = tmp_path / "data", tmp_path / "other"
    await a_life(data)
    store = await create(PostgresSettings(server.url(), other, FakeClock(), FakeEntropy(), SCHEMA))
    await store.close()
    body = "BEGIN NEW.reason := 'another'; RETURN NEW; END"
    server.run(
        f"DELETE FROM {SCHEMA}.meta",
        f"CREATE FUNCTION {SCHEMA}.other() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        f"CREATE TRIGGER other BEFORE INSERT ON {SCHEMA}.turn FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.other()",
    )
    with pytest.raises(StoreError, match=r"Nothing was copied: turn \(1,\) did not arrive as it was"):
        copy_to_server(data, server.url(), SCHEMA, FakeClock())
    assert server.run(f"SELECT count(*) FROM {SCHEMA}.inbound") == [(0,)]
    # the server is all tests', and keeps its tables
    server.run(f"DROP FUNCTION {SCHEMA}.other() CASCADE")


async def _run(*words: str) -> int:
    return await asyncio.to_thread(run, list(words))
