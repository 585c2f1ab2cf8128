"""One session carries every call, within its limits; a wrong token is told apart, and nothing leads elsewhere."""

from __future__ import annotations

import asyncio

import pytest
from discord.errors import LoginFailure

from adapters.discord.rest import errors
from adapters.discord.rest.client import DiscordCallLost, Failure
from tests.adapters.discord.conversation import message, refusal, speaking
from tests.servers.discord import Answers, Dribbles, Flood, Limit


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


async def test_who_the_bot_is_is_asked_once(on):
    assert await on.desk.account.me() == on.me.id == await on.desk.account.me()
    assert await on.desk.account.application_id() == on.me.id == await on.desk.account.application_id()
    assert len(on.server.calls("get_me")) == len(on.server.calls("get_application")) == 1
    assert on.desk.account.is_me(on.me.id) and not on.desk.account.is_me(on.ann.id)


async def test_a_token_that_is_unknown_is_told_apart(on):
    on.world.revoke()
    with pytest.raises(LoginFailure) as caught:
        await on.desk.account.ask()
    assert on.rest.token not in str(caught.value) and on.rest.token not in repr(on.rest)


async def test_what_it_answers_is_what_came(on):
    found = await on.rest.call("GET", "/channels/{channel_id}", channel_id=on.support.id)
    assert (found["id"], found["name"]) == (str(on.support.id), "support")
    assert await on.rest.call("POST", "/channels/{channel_id}/typing", channel_id=on.support.id) is None


async def test_a_redirect_is_not_followed(on):
    on.server.fault("create_message", Answers(b"", 302))
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.code, error.uncertain, len(on.server.calls())) == ("http_302", False, 1)


async def test_a_slow_answer_is_an_answer(on):
    on.server.fault("create_message", Dribbles(9))
    assert (await on.bot.send(message(on.support, "hello"))).message_id


async def test_closing_is_for_the_adapter_alone(on):
    await on.bot.send(message(on.support, "one", nonce="n1"))
    await on.rest.close()
    await on.bot.send(message(on.support, "two", nonce="n2"))
    await on.rest.close_connections()
    await on.rest.close_connections()
    assert on.support.transcript() == "glassmind< one\nglassmind< two"


async def test_a_call_that_comes_late_opens_nothing_again(on):
    await on.bot.send(message(on.support, "one", nonce="n1"))
    await on.rest.close_connections()
    error = await refusal(on.bot.send(message(on.support, "two", nonce="n2")))
    assert (error.code, error.permanent, error.uncertain) == ("unreachable", False, False)
    assert len(on.server.calls("create_message")) == 1


@pytest.mark.parametrize(("pace", "processes"), [(30.0, 1), (60.0, 2)])
async def test_all_calls_together_stay_below_what_the_platform_takes(pace, processes):
    async with speaking(calls_per_second=pace) as on:
        on.rest.share(processes)
        on.world.limits.set({}, total=Limit(50, 1.0))
        channels = [on.guild.channel(f"c{n}") for n in range(60)]
        async with asyncio.TaskGroup() as group:
            for n, channel in enumerate(channels):
                group.create_task(on.bot.send(message(channel, "hello", nonce=f"n{n}")))
        assert not on.server.limited and all(channel.transcript() for channel in channels)


async def test_a_limit_of_all_calls_keeps_everybody_waiting(on):
    on.server.fault("create_message", Flood(0.05, is_global=True))
    await on.bot.send(message(on.support, "hello"))
    assert len(on.server.limited) == 1 and on.support.transcript() == "glassmind< hello"


async def test_buckets_that_nobody_uses_are_forgotten(on):
    on.rest.open()
    for n in range(600):
        on.rest.get_ratelimit(f"old {n}")._last_request -= 1000
    for n in range(600):
        on.rest.get_ratelimit(f"new {n}")
    assert sum(key.startswith("old") for key in on.rest._buckets) < 100
    assert sum(key.startswith("new") for key in on.rest._buckets) == 600


def test_what_a_failure_is_called_holds_no_address():
    for error in (
        DiscordCallLost("POST /webhooks/{webhook_id}/{webhook_token}: cut", "cut"),
        ValueError("http://secret"),
    ):
        assert isinstance(error, Failure) == isinstance(error, DiscordCallLost)
    assert errors.code_of(ValueError("x")) == "internal" and errors.refusal(ValueError("x")) == 0
