"""Everything that can go wrong on the way, as the real library meets it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
import telegram
from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError, TimedOut

from tests.servers.telegram import (
    BACKWARDS,
    CONFLICT,
    TWICE,
    Alters,
    Answers,
    BadGateway,
    Before,
    Dribbles,
    Drops,
    Flood,
    HalfOpen,
    Hangs,
    Refuses,
    Truncated,
    telegram_server,
)
from tests.servers.telegram_client import Stage, a_stage, real_bot


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


async def send(stage, text="x"):
    return await stage.bot.send_message(stage.ann.id, text)


async def test_flood_control(stage):
    stage.server.fault("sendMessage", Flood(7))
    with pytest.raises(RetryAfter) as caught:
        await send(stage)
    assert caught.value._retry_after.total_seconds() == 7
    assert (await send(stage)).text == "x"
    assert [call.status for call in stage.server.calls("sendMessage")] == [429, 200]
    assert [call.is_applied for call in stage.server.calls("sendMessage")] == [False, True]


async def test_a_dead_connection_answers_well_and_empty_and_a_new_one_gives_what_waits(stage):
    stage.server.fault("getUpdates", HalfOpen(), times=100)
    stage.world.say(stage.dm, stage.ann, "one")
    assert [await stage.bot.get_updates(), await stage.bot.get_updates()] == [(), ()]
    assert (await stage.bot.get_webhook_info()).pending_update_count == 1
    dead, again = stage.server.calls("getUpdates")
    assert dead.line == again.line and not dead.is_applied
    async with real_bot(stage.server, stage.me) as other:
        assert [update.message.text for update in await other.get_updates()] == ["one"]
    assert stage.server.calls("getUpdates")[-1].line != dead.line


async def test_a_bad_gateway_with_a_page(stage):
    stage.server.fault("sendMessage", BadGateway())
    stage.server.fault("sendMessage", BadGateway(504, applied=True))
    with pytest.raises(NetworkError, match=r"Bad Gateway \(502\).*html"):
        await send(stage, "one")
    with pytest.raises(NetworkError, match="504"):
        await send(stage, "two")
    assert stage.world.transcript(stage.dm) == "glassmind_bot< two"


async def test_any_refusal(stage):
    stage.server.fault("sendMessage", Refuses(500, "Internal Server Error: restart"))
    stage.server.fault("sendMessage", Refuses(400, "Bad Request: upgraded", {"migrate_to_chat_id": -100}))
    with pytest.raises(NetworkError, match="Internal Server Error"):
        await send(stage)
    with pytest.raises(telegram.error.ChatMigrated):
        await send(stage)


@pytest.mark.parametrize("reset", [False, True])
async def test_an_answer_that_is_lost_after_delivery(stage, reset):
    stage.server.fault("sendMessage", Drops(applied=True, reset=reset))
    with pytest.raises(NetworkError):
        await send(stage, "one")
    assert stage.world.transcript(stage.dm) == "glassmind_bot< one"
    (call,) = await stage.server.called("sendMessage")
    assert (call.status, call.is_applied, call.result["text"]) == (0, True, "one")


async def test_a_request_that_is_lost_before_delivery(stage):
    stage.server.fault("sendMessage", Drops())
    with pytest.raises(NetworkError):
        await send(stage, "one")
    assert stage.world.transcript(stage.dm) == ""
    (call,) = await stage.server.called("sendMessage")
    assert (call.status, call.is_applied, call.answer) == (0, False, None)


@pytest.mark.parametrize("applied", [False, True])
async def test_a_call_that_hangs_until_it_is_released(stage, applied):
    stage.server.fault("sendMessage", Hangs(applied=applied))
    async with asyncio.TaskGroup() as group:
        sent = group.create_task(send(stage, "one"))
        await stage.server.hung()
        assert bool(stage.world.messages(stage.dm)) is applied
        stage.server.release()
    assert sent.result().text == "one"
    assert stage.world.transcript(stage.dm) == "glassmind_bot< one"


async def test_a_call_that_hangs_beyond_the_clients_patience(stage):
    async with real_bot(stage.server, stage.me, read_timeout=0.05) as hasty:
        stage.server.fault("sendMessage", Hangs(applied=True))
        with pytest.raises(TimedOut):
            await hasty.send_message(stage.ann.id, "one")
    assert stage.world.transcript(stage.dm) == "glassmind_bot< one"
    await stage.server.called("sendMessage")


async def test_json_that_is_cut(stage):
    stage.server.fault("sendMessage", Truncated(keep=20))
    stage.server.fault("sendMessage", Truncated(keep=20, cut=True))
    with pytest.raises(TelegramError, match="Invalid server response"):
        await send(stage, "one")
    with pytest.raises(NetworkError):
        await send(stage, "two")
    assert stage.world.transcript(stage.dm) == "glassmind_bot< one\nglassmind_bot< two"


async def test_every_cut_of_an_answer_is_an_error(stage):
    for keep in range(len(b'{"ok":true,"result":true}')):
        stage.server.fault("sendChatAction", Truncated(keep=keep))
        with pytest.raises(TelegramError):
            await stage.bot.send_chat_action(stage.ann.id, "typing")


async def test_slow_bytes_arrive(stage):
    stage.server.fault("sendMessage", Dribbles(size=30, pause=0.001))
    assert (await send(stage, "🍵" * 20)).text == "🍵" * 20


async def test_answers_that_are_not_what_they_say(stage):
    body = b'{"ok":false,"error_code":400,"description":"Bad Request: odd"}'
    stage.server.fault("sendMessage", Answers(body))
    stage.server.fault("sendMessage", Answers(b"[]", 400))
    stage.server.fault("sendMessage", Answers(b'{"ok":true,"result":true}', applied=True))
    async with aiohttp.ClientSession() as session:
        url, params = f"{stage.server.base_url}{stage.me.token}/sendMessage", {"chat_id": stage.ann.id, "text": "x"}
        for status, text in ((200, body), (400, b"[]"), (200, b'{"ok":true,"result":true}')):
            async with session.post(url, json=params) as response:
                assert (response.status, await response.read()) == (status, text)
    assert len(stage.world.messages(stage.dm)) == 1


async def test_updates_twice_and_backwards_and_from_the_past(stage):
    old = [{"update_id": 3, "message": None}]
    for text in ("one", "two"):
        stage.world.say(stage.dm, stage.ann, text)
    stage.server.fault("getUpdates", TWICE)
    stage.server.fault("getUpdates", BACKWARDS)
    stage.server.fault("getUpdates", Alters(lambda updates: old + updates[1:]))
    assert await stage.said() == ["one", "one", "two", "two"]
    assert await stage.said() == ["two", "one"]
    assert (await stage.updates())[0].update_id == 3
    assert await stage.said() == ["one", "two"]


async def test_the_nth_call_and_some_calls_only(stage):
    stage.server.fault("sendMessage", Flood(), nth=2, times=2)
    stage.server.fault("sendMessage", Refuses(400, "Bad Request: no"), when=lambda params: params["text"] == "no")
    outcomes = []
    for text in ("a", "b", "c", "d", "no", "no"):
        try:
            await send(stage, text)
            outcomes.append(text)
        except RetryAfter:
            outcomes.append("429")
        except BadRequest:
            outcomes.append("400")
    assert outcomes == ["a", "429", "429", "d", "400", "no"]


async def test_any_method(stage):
    stage.server.fault("*", BadGateway(), times=2)
    for call in (stage.bot.get_me, stage.bot.get_webhook_info):
        with pytest.raises(NetworkError):
            await call()
    assert await stage.bot.get_me()


async def test_something_happens_meanwhile(stage):
    stage.server.fault("sendMessage", Before(lambda: stage.world.block(stage.ann)))
    with pytest.raises(telegram.error.Forbidden, match="blocked"):
        await send(stage)


async def test_the_server_goes_away_and_comes_back(stage):
    await stage.server.refuse()
    with pytest.raises(NetworkError):
        await send(stage)
    await stage.server.accept()
    assert (await send(stage)).text == "x"


async def test_a_poll_whose_answer_is_lost_is_given_again(stage):
    stage.world.say(stage.dm, stage.ann, "one")
    stage.server.fault("getUpdates", Drops(applied=True))
    with pytest.raises(NetworkError):
        await stage.updates()
    assert await stage.said() == ["one"]


async def test_closing_lets_go_of_what_hangs():
    async with a_stage() as stage, asyncio.TaskGroup() as group:
        stage.server.fault("*", Hangs(), times=2)
        tasks = [group.create_task(_quiet(send(stage))) for _ in range(2)]
        await stage.server.hung(2)
        began = time.perf_counter()
        await stage.server.close()
        assert time.perf_counter() - began < 0.5
        await asyncio.gather(*tasks)


async def test_a_mistake_of_the_test_is_raised_when_the_server_closes(stage):
    with pytest.raises(ExceptionGroup, match="own function raised"):
        async with telegram_server(stage.world) as server, real_bot(server, stage.me) as bot:
            server.fault("getMe", Before(lambda: 1 / 0))
            with pytest.raises(NetworkError, match="division by zero"):
                await bot.get_me()


async def _quiet(call):
    try:
        return await call
    except TelegramError as error:
        return error


async def test_a_download_that_fails(stage):
    stage.world.say(stage.dm, stage.ann, document=b"notes")
    file = await stage.bot.get_file((await stage.only()).message.document)
    for fault in (Drops(), BadGateway(), Truncated(keep=2, cut=True)):
        stage.server.fault("file", fault)
        with pytest.raises(NetworkError):
            await file.download_as_bytearray()
    stage.server.fault("file", Dribbles(size=1))
    assert bytes(await file.download_as_bytearray()) == b"notes"
    calls = stage.server.calls("file")
    assert [call.status for call in calls] == [0, 502, 200, 200]
    assert {call.params["path"] for call in calls} == {"documents/file_1.txt"}


async def test_another_poller_as_a_fault(stage):
    stage.server.fault("getUpdates", CONFLICT, times=2)
    for _ in range(2):
        with pytest.raises(telegram.error.Conflict, match="make sure that only one bot instance is running"):
            await stage.updates()
    assert await stage.updates() == ()
