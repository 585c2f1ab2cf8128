"""What it costs to find out which texts are stored already, in statements: each of them waits for the interpreter."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore
from adapters.sqlite.engine.content_store import KNOWN_ROWS
from bot.domain.ids import MAIN
from bot.domain.messages import Message
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import UserError
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.inside.store import database_of, trace

TURNS = 12


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with opened(tmp_path) as store:
        yield store


async def ended(store: SqliteStore, turn: int, *messages: Message) -> None:
    await store.journal.end_turn(
        TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED, messages=messages)
    )


async def texts(store: SqliteStore) -> list[str]:
    state = await store.channels.load(v.KEY)
    assert state is not None
    return [message.text for turn in state.turns for message in turn.messages]


async def test_the_texts_of_all_turns_that_end_together_are_looked_for_at_once(store: SqliteStore):
    turns = [await store.journal.begin_turn(v.turn_start(), ()) for _ in range(TURNS)]
    said: list[str] = []
    await trace(store, said.append)
    await asyncio.gather(*(ended(store, turn, v.message(f"question {turn}"), v.said("yes")) for turn in turns))
    looks = [words for words in said if words.startswith("SELECT hash, id FROM blob")]
    assert len(looks) == 1
    assert await texts(store) == [words for turn in turns for words in (f"question {turn}", "yes")]


async def test_messages_that_arrive_one_by_one_share_their_statements(store: SqliteStore):
    said: list[str] = []
    await store.channels.hear([(v.KEY, v.message("the first", ambient=True))], TURNS)
    await trace(store, said.append)
    arrivals = [v.arrival(message_id=f"m{number}") for number in range(TURNS)]
    await asyncio.gather(*(store.ledger.arrive([arrival], None) for arrival in arrivals))
    talk = [v.message(f"talk {number}", ambient=True) for number in range(TURNS)]
    await asyncio.gather(*(store.channels.hear([(v.KEY, message)], 2 * TURNS) for message in talk))
    for begin in ("INSERT INTO stage", "SELECT hash, id FROM blob", "INSERT INTO blob"):
        assert len([words for words in said if words.startswith(begin)]) <= 2, begin


async def test_a_text_is_stored_once_however_it_comes(store: SqliteStore):
    def broken(_: sqlite3.Connection) -> None:
        raise UserError("no")

    database = database_of(store)
    for again in range(3):
        turns = [await store.journal.begin_turn(v.turn_start(), ()) for _ in range(3)]
        whole = [ended(store, turn, v.message("hello"), v.said(f"hello {again}")) for turn in turns]
        wanted = [v.said(f"hello {number}").digest for number in (again, again + 1)]
        failing = database.write(broken, wanted.copy)
        results = await asyncio.gather(whole[0], failing, *whole[1:], return_exceptions=True)
        assert [type(result) for result in results if result is not None] == [UserError]
    assert (await texts(store))[-2:] == ["hello", "hello 2"]
    hashes = await database.read(lambda connection: [row[0] for row in connection.execute("SELECT hash FROM blob")])
    assert len(hashes) == len(set(hashes)) == 4


async def test_more_texts_than_are_remembered_are_stored_like_any_others(store: SqliteStore):
    many = KNOWN_ROWS["blob"] + 50
    said = [v.message(f"message {number}", inbound=number) for number in range(1, many + 1)]
    for first in range(0, many, 1000):
        await store.channels.hear([(v.KEY, message) for message in said[first : first + 1000]], many)
    turn = await store.journal.begin_turn(v.turn_start(), ())
    # known texts and new ones by turns, in one request after another
    for number in range(3):
        messages = (*said[number::500], *[v.message(f"new {number}.{one}") for one in range(60)], said[number])
        request = await store.journal.record_request(
            v.request_record(turn, request=v.llm_request(messages=messages)), []
        )
        stored = await store.journal.request(request)
        assert stored is not None and stored.record.request.messages == messages
    # nothing was undone for it: then all would have been forgotten
    assert len(database_of(store).names._known["blob"]) == KNOWN_ROWS["blob"]
