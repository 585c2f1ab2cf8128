"""The database's file is taken away under a running bot: owners hear at once, and the next start has everything."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.errors import StoreError
from tests.adapters.sqlite.engine.test_file_watch import AWAY, moved, replaced
from tests.bot.app.test_lifecycle import running
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.stores import OF_A_FILE

pytestmark = OF_A_FILE
LOST = [one for one in AWAY if one not in {moved, replaced}]


@pytest.mark.parametrize("how", LOST)
@pytest.mark.parametrize("somebody_speaks", [True, False])
async def test_the_bot_stops_says_so_and_the_next_start_has_everything(tmp_path, how, somebody_speaks):
    with suppress(StoreError):  # it is over before the test closes it
        async with a_bot(tmp_path) as bot, running(bot) as run:
            await bot.says("ann", "@glassmind say good morning")
            how(tmp_path)
            if somebody_speaks:
                with suppress(StoreError):
                    await bot.says("ann", "@glassmind hello?")
            while not run.done():
                bot.clock.advance(11)  # the next sign of life
                await asyncio.sleep(0.001)
            said = await run
            await bot.store.close()
    assert said.startswith("Stopped. ") and "nothing is lost" not in said and "while I was running" in said
    (told,) = [line for line in bot.private() if "while I was running" in line]
    assert "root" in told
    async with a_bot(tmp_path) as bot:
        state = await bot.store.channels.load(GENERAL)
        assert "good morning" in "\n".join(map(str, state.history))
        assert "hello?" not in "\n".join(map(str, state.history))
