"""What is asked all the time is found by an index on a server, too, however its statement is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from adapters.sqlite.erasure.retention import DEAD_CONTENT, JOURNAL_SIZES, REMOVABLE_REQUESTS
from adapters.sqlite.memories.memory_orders import IS_WHOLE, SCOPES
from adapters.sqlite.turns.channels import CHANNELS_OF_GUILD
from adapters.sqlite.upkeep.integrity import REFERENCES
from bot.domain.memory import MemoryType
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA, postgres_server

IN_SCOPE = f"FROM memory WHERE agent = :agent AND forgotten_at = 0 AND {SCOPES[0]}"
OF_KIND = f"{IN_SCOPE} AND (:kind = '' OR kind = :kind) AND {IS_WHOLE}"
ARGS = {"agent": "main", "channel": "c", "kind": "", "limit": 3}
WEIGHT = "(CASE WHEN json_valid(body) THEN json_extract(body, '$.importance') END)"
RANKS = " ".join(f"WHEN '{kind}' THEN {rank}" for rank, kind in enumerate(MemoryType))
RANK = f"(CASE WHEN json_valid(body) THEN CASE json_extract(body, '$.type') {RANKS} END END)"


def within(path: str) -> str:
    """A value of a body, as the repositories ask for it and the indexes hold it."""
    return f"(CASE WHEN json_valid(body) THEN json_extract(body, '$.{path}') END)"


ASKED = {
    "inbound_unsettled": ("SELECT * FROM inbound WHERE outcome IS NULL ORDER BY id", ()),
    "inbound_of_author": (f"SELECT id FROM inbound WHERE {within('author.user_id')} = ? AND adapter = ?", ("1", "a")),
    "inbound_refers": (
        "SELECT id FROM inbound WHERE adapter = ? AND instr(body, '\"refers\":[') > 0 AND channel = ?",
        ("t", "c"),
    ),
    "memory_by_weight": (f"SELECT id {IN_SCOPE} ORDER BY {WEIGHT} DESC, {RANK}, id LIMIT :limit", ARGS),
    "memory_by_time": (f"SELECT created_at, id {OF_KIND} ORDER BY created_at DESC, id DESC LIMIT :limit", ARGS),
    "memory_by_importance": (
        f"SELECT id, importance {OF_KIND} ORDER BY importance DESC, fresh_at DESC, id DESC LIMIT :limit",
        ARGS,
    ),
    "memory_by_freshness": (f"SELECT id {OF_KIND} ORDER BY fresh_at DESC, id DESC LIMIT :limit", ARGS),
    "memory_of_turn": (f"SELECT id FROM memory WHERE {within('provenance.turn')} = ?", (1,)),
    "process_of_turn": (f"SELECT id FROM process WHERE {within('parent_turn')} = ?", (1,)),
    "tool_call_running": ('SELECT id FROM tool_call WHERE instr(body, \'"state":"running"\') > 0', ()),
    "channel_of_guild": (
        f"SELECT * FROM channel {CHANNELS_OF_GUILD}",
        {"agent": "main", "platform": "discord:", "guild": "1", "limit": 3},
    ),
    "memory_fts_text": ("SELECT count(*) FROM memory_fts WHERE memory_fts MATCH ?", ('"a_b"',)),
    "history_fts_text": ("SELECT count(*) FROM history_fts WHERE history_fts MATCH ?", ('"a"',)),
}


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    server = postgres_server()
    from adapters.postgres.engine.connection import PostgresConnection, read_address
    from adapters.postgres.engine.migrate import bring_up

    opened = PostgresConnection(read_address(server.url(), SCHEMA))
    bring_up(opened, START)
    # where there is next to nothing everything would be read; and the values are not known when it is planned
    opened.script("SET enable_seqscan = off; SET enable_sort = off; SET plan_cache_mode = force_generic_plan")
    yield opened
    opened.close()


@pytest.mark.parametrize("index", ASKED)
def test_an_index_knows_it(connection: Any, index: str):
    sql, args = ASKED[index]
    plan = [line for (line,) in connection.run(f"EXPLAIN {sql}", args)]
    assert any(index in line for line in plan), plan
    assert not any("Seq Scan" in line or "Sort" in line for line in plan), plan


WHOLE = {
    **DEAD_CONTENT,
    "sizes": JOURNAL_SIZES[0],
    "removable": f"SELECT id {REMOVABLE_REQUESTS}",
    "history": f"SELECT id FROM history WHERE {REFERENCES['history']}",
}


@pytest.mark.parametrize("what", WHOLE)
def test_no_table_is_looked_through_for_every_row_of_another(connection: Any, what: str):
    # the plan of a `NOT IN` says `hashed` only while what it names fits into memory
    plan = [line for (line,) in connection.run(f"EXPLAIN {WHOLE[what]}", ())]
    assert not any("SubPlan" in line for line in plan), plan
