"""A process is overtaken while it begins, or finds no server: whoever looks after it may start it again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.cli.main import run
from tests.servers.postgres import SCHEMA, postgres_server

OVERTAKEN = f"""
    CREATE FUNCTION {SCHEMA}.overtake() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN UPDATE {SCHEMA}.lease SET epoch = epoch + 1, owner = 'another'; RETURN NULL; END $$;
    CREATE TRIGGER overtake AFTER INSERT OR UPDATE ON {SCHEMA}.lease FOR EACH ROW WHEN (pg_trigger_depth() = 0)
      EXECUTE FUNCTION {SCHEMA}.overtake()"""


def configured(home: Path, url: str) -> Path:
    config = home / "config.toml"
    config.write_text(f'[bot]\ndata_dir = "{home / "data"}"\n[store]\nurl = "{url}"\n')
    return config


def test_who_finds_no_server_may_be_started_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    before = os.umask(0o077)
    try:
        assert run(["run", "--config", str(configured(tmp_path, f"postgresql://bot@/talk?host={tmp_path}"))]) == 1
    finally:
        os.umask(before)
    assert "does not answer" in capsys.readouterr().err


def test_who_is_overtaken_while_it_begins_may_be_started_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    server = postgres_server()
    config = configured(tmp_path, server.emptied())
    from adapters.postgres.engine.connection import PostgresConnection, read_address
    from adapters.postgres.engine.migrate import bring_up

    connection = PostgresConnection(read_address(server.url(), SCHEMA))
    bring_up(connection, 0)
    connection.close()
    server.run(OVERTAKEN)
    # a program of its own keeps its files to itself; other tests' servers are other users
    before = os.umask(0o077)
    try:
        # not the status of what somebody has to correct first
        assert run(["run", "--config", str(config)]) == 1
    finally:
        os.umask(before)
        server.run(f"DROP FUNCTION {SCHEMA}.overtake() CASCADE")
    assert "Another process has taken over" in capsys.readouterr().err
