"""What was written while nobody listened is read back: once, in order, not too much, nothing the first time."""

from __future__ import annotations

import pytest

from bot.domain.messages import InboundKind
from tests.adapters.discord.listening import Listening, listening
from tests.inside.discord import rest_of
from tests.servers.discord import Drops, Refuses, Rewritten


async def down(here: Listening, *texts: str) -> None:
    """Let the bot be away while Ann writes."""
    await here.close()
    for text in texts:
        await here.ann.says(here.table, text)


async def test_the_very_first_time_nothing_is_read_back():
    async with listening(is_up=False) as here:
        await here.ann.says(here.table, "long ago")
        await here.up()
        await here.ann.says(here.table, "now")
        await here.hears("now")
        assert here.ears.said == ["now"] and here.server.calls("get_messages") == []


async def test_what_was_missed_is_heard_once_and_in_order_with_what_comes_live():
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, "two", "three")
        here.clock.advance(60)
        await here.restart()
        await here.ann.says(here.table, "four")
        await here.hears("one", "two", "three", "four")
        assert here.ears.said == ["one", "two", "three", "four"]
        late = next(one for one in here.ears.heard_all if one.text == "two")
        assert late.sent_at == here.clock.now() - 60_000 and late.kind is InboundKind.MESSAGE
        assert late.author.user_id == str(here.ann.id) and late.place.guild_id == str(here.kitchen.id)


async def test_a_channel_waits_for_its_own_past_and_no_other_does():
    async with listening() as here:
        hall = here.kitchen.channel("hall")
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, "two")
        here.server.fault("get_messages", Refuses(503), times=5)
        here.begin_again()
        here.listen()
        await here.until(lambda: here.discord.health().state == "up")
        await here.ann.says(here.table, "three")
        await here.ann.says(hall, "elsewhere")
        await here.until(lambda: here.ears.said[-3:] == ["elsewhere", "two", "three"])


async def test_channels_from_which_nothing_came_before():
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await here.close()
        fresh = here.kitchen.channel("fresh")
        thread = await here.ann.starts_thread(await here.ann.says(fresh, "two"), "side")
        await here.ann.says(thread, "three")
        await here.restart()
        assert sorted(here.ears.said) == ["one", "three", "two"]


async def test_private_chats_that_are_known():
    async with listening() as here:
        await here.ann.says(here.bot, "one")
        await here.hears("one")
        await here.close()
        await here.ann.says(here.bot, "two")
        await here.restart()
        assert here.ears.said == ["one", "two"]
        assert {one.channel for one in here.ears.heard_all} == {f"discord:dm:{here.ann.id}"}
        rest = rest_of(here.discord)
        await rest.call("POST", "/channels/{channel_id}/messages", channel_id=here.ann.dm().id, json={"content": "hi"})
        await here.hears("one", "two", "hi")
        assert here.newest().channel == f"discord:dm:{here.ann.id}"


async def test_no_more_than_was_asked_for_and_the_newest_of_it():
    async with listening(backfill_messages=150) as here:
        await here.ann.says(here.table, "first")
        await here.hears("first")
        await down(here, *map(str, range(260)))
        await here.restart()
        assert here.ears.said == ["first", *map(str, range(110, 260))]
        assert dict(here.discord.health().facts)["missed_too_much"] == here.id_of(here.table)
        await here.restart()
        assert len(here.ears.said) == 151


async def test_nothing_that_is_too_old():
    async with listening(backfill_hours=1.0) as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, "old")
        here.clock.advance(3601)
        await here.ann.says(here.table, "new")
        await here.restart()
        assert here.ears.said == ["one", "new"]


@pytest.mark.parametrize("days", [400, -400])
async def test_how_old_something_is_goes_by_the_time_of_discord(days):
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        right = here.clock.now() / 1000
        here.world.clock = lambda: right
        await down(here, "two")
        here.clock.set(here.clock.now() + days * 86_400_000)
        await here.restart()
        assert here.ears.said == ["one", "two"]


@pytest.mark.parametrize("key", ["backfill_hours", "backfill_messages"])
async def test_reading_back_can_be_switched_off(key):
    async with listening(**{key: 0}) as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, "two")
        await here.restart()
        assert here.ears.said == ["one"] and here.server.calls("get_messages") == []


