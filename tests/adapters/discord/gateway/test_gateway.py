"""The connection comes back from everything, loses nothing on its way, and says how it is."""

from __future__ import annotations

import asyncio

import pytest

from tests.adapters.discord.listening import listening
from tests.inside.discord import shards_of
from tests.servers.discord import Closes, Cuts, Drops, Garbled, Lost, Refuses, Twice


@pytest.mark.parametrize("trouble", ["drop", "reconnect", "close 4000", "invalidate resumable"])
async def test_a_broken_connection_is_resumed_and_nothing_is_lost(trouble):
    async with listening() as here:
        gateway = here.server.gateway
        await here.ann.says(here.table, "one")
        match trouble.split():
            case ["drop"]:
                gateway.drop()
            case ["reconnect"]:
                gateway.reconnect()
            case ["close", code]:
                gateway.close(int(code))
            case _:
                gateway.invalidate(resumable=True)
        await here.ann.says(here.table, "two")
        await here.hears("one", "two")
        await here.until(lambda: here.discord.health().state == "up")
        assert len(here.bot.identifies) == 1 and gateway.connections[-1].path.endswith("/resume")
        assert here.server.calls("get_messages") == []
        assert dict(here.discord.health().facts)["reconnects_1h"] == "1"


@pytest.mark.parametrize("code", [None, 4007, 4009])
async def test_a_session_that_is_over_is_begun_anew_and_what_was_missed_is_read_back(code):
    async with listening() as here:
        await here.ann.says(here.table, "one")
        await here.hears("one")
        here.server.gateway.forget()
        here.server.gateway.close(code) if code else here.server.gateway.drop()
        await here.ann.says(here.table, "two")
        await here.ann.says(here.table, "three")
        await here.hears("one", "two", "three")
        await here.caught_up()
        assert len(here.bot.identifies) == 2 and here.ears.said == ["one", "two", "three"]


async def test_a_silent_gateway_is_left():
    async with listening(is_up=False, stalled_after=0.3) as here:
        here.server.gateway.interval = 50
        await here.up()
        here.server.gateway.zombie()
        await here.ann.says(here.table, "anybody there?")
        await here.hears("anybody there?")
        await here.until(lambda: here.discord.health().state == "up")
        assert len(here.bot.identifies) == 1 and len(here.server.gateway.connections) == 2


async def test_silence_shows_before_anything_is_done_about_it():
    async with listening() as here:
        here.clock.advance(91)
        health = here.discord.health()
        assert (health.state, health.code) == ("degraded", "stalled") and health.fix
        here.server.gateway.beat()
        await here.until(lambda: here.discord.health().state == "up")


async def test_a_token_that_discord_does_not_know_is_said_and_not_tried_in_a_loop():
    async with listening(is_up=False) as here:
        here.world.revoke()
        here.listen()
        await here.healthy("token")
        health = here.discord.health()
        assert health.state == "down" and "developer portal" in health.fix
        assert here.clock.slept[0] == 300 and here.bot.identifies == []
        assert here.bot.token not in repr(health)


async def test_a_token_that_is_reset_while_the_bot_runs():
    async with listening() as here:
        here.world.revoke()
        here.server.gateway.close(4004)
        await here.healthy("token")
        assert here.discord.health().state == "down" and len(here.bot.identifies) == 1
        assert dict(here.discord.health().facts)["last_close_code"] == "4004"


@pytest.mark.parametrize(
    ("code", "name"), [(4010, "shards"), (4011, "shards"), (4012, "api_version"), (4013, "intents")]
)
async def test_what_the_gateway_refuses_is_explained_and_tried_rarely(code, name):
    async with listening() as here:
        here.clock.slept.clear()
        here.server.gateway.close(code)
        await here.until(lambda: 300 in here.clock.slept)
        await here.until(lambda: here.discord.health().state == "up")
        assert dict(here.discord.health().facts)["last_close_code"] == str(code)


async def test_a_refused_intent_is_done_without():
    async with listening(is_up=False) as here:
        here.bot.granted -= {"message_content"}
        here.listen()
        await here.healthy("content_intent")
        health = here.discord.health()
        facts = dict(health.facts)
        assert health.state == "degraded" and "Message Content Intent" in health.fix
        assert (facts["message_content"], facts["requested_content"], facts["last_close_code"]) == ("no", "yes", "4014")
        await here.ann.says(here.table, "hello all")
        await here.ann.says(here.table, "hello you", mentions=here.bot)
        await here.ann.says(here.bot, "in private")
        await here.until(lambda: len(here.ears.said) == 3)
        assert set(here.ears.said) == {"", f"<@{here.bot.id}> hello you", "in private"}
        await here.until(lambda: here.bot.presence is not None)
        assert "Mention me" in str(here.bot.presence)


async def test_an_intent_that_is_granted_again_is_asked_for_again():
    async with listening(is_up=False) as here:
        here.bot.granted -= {"message_content"}
        here.listen()
        await here.healthy("content_intent")
        here.bot.granted |= {"message_content"}
        await here.discord.probe(None)
        here.server.gateway.beat()
        await here.ann.says(here.table, "hello you", mentions=here.bot)
        await here.until(lambda: len(here.ears.said) == 1)
        # a portal that says one thing and does another costs no session a second
        assert here.discord.health().code == "content_intent" and len(here.bot.identifies) == 1
        here.clock.advance(301)
        here.server.gateway.beat()
        await here.until(lambda: here.discord.health().state == "up")
        await here.ann.says(here.table, "hello all")
        await here.hears("hello all")


