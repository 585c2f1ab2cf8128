"""What the store does not take is held and handed over again, in order; other channels do not wait."""

from __future__ import annotations

from adapters.discord.gateway import ordering
from tests.adapters.discord.listening import listening
from tests.inside.discord import holds_nothing


async def test_a_store_that_refuses_is_asked_again():
    async with listening() as here:
        here.ears.deaf = 3
        await here.ann.says(here.table, "one")
        await here.ann.says(here.table, "two")
        await here.hears("one", "two")
        assert here.ears.refused[0][0].text == "one" and here.ears.deaf == 0
        assert len([wait for wait in here.clock.slept if wait]) >= 3
        assert here.ears.cursors["discord", here.id_of(here.table)] == here.newest().message_id


async def test_what_comes_meanwhile_is_offered_too():
    async with listening() as here:
        here.clock.auto = False
        here.ears.deaf = 1
        await here.ann.says(here.table, "one")
        await here.until(lambda: len(here.ears.refused) == 1)
        await here.ann.says(here.table, "!resume")
        await here.world.flushed()
        await here.until(lambda: here.is_read)
        here.clock.advance(2)
        await here.until(lambda: holds_nothing(here.discord))
        assert [one.text for one in here.ears.batches[-1]] == ["one", "!resume"]


async def test_it_shows_while_it_lasts():
    async with listening() as here:
        seen: list[str] = []
        here.ears.deaf = 2
        here.ears.before = lambda: seen.append(here.discord.health().code)
        await here.ann.says(here.table, "one")
        await here.hears("one")
        assert seen == ["", "store", "store"] and here.discord.health().state == "up"


async def test_when_too_much_is_held_nobody_listens_until_it_is_stored(monkeypatch):
    monkeypatch.setattr(ordering, "MAX_HELD_EVENTS", 10)
    async with listening() as here:
        await here.ann.says(here.table, "0")
        await here.hears("0")
        here.clock.auto = False
        here.ears.deaf = 1
        for n in range(1, 11):
            await here.ann.says(here.table, str(n))
        await here.until(lambda: here.server.gateway.connections[-1].closed is not None)
        await here.until(lambda: "it listens again once" in here.discord.health().detail)
        assert here.discord.health().code == "store"
        for n in range(11, 15):
            await here.ann.says(here.table, str(n))
        here.clock.auto = True
        here.clock.advance(10)
        await here.hears(*map(str, range(15)))
        assert here.ears.said == [str(n) for n in range(15)] and len(here.bot.identifies) == 2


async def test_a_fault_that_nobody_foresaw_loses_nothing():
    async with listening() as here:
        heard, failures = here.ears.receive, [ValueError("odd")]

        async def odd(batch, cursor):
            if failures:
                raise failures.pop()
            await heard(batch, cursor)

        here.ears.receive = odd
        await here.ann.says(here.table, "one")
        await here.hears("one")


async def test_each_channel_keeps_its_order():
    async with listening() as here:
        channels = [here.kitchen.channel(f"c{n}") for n in range(10)]
        for n in range(20):
            for channel in channels:
                await here.ann.says(channel, f"{channel.name} {n}")
        await here.caught_up()
        for channel in channels:
            said = [one.text for one in here.ears.heard_all if one.channel == here.id_of(channel) and one.text]
            assert said == [f"{channel.name} {n}" for n in range(20)]
