from __future__ import annotations

import gc
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.sqlite.turns.channels import make_channel
from bot.domain.channel import ChannelPause, ChannelSettings, ResponseMode
from bot.domain.ids import ChannelId, ChannelKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.messages import Inbound
from bot.domain.revisions import BY_ITSELF
from bot.messaging.channels import settings
from tests.bot.messaging.house import House, config, house
from tests.fakes import values as v
from tests.inside.store import database_of

IDLE = [ChannelId(f"console:#idle{number}") for number in range(10_000)]
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
        await here.book.change(v.KEY, "#general", v.GUILD, wanted, BY_ITSELF)
        live = here.registry.get(v.KEY)
        assert live is not None
        assert here.book.of(v.KEY) == live.settings == (await here.state()).settings == wanted


async def test_a_channel_that_nobody_met_can_be_set(tmp_path: Path):
    async with house(tmp_path) as here:
        wanted = ChannelSettings(mode=ResponseMode.OBSERVE, mode_by=UserId("3"), mode_at=1)
        await here.book.change(BUSY, "#busy", v.GUILD, wanted, BY_ITSELF)
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


async def test_channels_in_which_nobody_set_anything_leave_nothing_in_memory(tmp_path: Path):
    async with house(tmp_path) as here:
        await database_of(here.store).write(some_idle)
        await paused(here, IDLE[7])
    async with house(tmp_path) as here:
        idle, busy = set(IDLE), ChannelKey(v.KEY.agent, IDLE[7])
        assert {one for one in gc.get_objects() if isinstance(one, ChannelKey) and one.channel in idle} == {busy}
        assert here.book.of(busy).pause is not None


async def test_more_than_is_held_is_read_before_the_gates_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "MAX_CHANNELS", 2)
    async with house(tmp_path) as here:
        for channel in IDLE[:5]:
            await paused(here, channel)
        await said_in(here, IDLE[5:8])
    async with house(tmp_path) as here:
        for again in range(2):
            heard = await said_in(here, IDLE[:8])
            outcomes = [(await here.outcome(one))[0] for one in heard]
            assert outcomes == [Outcome.GATED] * 5 + [Outcome.REPLIED] * 3, again
        assert len(here.book._held) == 2


async def test_what_cannot_be_read_was_never_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "MAX_CHANNELS", 1)
    async with house(tmp_path) as here:
        for channel in IDLE[:2]:
            await paused(here, channel)
    with sqlite3.connect(tmp_path / "data" / "glassmind.db") as other:
        other.execute("UPDATE channel SET name = 'forged' WHERE channel = ?", (IDLE[0],))
    other.close()
    async with house(tmp_path) as here:
        await said_in(here, [IDLE[0]])
        assert [error.table for error in here.store.damaged] == ["channel"]


async def paused(here: House, channel: ChannelId) -> None:
    pause = ChannelPause(by=UserId("3"), by_role="moderator", at=1, inbound=0)
    await here.book.change(ChannelKey(v.KEY.agent, channel), channel, v.GUILD, ChannelSettings(pause=pause), BY_ITSELF)


async def said_in(here: House, channels: Sequence[ChannelId]) -> list[Inbound]:
    return [await here.hears("hello", channel=channel, channel_name=channel) for channel in channels]


def some_idle(connection: sqlite3.Connection) -> None:
    for channel in IDLE:
        make_channel(connection, ChannelKey(v.KEY.agent, channel), channel, v.GUILD, ChannelSettings(), 0)
