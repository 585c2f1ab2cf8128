"""A platform is as the process that listens there says, for as long as that is heard from."""

from __future__ import annotations

from pathlib import Path

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
