"""Why a store on a server does not open, or does not write: one clear line each, and never a password in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.domain.health import KILLED, Heartbeat
from bot.errors import StoreError
from bot.ports.store import RetentionPolicy
from tests.adapters.postgres.opened import opened, settings_in
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock
from tests.servers.postgres import GUARDED, SCHEMA, PostgresServer, postgres_server

CANARY = "canary-p@ss/w0rd"
SIGN = Heartbeat(instance="a", pid=1, started_at=START, at=START, version="1")


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    server = postgres_server()
    server.run(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    yield server


@pytest.fixture
def guarded(server: PostgresServer) -> Iterator[str]:
    """A user with a password, who may have one connection; return the URL, in which the password stands."""
    server.run(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{CANARY}' CONNECTION LIMIT 1")
    yield f"postgresql://{GUARDED}:{quote(CANARY, safe='')}@/postgres?host={server.home}"
    server.run(f"DROP OWNED BY {GUARDED}", f"DROP ROLE {GUARDED}")


async def refused(directory: Path, url: str = "") -> str:
    with pytest.raises(StoreError) as caught:
        async with opened(directory, url):
            pass
    return str(caught.value)


async def test_a_wrong_password(guarded: str, server: PostgresServer, tmp_path: Path):
    said = await refused(tmp_path, guarded.replace("w0rd", "wrong"))
    assert said == (
        f"Wrong password or user for the database postgres at {server.home}. Correct store.url, or the file that it "
        "names as passfile."
    )


async def test_no_database_and_no_user(server: PostgresServer, tmp_path: Path):
    said = await refused(tmp_path, server.url("nowhere"))
    assert said.startswith(f"There is no database of this name: nowhere at {server.home}. Make it")
    said = await refused(tmp_path, server.url(user="nobody_here"))
    assert said.startswith("There is no such user on the server")
    said = await refused(tmp_path, f"postgresql://glassmind@/postgres?host={tmp_path}")
    assert said.startswith(f"The server of the database postgres at {tmp_path} does not answer: ")
    assert (await refused(tmp_path, "postgresql://a b/%%")).startswith("store.url cannot be read.")


async def test_too_few_connections(guarded: str, server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path):
        pass
    server.run(f"GRANT CREATE ON DATABASE postgres TO {GUARDED}", f"GRANT ALL ON SCHEMA {SCHEMA} TO {GUARDED}",
               f"GRANT ALL ON ALL TABLES IN SCHEMA {SCHEMA} TO {GUARDED}")  # fmt: skip
    said = await refused(tmp_path, guarded)
    assert said.startswith("The server has no connection left for the database postgres")
    assert "The bot needs 5" in said and CANARY not in said


async def test_rights_that_are_missing(guarded: str, server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path):
        pass
    server.run(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {GUARDED}")
    said = await refused(tmp_path, guarded)
    assert said.startswith("The role in store.url may not do this in the database postgres")
    assert "permission denied for table" in said


async def test_the_right_to_read_and_write_rows_is_enough(guarded: str, server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path):
        pass
    server.run(
        f"ALTER ROLE {GUARDED} CONNECTION LIMIT 9",
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO {GUARDED}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {GUARDED}",
    )
    async with opened(tmp_path, guarded) as store:
        await store.ledger.arrive([v.arrival()], None)
        forgets = RetentionPolicy(ambient_ms=1, messages_ms=1, requests_ms=1, records_ms=0, audit_ms=0, forgotten_ms=1)
        assert await store.sweep(forgets, START * 2) == {"message_text": 1}
        assert await store.verify() == []


async def test_a_newer_schema_is_left_alone(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path):
        pass
    server.run(f"INSERT INTO {SCHEMA}.schema_step (number, at) VALUES (99, 0)")
    try:
        assert "has schema 99, this program knows 4. Install the newer Glassmind" in await refused(tmp_path)
    finally:
        server.run(f"DELETE FROM {SCHEMA}.schema_step WHERE number = 99")


async def test_a_schema_of_another_program_is_left_alone(server: PostgresServer, tmp_path: Path):
    from adapters.postgres import create

    server.run("CREATE SCHEMA theirs", "CREATE TABLE theirs.orders (id int)")
    with pytest.raises(StoreError, match=r"holds tables of another program\. Name another one: store\.schema_name"):
        await create(settings_in(tmp_path)._replace(schema="theirs"))
    server.run("DROP SCHEMA theirs CASCADE")


async def test_who_may_only_read_is_told_so(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path):
        pass
    said = await refused(tmp_path, f"{server.url()}&options=-c%20default_transaction_read_only%3Don")
    assert said == f"The database postgres at {server.home} is a read-only replica. Name the primary in store.url."


async def test_one_process_at_a_time(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path / "one"):
        said = await refused(tmp_path / "two")
        assert said.startswith(f"The database postgres at {server.home} is in use by another process")
        assert "data directory" in await refused(tmp_path / "one")


async def test_another_key_is_not_taken(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path / "one"):
        pass
    assert (await refused(tmp_path / "two")).startswith(f"There is no secret.key in {tmp_path / 'two'}, and the")
    (tmp_path / "two" / "secret.key").write_bytes(b"x" * 32)
    assert "is not the key of the database" in await refused(tmp_path / "two")
    (tmp_path / "two" / "secret.key").write_bytes((tmp_path / "one" / "secret.key").read_bytes())
    async with opened(tmp_path / "two"):
        pass


async def test_a_full_disk_is_said_and_is_over_when_there_is_room(server: PostgresServer, tmp_path: Path):
    full = "BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left'; END"
    clock = FakeClock()
    async with opened(tmp_path, clock=clock) as store:
        assert store.has_room()
        server.run(f"CREATE FUNCTION {SCHEMA}.full_disk() RETURNS trigger LANGUAGE plpgsql AS $${full}$$")
        server.run(f"CREATE TRIGGER no_room BEFORE INSERT ON {SCHEMA}.inbound EXECUTE FUNCTION {SCHEMA}.full_disk()")
        with pytest.raises(StoreError, match=r"its disk is full. Nothing was stored. Free some space"):
            await store.ledger.arrive([v.arrival()], None)
        assert not store.has_room()
        clock.advance(3)
        assert store.has_room(), "one that has nothing else to store would never try again"
        with pytest.raises(StoreError, match="its disk is full"):
            await store.ledger.arrive([v.arrival()], None)
        assert not store.has_room()
        server.run(f"DROP FUNCTION {SCHEMA}.full_disk CASCADE")
        await store.beat(SIGN)
        assert store.has_room()
        assert await store.ledger.arrive([v.arrival()], None) != [None]


CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'glassmind'"


async def test_sessions_that_are_cut_while_nothing_happens_are_missed_by_nobody(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path) as store:
        (first,) = await store.ledger.arrive([v.arrival("one", "1")], None)
        server.run(CUT)
        assert len(await store.ledger.recent(v.KEY, 5)) == 1
        assert await store.ledger.arrive([v.arrival("two", "2")], None) == [first + 1]
        server.run(CUT)
        assert await store.ledger.arrive([v.arrival("two", "2")], None) == [None]
        server.run(CUT)
        assert await store.verify() == [], "a session that was cut is no damage"


async def test_a_session_that_is_cut_in_the_middle_stores_nothing_and_says_so(server: PostgresServer, tmp_path: Path):
    body = "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END"
    async with opened(tmp_path) as store:
        server.run(f"CREATE FUNCTION {SCHEMA}.cut() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")
        server.run(f"CREATE TRIGGER cut BEFORE INSERT ON {SCHEMA}.inbound FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.cut()")
        with pytest.raises(StoreError, match=r"is gone: .* The bot connects again by itself"):
            await store.ledger.arrive([v.arrival("one", "1")], None)
        server.run(f"DROP FUNCTION {SCHEMA}.cut CASCADE")
        assert await store.ledger.arrive([v.arrival("one", "1")], None) != [None]
        assert [stored.inbound.text for stored in await store.ledger.recent(v.KEY, 5)] == ["one"]


async def test_who_lost_the_lock_writes_nothing_before_it_has_it_again(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path / "one") as one:
        await one.ledger.arrive([v.arrival("one", "1")], None)
        settings = await one.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        (tmp_path / "two").mkdir(mode=0o700)
        (tmp_path / "two" / "secret.key").write_bytes((tmp_path / "one" / "secret.key").read_bytes())
        server.run(CUT)
        async with opened(tmp_path / "two") as two:
            (theirs,) = await two.ledger.arrive([v.arrival("two", "2")], None)
            await two.channels.meet(v.KEY, "#lounge", v.GUILD, v.settings())
            for _ in range(2):
                with pytest.raises(StoreError, match="is in use by another process"):
                    await one.ledger.arrive([v.arrival("three", "3")], None)
        (mine,) = await one.ledger.arrive([v.arrival("three", "3")], None)
        assert mine == theirs + 1
        again = await one.channels.meet(v.KEY, "#lounge", v.GUILD, v.settings())
        assert (settings.name, again.name) == ("#general", "#lounge")
        assert await one.verify() == []


async def test_who_changes_a_row_by_hand_is_noticed(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.beat(SIGN)
        await store.ledger.arrive([v.arrival()], None)
        assert await store.verify() == []
        server.run(f"UPDATE {SCHEMA}.inbound SET text = 'hallo'", f"UPDATE {SCHEMA}.heartbeat SET body = '{{}}'")
        assert [str(one) for one in await store.verify()] == ["inbound 1 (altered)", "heartbeat: rows altered: 1"]
        assert await store.heartbeat() is None


async def test_who_looks_sees_that_it_was_killed(server: PostgresServer, tmp_path: Path):
    from adapters.postgres import open_readonly

    async with opened(tmp_path) as store:
        await store.beat(SIGN)
        looking = await open_readonly(server.url(), tmp_path, FakeClock())
        assert (await looking.heartbeat()).exit_reason == ""
        with pytest.raises(StoreError, match="read-only"):
            await looking.beat(SIGN)
    assert (await looking.heartbeat()).exit_reason == KILLED
    await looking.close()


async def test_the_password_is_said_nowhere(guarded: str, server: PostgresServer, tmp_path: Path, capfd):
    server.run(f"ALTER ROLE {GUARDED} CONNECTION LIMIT 9", f"ALTER ROLE {GUARDED} SUPERUSER")
    from adapters.postgres.engine.connection import read_address

    async with opened(tmp_path, guarded) as store:
        said = [repr(await store.probe()), repr(store.address), str(store.address)]
        server.run(f"ALTER TABLE {SCHEMA}.outbox RENAME TO gone")
        with pytest.raises(StoreError) as caught:
            await store.backlog()
        server.run(f"ALTER TABLE {SCHEMA}.gone RENAME TO outbox")
        said += [str(caught.value), repr(caught.value.__cause__), repr(read_address(guarded, SCHEMA))]
    said.append(repr(settings_in(tmp_path, guarded)))
    shown = "".join((*said, *capfd.readouterr()))
    assert CANARY not in shown and quote(CANARY, safe="") not in shown


async def test_the_doctor_says_what_the_server_says(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path) as store:
        rows = {probe.name: probe for probe in await store.probe()}
    assert rows["store schema"].evidence == f"PostgreSQL: postgres at {server.home}, schema {SCHEMA}, version 4"
    assert rows["store server"].evidence.startswith("PostgreSQL 18") and rows["store server"].state == "warning"
    assert rows["store sessions"].state == "ok" and "connections in use" in rows["store sessions"].evidence
    assert rows["store replicas"].evidence == "no replica is connected"
    assert rows["store backup"].evidence == "the server archives nothing"
    assert rows["store cleaning"].fix.startswith("Switch autovacuum on")
