"""A slice of the contract through pgbouncer in transaction mode, where nothing may be kept in a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import LeaseLost, StoreError
from tests.adapters.postgres.opened import opened
from tests.contracts import test_store as contract
from tests.fakes import values as v
from tests.servers.pgbouncer import pooled_url
from tests.servers.postgres import postgres_server

test_intake = contract.test_what_arrives_several_times_at_once_is_stored_once
test_cursor = contract.test_a_cursor_does_not_move_when_its_batch_fails
test_order = contract.test_order_is_kept_when_many_arrive_at_once
test_settings = contract.test_settings_survive
test_history = contract.test_a_turn_becomes_history_with_the_talk_before_it
test_search = contract.test_history_is_searched_in_one_channel_only
test_end_of_a_turn = contract.test_a_turn_ends_in_one_commit
test_half_a_turn = contract.test_a_turn_that_cannot_be_committed_leaves_nothing
test_request = contract.test_a_request_is_rebuilt_as_it_was
test_tool_calls = contract.test_tool_calls_come_back_in_model_order
test_chunk = contract.test_a_chunk_goes_its_way
test_memory = contract.test_search_finds_words_within_reach_only


@pytest.fixture
def kind_of_store() -> str:
    return "pooled"


async def test_one_process_at_a_time_with_or_without_the_pooler(tmp_path: Path):
    server, pooled = postgres_server(), pooled_url()
    server.emptied()
    for first, second in ((pooled, pooled), (pooled, server.url()), (server.url(), pooled)):
        async with opened(tmp_path, first) as store:
            (tmp_path / "two").mkdir(mode=0o700, exist_ok=True)
            (tmp_path / "two" / "secret.key").write_bytes((tmp_path / "secret.key").read_bytes())
            with pytest.raises(StoreError, match="is in use by another process"):
                async with opened(tmp_path / "two", second):
                    pass
            await store.ledger.arrive([v.arrival()], None)
            (row,) = [probe for probe in await store.probe() if probe.name == "store server"]
            assert ("through a pooler" in row.evidence) == (first == pooled)


async def test_who_slept_while_another_took_over_stores_nothing(tmp_path: Path):
    server, pooled = postgres_server(), pooled_url()
    server.emptied()
    async with opened(tmp_path, pooled) as one:
        await one.ledger.arrive([v.arrival("one", "1")], None)
        server.run("UPDATE glassmind.lease SET epoch = epoch + 1, owner = 'another'")
        with pytest.raises(LeaseLost, match="Another process has taken over"):
            await one.ledger.arrive([v.arrival("two", "2")], None)
        assert [stored.inbound.text for stored in await one.ledger.recent(v.KEY, 5)] == ["one"]
