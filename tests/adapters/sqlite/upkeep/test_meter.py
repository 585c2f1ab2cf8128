"""What is remembered of sums is what reading everything anew would say."""

from __future__ import annotations

import random

import pytest

from adapters.sqlite import StoreSettings, create
from adapters.sqlite.upkeep import meter
from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.turn import AttemptRecord
from bot.ports.store import RetentionPolicy
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy

DAY = 86_400_000
OTHER = ChannelKey(MAIN, ChannelId("console:#other"))
RECORDS = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=20 * DAY, audit_ms=0, forgotten_ms=0)


@pytest.mark.parametrize("seed", range(5))
async def test_sums_that_are_remembered_are_those_of_everything(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(meter, "_UNSETTLED_REQUESTS", 4)
    chance = random.Random(seed)
    store = await create(StoreSettings(tmp_path / "data", FakeClock(), FakeEntropy(), low_water=0, ballast=0))
    rows: list[int] = []
    for step in range(120):
        at = START + step * DAY // 5
        if chance.random() < 0.7 or not rows:
            kind = chance.choice([ProcessKind.CHANNEL, ProcessKind.CHANNEL, ProcessKind.INSPECTION])
            record = v.request_record(step, key=chance.choice([v.KEY, v.KEY, OTHER]), at=at, kind=kind)
            rows.append(await store.journal.record_request(record, []))
        response = v.llm_response(input=chance.randrange(1000))
        await store.journal.record_attempt(
            AttemptRecord(
                # an old one does not come back after more than a few others
                request=chance.choice(rows[-3:]),
                number=step,
                at=at,
                duration_ms=1,
                response=response,
                cost_usd=chance.choice([None, 0.25]),
            )
        )
        if step % 40 == 39:
            await store.sweep(RECORDS, at)
        if chance.random() < 0.3:
            for key in (v.KEY, OTHER):
                assert list(await store.meter.usage(key, 0)) == list(await store.meter.usage(key, 1))
    assert len(store.meter._sums._settled) == 2
    assert (await store.meter.usage(v.KEY, START + 23 * DAY))[0].day > (await store.meter.usage(v.KEY, 0))[0].day
    await store.close()


async def test_a_channel_that_moved_brings_what_it_used(tmp_path, monkeypatch):
    monkeypatch.setattr(meter, "_UNSETTLED_REQUESTS", 0)
    store = await create(StoreSettings(tmp_path / "data", FakeClock(), FakeEntropy(), low_water=0, ballast=0))
    for key in (OTHER, v.KEY):
        row = await store.journal.record_request(v.request_record(1, key=key), [])
        await store.journal.record_attempt(
            AttemptRecord(request=row, number=1, at=START, duration_ms=1, response=v.llm_response())
        )
        assert (await store.meter.usage(key, 0))[0].requests == 1
    await store.channels.move(v.KEY.channel, OTHER.channel, START)
    assert (await store.meter.usage(OTHER, 0))[0].requests == 2
    await store.close()
