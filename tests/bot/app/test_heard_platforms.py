"""A platform is as the process that listens there says, for as long as that is heard from."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.app.heard_platforms import HeardPlatforms
from bot.domain.health import AdapterHealth, AdapterState, ListenerHealth
from tests.bot.messaging.house import house


async def test_a_platform_is_down_once_nobody_says_how_it_is(tmp_path: Path):
    async with house(tmp_path, start=False) as here:
        heard = HeardPlatforms(here.store, here.clock)
        assert heard.of("telegram").state is AdapterState.STARTING
        health = AdapterHealth(name="telegram", state=AdapterState.DEGRADED, since=here.clock.now(), detail="slow")
        await here.store.heard_by_listener(ListenerHealth(health=health, at=here.clock.now()))
        await heard.look()
        assert heard.of("telegram") == health
        here.clock.advance(16)
        gone = heard.of("telegram")
        assert (gone.state, gone.code) == (AdapterState.DOWN, "nobody_listens")
        assert gone.fix == "Start one with glassmind run --role gateway."


@pytest.mark.parametrize("wrong", [timedelta(minutes=5), timedelta(minutes=-5)], ids=["ahead", "behind"])
async def test_a_process_that_listens_on_a_machine_with_a_wrong_clock_is_there_as_long_as_it_says_so(
    tmp_path: Path, wrong: timedelta
):
    async with house(tmp_path, start=False) as here:
        heard = HeardPlatforms(here.store, here.clock)
        health = AdapterHealth(name="telegram", state=AdapterState.UP, since=here.clock.now())
        for _ in range(10):
            theirs = here.clock.now() + wrong // timedelta(milliseconds=1)
            await here.store.heard_by_listener(ListenerHealth(health=health, at=theirs))
            await heard.look()
            assert heard.of("telegram") == health
            here.clock.advance(2)
        stopped = here.clock.now() - 2000
        here.clock.advance(14)
        await heard.look()
        gone = heard.of("telegram")
        assert (gone.state, gone.code, gone.since) == (AdapterState.DOWN, "nobody_listens", stopped)
