"""Sessions that are cut, at every message of the protocol and at the answer of a commit, lose and double nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome, Settlement
from bot.errors import StoreError
from tests.adapters.postgres.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA, PostgresServer, postgres_server
from tests.servers.postgres_proxy import CutsCommit, Passed, PostgresProxy, a_proxy

CANARY = "canary-pass"
KEY = ChannelKey(MAIN, ChannelId("console:cut"))


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    server = postgres_server()
    server.run(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    yield server


@pytest.fixture
async def proxy(server: PostgresServer) -> AsyncIterator[PostgresProxy]:
    async with a_proxy(server) as proxy:
        yield proxy


async def arrives(store, number: int) -> int:
    """A message comes; one commit."""
    (row,) = await store.ledger.arrive([v.arrival(f"line {number}", f"m{number}", channel=KEY.channel)], None)
    assert row is not None, "it was stored before: twice"
    return row


async def says(store, number: int) -> None:
    """A message comes, and is settled; two commits."""
    row = await arrives(store, number)
    await store.ledger.settle([Settlement(inbound=row, at=START, outcome=Outcome.REPLIED)])


async def all_lines(store) -> list[str]:
    return [stored.inbound.text for stored in reversed(await store.ledger.recent(KEY, 500))]


class CutsOnce:
    """Cuts at the message of a number, counted from now, or at the first that is of a kind."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, _: Passed) -> bool:
        self.left -= 1
        return self.left == 0


async def test_a_cut_at_any_message_loses_and_doubles_nothing(proxy: PostgresProxy, tmp_path: Path):
    async with opened(tmp_path, proxy.url) as store:
        await says(store, 0)
        number = 0
        while proxy.cuts == number:
            number += 1
            proxy.cut = CutsOnce(number)
            await arrives(store, number)
        assert number > 20
        print("CUTS", number)
        assert await all_lines(store) == [f"line {one}" for one in range(number + 1)]
        assert await store.verify() == []


@pytest.mark.parametrize("keeps_server", [False, True])
async def test_a_commit_whose_answer_is_lost_is_known_by_its_number(
    proxy: PostgresProxy, tmp_path: Path, keeps_server: bool
):
    proxy.keeps_server = keeps_server
    async with opened(tmp_path, proxy.url) as store:
        with structlog.testing.capture_logs() as logs:
            for number in range(3):
                cuts = proxy.cuts
                proxy.cut = lambda passed, cuts=cuts: proxy.cuts == cuts and passed.says_committed
                await says(store, number)
        assert [line["became"] for line in logs if line["event"] == "commit_without_answer"] == ["committed"] * 3
        assert await all_lines(store) == [f"line {number}" for number in range(3)]
        rows = {probe.name: probe for probe in await store.probe()}
        assert rows["store connection"].evidence.startswith("lost 3 times since the start")


async def test_a_commit_that_did_not_arrive_is_done_again(proxy: PostgresProxy, tmp_path: Path):
    proxy.cut = cut = CutsCommit()
    async with opened(tmp_path, proxy.url) as store:
        await says(store, 0)
        cut.is_armed = True
        with structlog.testing.capture_logs() as logs:
            await says(store, 1)
        assert [line["became"] for line in logs if line["event"] == "commit_without_answer"] == ["aborted"]
        assert await all_lines(store) == ["line 0", "line 1"]


async def test_what_nobody_knows_any_more_is_said_as_it_is(proxy: PostgresProxy, tmp_path: Path):
    async with opened(tmp_path, proxy.url) as store:
        await says(store, 0)
        store.outages.patience = 0
        # whoever is asked what became of it does not answer either
        proxy.cut = lambda passed: proxy.cuts > 0 or passed.says_committed
        with pytest.raises(StoreError, match="answer to a commit was lost, and nobody can say whether it was stored"):
            await says(store, 1)
        proxy.cut = lambda _: False
        assert await all_lines(store) == ["line 0", "line 1"]


async def another_says(directory: Path, number: int) -> None:
    """Let another program write, as soon as the server has noticed that the session before it was cut."""
    while True:
        try:
            async with opened(directory) as other:
                await says(other, number)
                return
        except StoreError as error:
            if "in use by another process" not in str(error):
                raise
            await asyncio.sleep(0.01)