async def test_what_was_there_before_the_bot_came_into_a_guild():
    async with listening() as here:
        den = here.world.guild("Den", here.bob)
        lobby = den.channel("lobby")
        await here.bob.says(lobby, "before")
        here.clock.advance(1)
        den.join(here.bot)
        await here.caught_up()
        await here.restart()
        assert here.ears.said == []


async def test_a_channel_that_may_not_be_read_is_not_asked_for():
    async with listening() as here:
        await here.close()
        await here.ann.says(here.table, "secret")
        here.table.deny(here.kitchen.everyone, "view_channel")
        await here.restart()
        assert here.server.calls("get_messages") == []


async def test_odd_channels_do_not_keep_the_others_from_being_read():
    def odd(data):
        nonsense = [{"id": "nonsense", "type": 0, "last_message_id": "7"}, {"id": "8", "type": 0}]
        orphan = {"id": "9", "type": 11, "parent_id": "10", "guild_id": data["id"], "owner_id": "1", "name": "orphan"}
        metadata = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": data["joined_at"]}
        orphan |= {"thread_metadata": metadata, "last_message_id": str(2**62), "message_count": 1, "member_count": 1}
        return data | {"threads": [*nonsense, orphan, *data["threads"]]}

    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, "two")
        here.server.fault_event("GUILD_CREATE", Rewritten(odd))
        await here.restart()
        await here.hears("one", "two")


async def test_a_refusal_is_taken_for_an_answer():
    async with listening() as here:
        await down(here, "one")
        here.server.fault("get_messages", Refuses(403, 50001, "Missing Access"))
        await here.restart()
        await here.ann.says(here.table, "two")
        await here.hears("two")
        assert len(here.server.calls("get_messages")) == 1


async def test_a_line_that_breaks_while_reading_back():
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, *map(str, range(120)))
        here.server.fault("get_messages", Drops(), nth=2)
        await here.restart()
        assert here.ears.said == ["one", *map(str, range(120))]


async def test_a_killed_process_reads_on_where_it_stood():
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, *map(str, range(250)))
        here.ears.deaf = 10_000
        here.begin_again()
        here.listen()
        await here.until(lambda: bool(here.ears.refused))
        here.ears.deaf = 0
        await here.restart()
        assert here.ears.said == ["one", *map(str, range(250))]


async def test_a_guild_that_was_down():
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        here.kitchen.go_down()
        here.server.gateway.hold()
        await here.ann.says(here.table, "two")
        here.server.gateway.release(lambda held: [])
        here.kitchen.come_back()
        await here.hears("one", "two")


async def test_a_mark_for_all_waits_until_all_guilds_are_there():
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        await down(here, "two")
        here.clock.advance(1200)
        here.kitchen.is_down = True
        here.begin_again()
        here.listen()
        await here.until(lambda: here.discord.health().state == "up")
        here.clock.advance(61)
        await here.ann.says(here.bot, "psst")
        await here.hears("one", "psst")
        assert ("discord", "newest") not in here.ears.cursors
        here.kitchen.is_down = False
        await here.restart()
        assert here.ears.said == ["one", "psst", "two"]


async def test_a_quiet_start_asks_for_nothing():
    async with listening() as here:
        for text in ("one", "two"):
            await here.ann.says(here.table, text)
            await here.hears(text)
            here.clock.advance(61)
        assert ("discord", "newest") in here.ears.cursors
        await here.restart()
        assert here.server.calls("get_messages") == []


async def test_how_far_all_is_stored_says_nothing_of_shards_that_others_hear():
    async with listening(shard_count=2) as here:
        place = here.table
        while (place.guild.id ^ here.kitchen.id) >> 22 & 1 == 0:
            here.clock.advance(0.001)
            place = here.world.guild("Cellar", here.ann, here.bot).channel("shelf")
        own, others = ([(one.guild.id >> 22) % 2] for one in (here.table, place))
        await here.ann.says(here.table, "one")
        await here.hears("one")
        here.changes["shard_ids"] = others
        await here.restart()
        await here.ann.says(here.table, "nobody hears it")
        here.clock.advance(1200)
        for text in ("two", "three"):
            await here.ann.says(place, text)
            await here.hears(text)
            here.clock.advance(61)
        assert ("discord", f"newest {others[0]} of 2") in here.ears.cursors
        here.changes["shard_ids"] = own
        await here.close()
        here.begin_again()
        here.listen()
        await here.hears("nobody hears it")
