"""Everything that can go wrong on the way, with calls and with events, as the real library meets it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from tests.servers.discord import (
    CLOUDFLARE,
    Alters,
    Answers,
    BadGateway,
    Before,
    Closes,
    Cuts,
    Dribbles,
    Drops,
    Flood,
    Garbled,
    Hangs,
    Late,
    Lost,
    Refuses,
    Rewritten,
    Truncated,
    Twice,
)
from tests.servers.discord_client import Stage, a_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


@pytest.fixture
def impatient(monkeypatch):
    """Let the library's own pauses between tries pass at once."""
    sleep = asyncio.sleep

    async def soon(seconds, result=None):
        return await sleep(0, result)

    monkeypatch.setattr(discord.http.asyncio, "sleep", soon)


def contents(stage) -> list[str]:
    return [message.content for message in stage.client.told("message")]


async def test_a_call_that_comes_too_fast_is_tried_again(stage):
    stage.server.fault("create_message", Flood(0.01))
    assert (await stage.channel.send("x", nonce="n")).content == "x"
    assert [(call.status, call.is_applied) for call in stage.server.calls("create_message")] == [
        (429, False),
        (200, True),
    ]
    assert [call.json["nonce"] for call in stage.server.limited] == ["n"]


async def test_all_calls_come_too_fast(stage):
    stage.server.fault("create_message", Flood(0.01, is_global=True))
    await stage.channel.send("x")
    assert stage.server.limited[0].answer is None  # a fault's answer is not the handler's
    assert stage.support.transcript() == "glassmind< x"


async def test_a_ban_by_the_network_in_front_is_not_tried_again(stage):
    stage.server.fault("create_message", CLOUDFLARE)
    with pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("x")
    assert caught.value.status == 429
    assert len(stage.server.calls("create_message")) == 1


async def test_a_bad_gateway_is_tried_again_with_the_same_nonce(stage, impatient):
    stage.server.fault("create_message", BadGateway(applied=True), times=2)
    sent = await stage.channel.send("x", nonce="n1")
    assert stage.support.transcript() == "glassmind< x"
    assert [call.json["nonce"] for call in stage.server.calls("create_message")] == ["n1"] * 3
    assert sent.id == stage.support.last.id


async def test_a_bad_gateway_that_stays(stage, impatient):
    stage.server.fault("create_message", BadGateway(503))
    with pytest.raises(discord.DiscordServerError):
        await stage.channel.send("x")
    stage.server.fault("create_message", BadGateway(504), times=5)
    with pytest.raises(discord.DiscordServerError):
        await stage.channel.send("x")
    assert len(stage.server.calls("create_message")) == 6


async def test_any_refusal(stage):
    stage.server.fault("create_message", Refuses(403, 50013, "Missing Permissions"))
    stage.server.fault("create_message", Refuses(400, 20016, "Slow mode", {"retry_after": 5}, applied=True))
    with pytest.raises(discord.Forbidden):
        await stage.channel.send("x")
    with pytest.raises(discord.HTTPException, match="20016"):
        await stage.channel.send("y")
    assert stage.support.transcript() == "glassmind< y"


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("applied", [False, True])
async def test_a_line_that_breaks_is_not_tried_again(stage, applied, reset):
    stage.server.fault("create_message", Drops(applied=applied, reset=reset))
    with pytest.raises((aiohttp.ClientError, OSError)):
        await stage.channel.send("one", nonce="n")
    (call,) = await stage.server.called("create_message")
    assert (call.status, call.is_applied) == (0, applied)
    assert (await stage.channel.send("one", nonce="n")).content == "one"
    assert stage.support.transcript() == "glassmind< one"


@pytest.mark.parametrize("applied", [False, True])
async def test_a_call_that_hangs_until_it_is_released(stage, applied):
    stage.server.fault("create_message", Hangs(applied=applied))
    async with asyncio.TaskGroup() as group:
        sent = group.create_task(stage.channel.send("one"))
        await stage.server.hung()
        assert stage.server.hanging == 1
        assert bool(stage.support.last) is applied
        stage.server.release()
    assert sent.result().content == "one"


async def test_answers_that_are_cut_or_strange(stage):
    stage.server.fault("create_message", Truncated(keep=20))
    stage.server.fault("create_message", Truncated(keep=20, cut=True))
    stage.server.fault("create_message", Answers(b"<html>"))
    stage.server.fault("create_message", Alters(lambda answer: answer | {"content": "changed"}))
    stage.server.fault("create_message", Dribbles(size=64))
    for text in ("one", "two", "three"):
        with pytest.raises((ValueError, aiohttp.ClientError)):
            await stage.channel.send(text)
    assert (await stage.channel.send("four")).content == "changed"
    assert (await stage.channel.send("five")).content == "five"
    assert stage.support.transcript() == "\n".join(f"glassmind< {text}" for text in ("one", "two", "four", "five"))


