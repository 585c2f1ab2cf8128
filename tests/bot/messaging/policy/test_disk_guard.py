from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.ports.store import RetentionPolicy
from tests.bot.messaging.house import House, house
from tests.fakes import values as v
from tests.fakes.platform import refused

MEGABYTE = 1 << 20
MARK = 8 * MEGABYTE
DAY = 86_400_000
NOTHING_OLD = RetentionPolicy(ambient_ms=DAY, messages_ms=DAY, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)


def a_disk(monkeypatch: pytest.MonkeyPatch, here: House, free: int) -> None:
    """Let the disk have so many free bytes."""
    monkeypatch.setattr("adapters.sqlite.engine.directory.DiskRoom.free", lambda self: free)
    here.clock.advance(2)


async def test_what_became_free_inside_the_database_lets_people_in_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with house(tmp_path, low_water=MARK) as here:
        await here.store.ledger.arrive([v.arrival("long " * 1000, f"old{n}") for n in range(500)], None)
        a_disk(monkeypatch, here, MARK - MEGABYTE)
        with pytest.raises(StoreError, match="almost full"):
            await here.arrives("hello")
        await here.store.sweep(NOTHING_OLD, here.clock.now() + 2 * DAY)
        here.clock.advance(2)
        await here.hears("hello again")
        assert here.platform.texts[-1:] == ["echo: hello again"]
        (room,) = [probe for probe in await here.store.probe() if probe.name == "store room"]
        assert room.state == "ok"
        assert "inside the database" in room.evidence


async def test_the_log_of_the_database_needs_room_on_the_disk_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with house(tmp_path, low_water=MARK) as here:
        await here.store.ledger.arrive([v.arrival("long " * 1000, f"old{n}") for n in range(4000)], None)
        await here.store.sweep(NOTHING_OLD, here.clock.now() + 2 * DAY)
        a_disk(monkeypatch, here, MEGABYTE)
        with pytest.raises(StoreError, match="almost full"):
            await here.arrives("hello")


async def test_who_asks_while_the_storage_is_full_is_told_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with house(tmp_path, low_water=MARK) as here:
        a_disk(monkeypatch, here, 0)
        talk, question = here.inbound("only talk", mentions_bot=False), here.inbound("hello")
        for _ in range(3):  # the adapter comes back with the same batch
            with pytest.raises(StoreError, match="almost full"):
                await here.manager.receive([talk, question], None)
            await here.manager.settled()
            here.clock.advance(60)
        (told,) = here.platform.sent
        assert told.text.startswith("My storage is full")
        assert told.replies_to == question.message_id
        here.clock.advance(3600)
        with pytest.raises(StoreError, match="almost full"):
            await here.manager.receive([talk, question], None)
        await here.manager.settled()
        assert [message.text for message in here.platform.sent] == [told.text] * 2
        assert here.platform.sent[0].nonce != here.platform.sent[1].nonce
        assert await here.store.ledger.unsettled() == []
        assert await here.store.outbox.pending() == []


async def test_a_channel_that_cannot_be_told_so_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with house(tmp_path, low_water=MARK) as here:
        a_disk(monkeypatch, here, 0)
        here.platform.fails([refused()])
        for _ in range(2):
            with pytest.raises(StoreError, match="almost full"):
                await here.arrives("hello")
            await here.manager.settled()
        assert len(here.platform.tried) == 1
        assert here.alerts == here.failures == []
