"""Channels from which nothing was ever let in are known all the same."""

from __future__ import annotations

from pathlib import Path

from adapters.sqlite import StoreSettings, create
from bot.diagnostics.collect.lookup import every_channel, known_channel
from bot.domain.channel import ChannelSettings
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import ArrivalDisposition
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy

SHUT = ChannelKey(MAIN, ChannelId("console:#shut"))
DROPPED = {
    "verdicts": (v.stopped("place", "channel_denied", store_text=False),),
    "disposition": ArrivalDisposition.DROP,
    "channel": SHUT.channel,
}


async def test_a_channel_that_only_the_ledger_knows_is_named_by_its_newest_message(tmp_path: Path) -> None:
    store = await create(StoreSettings(tmp_path / "data", FakeClock(), FakeEntropy(), low_water=0, ballast=0))
    await store.channels.meet(v.KEY, "#general", v.GUILD, ChannelSettings())
    for number, name in enumerate(("#shut", "#still-shut")):
        await store.ledger.arrive([v.arrival(message_id=str(number), channel_name=name, **DROPPED)], None)
    found = await known_channel(store.ledger, SHUT)
    assert found is not None
    assert (found.key, found.name, found.place, found.last_at) == (SHUT, "#still-shut", v.GUILD, START)
    assert [known.key for known in await every_channel(store, (MAIN,), START)] == [v.KEY, SHUT]
    assert [known.key for known in await every_channel(store, (MAIN,), START + 1)] == [v.KEY]
    assert await known_channel(store.ledger, ChannelKey(MAIN, ChannelId("console:#never"))) is None
    await store.close()