async def test_something_happens_while_a_call_is_under_way(stage):
    stage.server.fault("create_message", Before(lambda: stage.support.deny(stage.me, "send_messages")))
    with pytest.raises(discord.Forbidden):
        await stage.channel.send("x")


async def test_the_nth_call_and_those_that_match(stage):
    stage.server.fault("create_message", Refuses(403), nth=2)
    stage.server.fault("create_message", Refuses(404), when=lambda body: body["content"] == "c")
    stage.server.fault("*", Refuses(400), when=lambda body: body["path"].get("user") == str(stage.ann.id))
    outcomes = []
    for text in "abcd":
        try:
            await stage.channel.send(text)
            outcomes.append(200)
        except discord.HTTPException as refusal:
            outcomes.append(refusal.status)
    assert outcomes == [200, 403, 404, 200]
    with pytest.raises(discord.HTTPException):
        await stage.client.fetch_user(stage.ann.id)
    with pytest.raises(ValueError, match="no call is named"):
        stage.server.fault("createMessage", Hangs())


async def test_an_event_that_comes_twice(stage):
    stage.server.fault_event("MESSAGE_CREATE", Twice())
    stage.server.fault_event("MESSAGE_CREATE", Twice(renumbered=True))
    await stage.ann.says(stage.support, "one")
    await stage.ann.says(stage.support, "two")
    await stage.client.hears("message", 4)
    assert contents(stage) == ["one", "one", "two", "two"]
    assert stage.client.ws.sequence == stage.me.sessions[0].sequence == 5
    stage.server.gateway.again(2)
    await stage.client.hears("message", 6)
    assert contents(stage)[4:] == ["two", "two"]


async def test_an_event_that_is_lost_comes_with_the_next_resume(stage):
    stage.server.fault_event("MESSAGE_CREATE", Lost())
    await stage.ann.says(stage.support, "one")
    stage.server.gateway.drop()
    await stage.client.hears("resumed")
    assert contents(stage) == ["one"]


async def test_an_event_that_is_late(stage):
    stage.server.fault_event("MESSAGE_CREATE", Late(2))
    message = await stage.ann.says(stage.support, "one")
    await stage.ann.edits(message, "two")
    await stage.ann.deletes(message)
    await stage.client.hears("message")
    told = [event for event in stage.client.told("socket_event_type") if event.startswith("MESSAGE")]
    assert told == ["MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_CREATE"]


async def test_events_that_are_held_back_and_let_go_in_another_order(stage):
    stage.server.gateway.hold()
    for text in ("one", "two", "three"):
        await stage.ann.says(stage.support, text)
    stage.server.gateway.beat()
    await stage.server.until(lambda: len(stage.server.gateway.connections[0].beats) == 2)
    assert contents(stage) == []
    stage.server.gateway.release(lambda held: held[::-1])
    await stage.client.hears("message", 3)
    assert contents(stage) == ["three", "two", "one"]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("end", [Cuts, Closes])
async def test_the_line_ends_at_an_event(stage, end, after):
    stage.server.fault_event("MESSAGE_CREATE", end(after=after), when=lambda data: data["content"] == "two")
    for text in ("one", "two", "three"):
        await stage.ann.says(stage.support, text)
    await stage.client.hears("resumed")
    assert sorted(contents(stage)) == ["one", "three", "two"]
    assert contents(stage) == ["one", "two", "three"]


async def test_an_event_with_other_data(stage):
    stage.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | {"content": "other"}))
    await stage.ann.says(stage.support, "one")
    assert (await stage.client.hears("message")).content == "other"


async def test_something_that_is_no_event_ends_the_library(stage):
    stage.server.fault_event("MESSAGE_CREATE", Garbled())
    await stage.ann.says(stage.support, "one")
    assert isinstance(await stage.client.hears("gone"), ValueError)


async def test_events_that_nobody_knows(stage):
    stage.server.gateway.push("SOMETHING_NEW", {"id": "1"})
    await stage.ann.says(stage.support, "one")
    await stage.client.hears("message")
    assert "SOMETHING_NEW" in stage.client.told("socket_event_type")


async def test_a_mistake_of_a_test_is_not_hidden():
    def mistake(body):
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as caught:
        async with a_stage() as stage:
            stage.server.fault("create_message", Hangs(), when=mistake)
            async with aiohttp.ClientSession(headers={"Authorization": f"Bot {stage.me.token}"}) as session:
                url = f"{stage.server.api_url}/channels/{stage.support.id}/messages"
                async with session.post(url, json={"content": "x"}) as answer:
                    assert answer.status == 500
    assert caught.group_contains(ZeroDivisionError)