async def test_what_another_program_has_written_since_hides_nothing_of_a_commit_but_its_loss_does(
    server: PostgresServer, proxy: PostgresProxy, tmp_path: Path
):
    async with opened(tmp_path / "one", proxy.url) as store:
        await says(store, 0)
        (tmp_path / "two").mkdir(mode=0o700)
        (tmp_path / "two" / "secret.key").write_bytes((tmp_path / "one" / "secret.key").read_bytes())
        for number, lost in ((1, False), (3, True)):
            cuts = proxy.cuts
            proxy.cut = lambda passed, cuts=cuts: proxy.cuts > cuts or passed.says_committed
            asked = asyncio.gather(arrives(store, number), return_exceptions=True)
            while proxy.cuts == cuts:  # noqa: ASYNC110 - a thread waits for the server
                await asyncio.sleep(0.001)
            await another_says(tmp_path / "two", number + 1)
            if lost:
                server.run(f"DELETE FROM {SCHEMA}.turnstile", f"DELETE FROM {SCHEMA}.commit_mark")
            proxy.cut = lambda _: False
            (became,) = await asked
            if lost:
                assert isinstance(became, StoreError) and "what was committed before it is not known" in str(became)
            else:
                assert became == 2
        assert await all_lines(store) == [f"line {number}" for number in range(5)]


async def test_a_server_that_is_slow_is_said_and_one_that_never_answers_counts_as_gone(
    proxy: PostgresProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from adapters.postgres.engine import pipeline

    monkeypatch.setattr(pipeline, "SLOW_SECONDS", 0.02)
    monkeypatch.setattr(pipeline, "ANSWER_SECONDS", 0.1)
    proxy.freezes = True
    async with opened(tmp_path, proxy.url) as store:
        await says(store, 0)
        proxy.cut = lambda passed: proxy.cuts == 0 and passed.says_committed
        with structlog.testing.capture_logs() as logs:
            await says(store, 1)
        assert [line["event"] for line in logs] == ["database_slow", "commit_without_answer"]
        assert await all_lines(store) == ["line 0", "line 1"]


async def test_a_server_that_is_away_for_a_moment_is_waited_for_and_said(proxy: PostgresProxy, tmp_path: Path):
    async with opened(tmp_path, f"{proxy.url}&password={CANARY}") as store:
        await says(store, 0)
        await proxy.go_away()
        with structlog.testing.capture_logs() as logs:
            said = asyncio.gather(*(says(store, number) for number in (1, 2, 3)))
            looking = asyncio.gather(store.ledger.recent(KEY, 5))
            while not logs:  # noqa: ASYNC110 - a thread waits for the server
                await asyncio.sleep(0.001)
            (probe,) = await store.probe()
            await proxy.come()
            await said
            await looking
        assert (probe.name, probe.state) == ("store connection", "failed")
        assert CANARY not in repr((probe, logs))
        assert "does not answer" in probe.evidence and "continues by itself" in probe.fix
        assert [line["event"] for line in logs] == ["database_away", "database_back"]
        assert sorted(await all_lines(store)) == [f"line {number}" for number in range(4)]


async def test_a_pooler_that_ends_each_session_at_its_first_statement_has_no_server_and_is_waited_for(
    server: PostgresServer, proxy: PostgresProxy, tmp_path: Path
):
    async with opened(tmp_path, proxy.url) as store:
        await says(store, 0)
        cuts = proxy.cuts
        proxy.cut = lambda passed: b"pg_backend_pid" in passed.body and proxy.cuts < cuts + 2
        server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'glassmind'")
        with structlog.testing.capture_logs() as logs:
            await says(store, 1)
        assert [line["event"] for line in logs] == ["database_away", "database_back"]
        assert await all_lines(store) == ["line 0", "line 1"]


async def test_one_that_stays_away_is_an_error_and_closing_does_not_wait(proxy: PostgresProxy, tmp_path: Path):
    async with opened(tmp_path, proxy.url) as store:
        await says(store, 0)
        await proxy.go_away()
        waits = asyncio.gather(says(store, 1), return_exceptions=True)
        while not store.outages.is_away:  # noqa: ASYNC110 - a thread waits for the server
            await asyncio.sleep(0.001)
        await store.close()
        (error,) = await waits
        assert isinstance(error, StoreError) and "does not answer" in str(error)
        await proxy.come()