async def test_what_comes_twice_is_taken_once():
    async with listening() as here:
        here.server.fault_event("MESSAGE_CREATE", Twice(), times=3)
        for text in ("one", "two", "three"):
            await here.ann.says(here.table, text)
        here.server.gateway.again(3)
        await here.caught_up()
        assert here.ears.said == ["one", "two", "three"]


async def test_a_greeting_that_comes_twice_lets_no_guild_be_waited_for():
    async with listening() as here:
        here.server.fault_event("GUILD_CREATE", Garbled())
        here.server.gateway.again(100)
        await here.until(lambda: len(here.server.gateway.connections) == 2)
        await here.caught_up()
        await here.ann.says(here.table, "one")
        await here.hears("one")
        assert here.newest().place.guild_id == str(here.kitchen.id) and len(here.bot.identifies) == 1


async def test_an_outage_that_is_told_again_when_it_is_over_has_not_begun_again():
    async with listening() as here:
        here.kitchen.go_down()
        here.kitchen.come_back()
        await here.caught_up()
        # the line breaks where the end of the outage would have been told again, and the session goes on behind it
        here.server.fault_event("GUILD_CREATE", Closes(4000))
        here.server.gateway.again(2)
        await here.until(lambda: len(here.server.gateway.connections) == 2)
        await here.caught_up()
        await here.ann.says(here.table, "one")
        await here.hears("one")
        assert here.newest().place.guild_id == str(here.kitchen.id)


async def test_who_is_stopped_at_the_moment_of_a_refusal_stops(monkeypatch: pytest.MonkeyPatch):
    async with listening(is_up=False) as here:
        task = here.listen()
        await here.until(lambda: here.discord.health().state == "up")
        shards = type(shards_of(here.discord))
        closed = shards.closed

        def stopped(self: object, code: int | None) -> None:
            closed(self, code)
            asyncio.get_running_loop().call_soon(task.cancel)

        monkeypatch.setattr(shards, "closed", stopped)
        here.server.gateway.close(4013)
        async with asyncio.timeout(5):
            await asyncio.wait([task])


async def test_an_event_that_never_came_is_told_again_when_the_session_goes_on():
    async with listening() as here:
        here.server.fault_event("MESSAGE_CREATE", Lost())
        await here.ann.says(here.table, "one")
        await here.ann.says(here.table, "two")
        await here.hears("two")
        here.server.gateway.drop()
        await here.until(lambda: "one" in here.ears.said)
        await here.caught_up()
        assert sorted(here.ears.said) == ["one", "two"]


async def test_a_connection_that_breaks_again_and_again():
    async with listening() as here:
        here.server.fault_event("MESSAGE_CREATE", Cuts(after=True), times=4)
        for text in ("one", "two", "three", "four", "five"):
            await here.ann.says(here.table, text)
        await here.hears("one", "two", "three", "four", "five")
        assert len(here.bot.identifies) == 1


async def test_a_server_that_is_down_is_waited_for():
    async with listening() as here:
        await here.server.refuse()
        await here.until(lambda: here.discord.health().state == "degraded")
        health = here.discord.health()
        assert health.code == "network" and health.detail.split(":")[0] in {"cut", "connect"}
        await here.server.accept()
        await here.until(lambda: here.discord.health().state == "up")


async def test_a_start_without_a_network():
    async with listening(is_up=False) as here:
        here.clock.auto = False
        here.server.fault("get_gateway_bot", Drops(), times=2)
        here.listen()
        await here.healthy("network")
        assert here.discord.health().detail.startswith("cut: ") and here.discord.health().fix
        here.clock.advance(2)
        await here.until(lambda: here.discord.health().state == "up")


async def test_sessions_are_rationed_before_discord_takes_the_token():
    async with listening(is_up=False) as here:
        here.world.switches.identifies = 10
        here.listen()
        await here.until(lambda: here.discord.health().state == "up")
        for again in range(2, 11):
            here.server.gateway.forget()
            here.server.gateway.drop()
            await here.server.gateway.connected(again)
        assert max(here.clock.slept) > 3600
        assert dict(here.discord.health().facts)["sessions_left"].endswith("of 10")


async def test_every_shard_has_a_connection_of_its_own():
    async with listening(shard_count=2) as here:
        shards = sorted(tuple(one["shard"]) for one in here.bot.identifies)
        assert shards == [(0, 2), (1, 2)] and dict(here.discord.health().facts)["shards"] == "2 of 2"
        assert 5 in [round(wait) for wait in here.clock.slept]
        await here.ann.says(here.table, "soup")
        await here.ann.says(here.bot, "psst")
        await here.until(lambda: sorted(here.ears.said) == ["psst", "soup"])


async def test_only_the_shards_of_this_process():
    async with listening(shard_count=2, shard_ids=[1]) as here:
        assert [one["shard"] for one in here.bot.identifies] == [[1, 2]]


async def test_the_token_is_never_logged(caplog):
    caplog.set_level(0)
    async with listening() as here:
        here.server.fault("get_gateway_bot", Refuses(500, 0, "no"))
        here.server.gateway.forget()
        here.server.gateway.drop()
        await here.ann.says(here.table, "a secret of Ann")
        await here.hears("a secret of Ann")
    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    assert here.bot.token not in logged and "a secret of Ann" not in logged
