"""The whole bot and its daily copies: one a day, gone in time, and good for starting again after a disaster."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from adapters.sqlite import restore_copy
from bot.errors import StoreError
from tests.adapters.sqlite.upkeep.test_restore import damage
from tests.bot.app.test_lifecycle import running
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.stores import OF_A_FILE
from tests.fakes.clock import START, FakeClock, FakeEntropy

pytestmark = OF_A_FILE

HOUR = 3600


def there(data: Path) -> list[str]:
    folder = data / "backups"
    return sorted(os.listdir(folder)) if folder.exists() else []


async def test_five_days_make_five_copies_of_which_three_days_are_kept(tmp_path):
    seen: set[str] = set()
    async with a_bot(tmp_path) as bot:
        for hour in range(0, 5 * 24, 2):
            if hour % 22 == 16:  # also a bot that is started again and again makes one a day
                await bot.restart()
            if hour % 12 == 0:
                await bot.says("ann", f"@glassmind say hour {hour}")
            await bot.app.maintenance.sweep()
            await bot.app.settled()
            seen |= set(there(tmp_path))
            # what a sweep takes a moment for is not the day's fault
            bot.clock.set(START + (hour + 2) * HOUR * 1000)
        assert len(seen) == 5
        assert there(tmp_path) == sorted(seen)[-3:]
        await bot.says("root", "@glassmind !cortex doctor")
        assert any("store backup" in line and sorted(seen)[-1] in line for line in bot.private())


async def test_a_copy_is_made_soon_after_the_start(tmp_path):
    async with a_bot(tmp_path) as bot, running(bot):
        assert there(tmp_path) == []
        for _ in range(500):  # a thread makes the copy, once somebody waits for the time
            if any(name.endswith(".db") for name in there(tmp_path)):
                break
            bot.clock.advance(61)
            await asyncio.sleep(0.01)
        assert len(there(tmp_path)) == 1


async def test_switched_off_there_is_none(tmp_path):
    async with a_bot(tmp_path, more="[retention]\nbackups_hours = 0\n") as bot:
        await bot.app.maintenance.sweep()
        assert there(tmp_path) == []
        await bot.says("root", "@glassmind !cortex doctor")
        assert any("store backup: switched off" in line for line in bot.private())


async def test_a_copy_that_fails_does_not_stop_the_bot(tmp_path, monkeypatch):
    async with a_bot(tmp_path) as bot:
        with monkeypatch.context() as broken:
            broken.setattr("adapters.sqlite.engine.directory.DiskRoom.free", lambda self: 0)
            await bot.app.maintenance.sweep()
        assert there(tmp_path) == []
        assert "[#general] glassmind< good morning" in await bot.says("ann", "@glassmind say good morning")
        await bot.says("root", "@glassmind !cortex doctor")
        assert any("store backup" in line and "no room" in line for line in bot.private())
        await bot.app.maintenance.sweep()
        assert len(there(tmp_path)) == 1


async def test_after_a_disaster_the_bot_goes_on_from_the_copy(tmp_path):
    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "@glassmind say what was before")
        await bot.app.maintenance.sweep()
        (copy,) = there(tmp_path)
        await bot.says("ann", "@glassmind say what came after")
    damage(tmp_path)
    with pytest.raises(StoreError, match="glassmind restore"):
        async with a_bot(tmp_path):
            pass
    await restore_copy(tmp_path, copy, FakeClock(START + HOUR * 1000), FakeEntropy("another"))
    async with a_bot(tmp_path) as bot:
        await bot.app.settled()
        assert bot.lines == []
        bot.console.world.next_id = 100  # the platform went on counting
        assert "[#general] glassmind< good morning" in await bot.says("ann", "@glassmind say good morning")
        state = await bot.store.channels.load(GENERAL)
        words = "\n".join(str(message) for message in state.history)
        assert "what was before" in words and "good morning" in words and "what came after" not in words
