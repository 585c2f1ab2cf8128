"""A turn that nothing ends is ended by time; one that somebody is at work on is not, whatever the clock says."""

from __future__ import annotations

import asyncio

from bot.domain.ledger import Outcome
from bot.domain.turn import TurnStatus
from bot.messaging.intake.turn_watchdog import REASON
from bot.sentences import say
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.online import types_on
from tests.dialogs.stores import ask_behind
from tests.dialogs.test_ledger_walk import SCRIPTED
from tests.fakes import values as v
from tests.fakes.provider import ScriptedProvider, says

HOUR = 3600


async def begun(bot: Bot) -> tuple[int, int]:
    """A turn in the journal that nobody runs, with the message that it took."""
    (row,) = await bot.store.ledger.arrive([v.arrival("are you there?", "900")], None)
    assert row is not None
    return await bot.store.journal.begin_turn(v.turn_start(inbounds=(row,), at=bot.clock.now()), ()), row


async def test_a_turn_that_nobody_ends_is_ended_once_it_is_overdue(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind hello")
        turn, row = await begun(bot)
        await bot.app.maintenance.sweep()
        assert (await bot.store.journal.turn(turn)).status is TurnStatus.RUNNING
        bot.clock.advance(HOUR)
        await bot.app.maintenance.sweep()
        ended = await bot.store.journal.turn(turn)
        assert (ended.status, ended.reason) == (TurnStatus.INTERRUPTED, REASON)
        stored = await bot.store.ledger.inbound(row)
        assert (stored.outcome, stored.outcome_reason) == (Outcome.INTERRUPTED, REASON)
        bot.clock.advance(HOUR)
        await bot.app.maintenance.sweep()
        assert await bot.store.journal.turn(turn) == ended, "a turn ends once"


async def test_a_turn_that_is_under_way_stays_though_the_clock_jumps(tmp_path):
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(_):
        asked.set()
        await go_on.wait()
        return says("at last")

    more = SCRIPTED.replace("turn_timeout = 0.5", "turn_timeout = 30")
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(slow)}, more=more) as bot:
        await types_on(bot, "[#general] ann> @glassmind hello")
        await asked.wait()
        bot.clock.advance(HOUR)
        await bot.app.maintenance.sweep()
        assert len(await bot.store.journal.running_turns()) == 1
        go_on.set()
        await bot.app.settled()
        (one, *_) = await bot.store.ledger.recent(GENERAL, 1)
        assert one.outcome is Outcome.REPLIED and bot.public()[-1].endswith("< at last")


async def test_an_inspection_that_nobody_ends_says_so(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("root", "!cortex why")
        ((session,),) = ask_behind(bot.data, "SELECT max(id) FROM session")
        start = v.turn_start(kind="inspection", session=session, at=bot.clock.now())
        await bot.store.journal.begin_turn(start, ())
        bot.clock.advance(HOUR)
        await bot.app.maintenance.sweep()
        await bot.app.settled()
        assert sum(say("cortex.cut-off") in line for line in bot.private()) == 1
