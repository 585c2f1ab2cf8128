"""Words that others' messages bring are kept as long as those messages, found by an index, and taken out with whom."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.ledger import ArrivalDisposition
from bot.domain.messages import (
    Author,
    AuthorKind,
    ChannelPlace,
    Inbound,
    InboundKind,
    LinkPreview,
    MessageReference,
    ReferenceKind,
)
from bot.ports.store import RetentionPolicy
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START

CANARY = "canary-7f3a9c"
BOB = PersonKey("console", UserId("43"))
DAY = 86_400_000
KEEP = RetentionPolicy(ambient_ms=DAY, messages_ms=DAY, requests_ms=DAY, records_ms=0, audit_ms=DAY, forgotten_ms=DAY)
FAR = ChannelId("console:#far")


def quotes(text: str = CANARY, **changes: object) -> MessageReference:
    base = {"kind": ReferenceKind.ANSWERED, "author": Author(user_id=UserId("43"), name="bob"), "text": text}
    return MessageReference.model_validate({**base, "message_id": "77", "at": START, **changes})


async def arrives(store: SqliteStore, *arrivals: object) -> list[int]:
    return [row for row in await store.ledger.arrive(arrivals, None) if row]  # type: ignore[arg-type]


def left(directory: Path, canary: str = CANARY) -> list[str]:
    return [path.name for path in directory.rglob("*") if path.is_file() and canary.encode() in path.read_bytes()]


async def test_what_a_message_refers_to_is_read_back_as_it_came(tmp_path):
    link = MessageReference(kind=ReferenceKind.LINKS, links=(LinkPreview(url="https://example.org", title="x"),))
    mine = Author(user_id=UserId("5"), name="bot", kind=AuthorKind.SELF)
    refers = (quotes(origin=mine, origin_at=3, is_part=True), link)
    async with opened(tmp_path) as store:
        (row,) = await arrives(store, v.arrival("is it?", refers=refers))
        stored = await store.ledger.inbound(row)
        assert stored is not None and stored.inbound.refers == refers
    async with opened(tmp_path) as store:
        stored = await store.ledger.inbound(row)
        assert stored is not None and stored.inbound.refers == refers


def test_a_row_of_before_reads_and_is_written_as_it_always_was():
    old = v.inbound().model_dump_json()
    assert "refers" not in old
    assert Inbound.model_validate_json(old).model_dump_json() == old


@pytest.mark.parametrize("how", ["stopped", "deleted", "too old"])
async def test_they_stay_no_longer_than_the_words_of_the_message(tmp_path, how):
    verdicts = (v.stopped(store_text=False),) if how == "stopped" else ()
    disposition = ArrivalDisposition.DROP if how == "stopped" else ArrivalDisposition.QUEUE
    came = v.arrival("is it?", verdicts=verdicts, disposition=disposition, refers=(quotes(),))
    async with opened(tmp_path) as store:
        (row,) = await arrives(store, came)
        if how == "deleted":
            gone = {"disposition": ArrivalDisposition.AMEND, "kind": InboundKind.DELETE, "edit": 1}
            await arrives(store, v.arrival("", **gone))
        if how == "too old":
            await store.sweep(KEEP, START + 3 * DAY)
        stored = await store.ledger.inbound(row)
        assert stored is not None and stored.inbound.refers == ()
        assert await store.verify() == []
    # no page of the file is zeroed when a row grows shorter, but for those that a sweep leaves
    with closing(sqlite3.connect(tmp_path / "glassmind.db")) as connection:
        assert CANARY not in "\n".join(connection.iterdump())


async def test_who_is_only_quoted_is_counted_and_taken_out_and_nobody_else(tmp_path):
    async with opened(tmp_path) as store:
        own, other = await arrives(
            store,
            v.arrival("is that so?", "1", refers=(quotes(),)),
            v.arrival("and this?", "2", refers=(quotes("hello", author=Author(user_id=UserId("44"), name="cy")),)),
        )
        counted = await store.erasures.footprint(BOB)
        assert counted.quotations == 1 and not counted.is_empty and counted.messages == 0
        assert counted.channels == (v.GENERAL,)
        taken = await store.erasures.erase(BOB)
        assert taken.quotations == 1
        assert (await store.erasures.footprint(BOB)).is_empty
        stored, kept = await store.ledger.inbound(own), await store.ledger.inbound(other)
        assert stored is not None and (stored.inbound.text, stored.inbound.refers) == ("is that so?", ())
        assert kept is not None and kept.inbound.refers[0].text == "hello"
        assert await store.verify() == []
    assert left(tmp_path) == []


async def test_words_that_were_forwarded_go_with_whom_they_are_by(tmp_path):
    forward = MessageReference(kind=ReferenceKind.FORWARDED, author=Author(user_id=UserId("43"), name="bob"))
    async with opened(tmp_path) as store:
        (row,) = await arrives(store, v.arrival(f"{CANARY} opens it", refers=(forward,)))
        await store.erasures.erase(BOB)
        stored = await store.ledger.inbound(row)
        assert stored is not None and not stored.text_kept and stored.inbound.author.name == "ann"
    assert left(tmp_path) == []


async def test_an_admin_of_one_channel_takes_out_what_stands_there_alone(tmp_path):
    async with opened(tmp_path) as store:
        here, far = await arrives(
            store,
            v.arrival("is it?", "1", refers=(quotes("in here"),)),
            v.arrival(
                "is it?", "2", channel=FAR, channel_name="#far", place=ChannelPlace(), refers=(quotes("far away"),)
            ),
        )
        assert (await store.erasures.footprint(BOB)).quotations == 2
        assert (await store.erasures.footprint(BOB, [v.GENERAL])).quotations == 1
        await store.erasures.erase(BOB, [v.GENERAL])
        stored, kept = await store.ledger.inbound(here), await store.ledger.inbound(far)
        assert stored is not None and stored.inbound.refers == ()
        assert kept is not None and kept.inbound.refers[0].text == "far away"


async def test_the_same_number_on_another_platform_is_somebody_else(tmp_path):
    async with opened(tmp_path) as store:
        await arrives(store, v.arrival("is it?", refers=(quotes(),)))
        assert (await store.erasures.footprint(PersonKey("discord", UserId("43")))).is_empty


async def test_quoting_messages_are_found_by_an_index(tmp_path):
    async with opened(tmp_path) as store:
        await arrives(store, v.arrival("is it?", refers=(quotes(),)))
    with closing(sqlite3.connect(tmp_path / "glassmind.db")) as connection:
        asked = """EXPLAIN QUERY PLAN SELECT * FROM inbound WHERE adapter = ? AND instr(body, '"refers":[') > 0"""
        assert any("inbound_refers" in str(row) for row in connection.execute(asked, ("console",)))
