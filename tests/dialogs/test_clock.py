"""A clock that leaps wipes nothing: the bot goes on once a platform says the same time, else at an owner's word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.stores import ON_SERVER
from tests.fakes.platform import FakePlatform

DAY = 86_400
YEAR = 400 * DAY * 1000


async def kept(bot: Bot) -> tuple[object, ...]:
    state = await bot.store.channels.load(GENERAL)
    recent = await bot.store.ledger.recent(GENERAL, 99)
    audit = [row.id for row in await bot.store.audit.newest(None, 99)]
    texts = [one.inbound.text for one in recent if one.text_kept]
    backups = sorted(path.name for path in (bot.data / "backups").glob("*.db"))
    return len(state.history), texts, audit, backups


async def lived_in(bot: Bot) -> None:
    await bot.says("ann", "@glassmind say good morning")
    await bot.says("root", "!cortex why")
    assert await bot.app.maintenance.sweep()


@pytest.mark.parametrize("leap", [YEAR, -YEAR, 40 * DAY * 1000, 80 * YEAR])
@pytest.mark.parametrize("restarts", [True, False])
async def test_nothing_is_wiped_in_a_leap_before_the_start_or_after_it(tmp_path: Path, leap: int, restarts: bool):
    async with a_bot(tmp_path) as bot:
        await lived_in(bot)
        before = await kept(bot)
        assert before[1] and (before[3] or ON_SERVER)
        bot.clock.at += leap
        if restarts:
            await bot.restart()
        for _ in range(3):  # a wrong clock runs on
            assert not await bot.app.maintenance.sweep()
            bot.clock.advance(2 * 3600)
            await bot.app.maintenance.beat()
        assert await kept(bot) == before
        await bot.says("root", "!cortex doctor")
        assert any("✗ clock: my clock says" in line for line in bot.private())
        bot.clock.at -= leap
        assert await bot.app.maintenance.sweep()
        _, texts, audit, _ = await kept(bot)
        assert set(texts) >= set(before[1]) and set(audit) >= set(before[2])


async def test_owners_hear_of_it_once_and_when_it_is_over(tmp_path: Path):
    async with a_bot(tmp_path) as bot:
        await lived_in(bot)
        bot.clock.at += YEAR
        bot.clock.advance(61)
        for _ in range(5):
            bot.app.watch.look()
            await bot.app.settled()
            bot.clock.advance(10)
        told = [line for line in bot.private() if "I do not trust the clock" in line]
        assert len(told) == 2, bot.private()  # the owner and the admin
        bot.clock.at -= YEAR
        for _ in range(5):
            bot.app.watch.look()
            await bot.app.settled()
            bot.clock.advance(10)
        assert sum("is right again" in line for line in bot.private()) == 2


async def test_after_a_real_year_the_platforms_own_time_settles_it(tmp_path: Path):
    async with a_bot(tmp_path) as bot:
        await lived_in(bot)
        their = FakePlatform("discord")
        bot.others = {"discord": their}
        bot.clock.at += YEAR
        await bot.restart()
        assert not await bot.app.maintenance.sweep()
        their.ahead_ms = -YEAR
        assert not await bot.app.maintenance.sweep()
        their.ahead_ms = 1200
        assert await bot.app.maintenance.sweep()
        assert (await kept(bot))[1] == []


async def test_an_owner_without_a_platform_says_that_it_is_right(tmp_path: Path):
    async with a_bot(tmp_path) as bot:
        await lived_in(bot)
        bot.clock.at += YEAR
        await bot.restart()
        assert not await bot.app.maintenance.sweep()
        bot.app.trusted_clock.is_vouched_for = True
        bot.app.trusted_clock.wake(None)
        assert await bot.app.maintenance.sweep()
        assert (await kept(bot))[1] == []
