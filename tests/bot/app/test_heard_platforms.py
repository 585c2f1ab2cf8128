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


async def test_a_platform_that_several_processes_hear_is_as_its_worst_part_and_a_part_that_nobody_hears_is_named(
    tmp_path: Path,
):
    async with house(tmp_path, start=False) as here:
        heard = HeardPlatforms(here.store, here.clock)

        async def said(part: str, state: AdapterState, **more: object) -> None:
            health = AdapterHealth(name=part, state=state, since=here.clock.now(), **more)
            await here.store.heard_by_listener(ListenerHealth(health=health, at=here.clock.now()))
            await heard.look()

        # before the shards were divided
        await said("discord", AdapterState.UP)
        here.clock.advance(20)
        await said("discord 1 of 2", AdapterState.UP, last_event_at=9, facts=(("guilds_away", "1:5"),))
        assert heard.of("discord").state is AdapterState.UP, "the other one may be starting"
        away, code = (("guilds_away", "2:6"), ("shards", "1 of 2")), "network"
        await said("discord 2 of 2", AdapterState.DEGRADED, detail="cut", code=code, facts=away)
        found = heard.of("discord")
        assert (found.name, found.state, found.code, found.last_event_at) == ("discord", "degraded", "network", 9)
        assert dict(found.facts) == {"guilds_away": "1:5 2:6", "shards": "1 of 2"}
        since = here.clock.now()
        for _ in range(16):
            here.clock.advance(2)
            await said("discord 1 of 2", AdapterState.UP)
        found = heard.of("discord")
        assert (found.state, found.code, found.since) == (AdapterState.DEGRADED, "nobody_listens", since)
        assert found.detail == "no process listens to part 2 of 2 of its servers"
        here.clock.advance(16)
        assert heard.of("discord").state is AdapterState.DOWN
