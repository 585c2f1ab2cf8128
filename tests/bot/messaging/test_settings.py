from __future__ import annotations

from pathlib import Path

from bot.domain.channel import ChannelSettings, ResponseMode
from bot.domain.ids import ChannelId, ChannelKey, UserId
from tests.bot.messaging.house import config, house
from tests.fakes import values as v

BUSY = ChannelKey(v.KEY.agent, ChannelId("console:#busy"))
MODES = {
    "console": {"default_mode": "observe"},
    "channels": {"console:#busy": {"mode": "active"}},
}


async def test_a_channel_begins_as_configured(tmp_path: Path):
    async with house(tmp_path, config(**MODES)) as here:
        assert here.book.of(v.KEY).mode is ResponseMode.OBSERVE
        assert here.book.of(BUSY).mode is ResponseMode.ACTIVE
        nowhere = ChannelKey(v.KEY.agent, ChannelId("elsewhere:1"))
        assert here.book.of(nowhere).mode is ResponseMode.MENTION_ONLY


async def test_a_change_reaches_gates_channel_and_store(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("hello")
        wanted = ChannelSettings(mode=ResponseMode.ACTIVE, mode_by=UserId("3"), mode_at=1)
        await here.book.change(v.KEY, "#general", v.GUILD, wanted)
        live = here.registry.get(v.KEY)
        assert live is not None
        assert here.book.of(v.KEY) == live.settings == (await here.state()).settings == wanted


async def test_a_channel_that_nobody_met_can_be_set(tmp_path: Path):
    async with house(tmp_path) as here:
        wanted = ChannelSettings(mode=ResponseMode.OBSERVE, mode_by=UserId("3"), mode_at=1)
        await here.book.change(BUSY, "#busy", v.GUILD, wanted)
        assert (await here.state(BUSY.channel)).name == "#busy"
        await here.book.reload(BUSY)
        assert here.book.of(BUSY) == wanted


async def test_reading_again_what_is_not_there_changes_nothing(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.book.reload(BUSY)
        assert here.book.of(BUSY).mode is ResponseMode.MENTION_ONLY


async def test_a_channel_opened_later_has_what_was_set_meanwhile(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("/model simulated/other", by="1")
        assert here.registry.get(v.KEY) is None
        await here.hears("hello")
        live = here.registry.get(v.KEY)
        assert live is not None
        assert live.settings.model == "simulated/other"
