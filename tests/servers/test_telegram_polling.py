"""Drive getMe, getUpdates and the webhook methods with the real library."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
import telegram
from telegram.error import Conflict, InvalidToken

from tests.servers.telegram import FIRST_UPDATE, World, telegram_server
from tests.servers.telegram_client import ALL, Stage, a_stage, real_bot


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


async def test_the_bot_learns_who_it_is(stage):
    me = await stage.bot.get_me()
    assert (me.id, me.username, me.is_bot) == (stage.me.id, "glassmind_bot", True)
    assert (me.can_read_all_group_messages, me.has_topics_enabled) == (False, False)
    stage.world.privacy(False)
    stage.me.topics = True
    me = await stage.bot.get_me()
    assert (me.can_read_all_group_messages, me.has_topics_enabled) == (True, True)


async def test_starting_takes_less_than_20_milliseconds():
    async def once() -> float:
        began = time.perf_counter()
        async with telegram_server(World()):
            return time.perf_counter() - began

    assert min([await once() for _ in range(3)]) < 0.02


async def test_a_wrong_token_is_unauthorized(stage):
    stranger = telegram.Bot(f"{stage.me.id}:wrong", base_url=stage.server.base_url)
    with pytest.raises(InvalidToken, match="was rejected"):
        async with stranger:
            pass
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{stage.server.base_url}1:x/getMe") as response:
            assert (response.status, (await response.json())["description"]) == (401, "Unauthorized")
        async with session.get(f"{stage.server.base_url}{stage.me.token}/noSuchMethod") as response:
            assert (response.status, (await response.json())["description"]) == (404, "Not Found")
        async with session.get(f"{stage.server.base_url}{stage.me.token}/GETME") as response:
            assert (await response.json())["result"]["id"] == stage.me.id


async def test_json_bodies_and_query_strings_are_read_too(stage):
    url = f"{stage.server.base_url}{stage.me.token}/sendMessage"
    async with aiohttp.ClientSession() as session:
        async with session.post(url, json={"chat_id": stage.ann.id, "text": "one"}) as response:
            assert response.status == 200
        async with session.get(url, params={"chat_id": str(stage.ann.id), "text": "two"}) as response:
            assert response.status == 200
        async with session.post(url, data=b"[", headers={"Content-Type": "application/json"}) as response:
            assert (response.status, (await response.json())["ok"]) == (400, False)
    assert stage.world.transcript(stage.dm) == "glassmind_bot< one\nglassmind_bot< two"


async def test_updates_come_in_order_and_again_until_confirmed(stage):
    for text in ("one", "two", "three"):
        stage.world.say(stage.dm, stage.ann, text)
    first = await stage.updates()
    assert [update.update_id for update in first] == [FIRST_UPDATE, FIRST_UPDATE + 1, FIRST_UPDATE + 2]
    assert await stage.updates() == first
    rest = await stage.updates(FIRST_UPDATE + 2)
    assert [update.message.text for update in rest] == ["three"]
    assert await stage.updates(FIRST_UPDATE) == rest
    assert await stage.updates(FIRST_UPDATE + 3) == ()


async def test_the_limit(stage):
    for number in range(150):
        stage.world.say(stage.dm, stage.ann, str(number))
    assert len(await stage.updates()) == 100
    assert len(await stage.updates(limit=7)) == 7
    assert len(await stage.updates(FIRST_UPDATE + 100)) == 50


async def test_a_negative_offset_keeps_the_last_ones_only(stage):
    for text in ("one", "two", "three"):
        stage.world.say(stage.dm, stage.ann, text)
    assert [update.message.text for update in await stage.updates(-2)] == ["two", "three"]
    assert await stage.said() == ["two", "three"]


async def test_an_offset_from_another_age_gives_everything_again(stage):
    stage.world.say(stage.dm, stage.ann, "one")
    assert await stage.updates(FIRST_UPDATE + 5) == ()
    stage.me.inlet.renumber(7)
    stage.world.say(stage.dm, stage.ann, "after the reset")
    for _ in range(2):
        assert [update.update_id for update in await stage.updates(FIRST_UPDATE + 1)] == [7]


async def test_a_gap_in_the_ids(stage):
    stage.world.say(stage.dm, stage.ann, "one")
    stage.me.inlet.skip(100)
    stage.world.say(stage.dm, stage.ann, "two")
    assert [update.update_id - FIRST_UPDATE for update in await stage.updates()] == [0, 101]


async def test_updates_older_than_a_day_are_gone(stage):
    stage.world.say(stage.dm, stage.ann, "yesterday")
    stage.world.wait(86_399)
    stage.world.say(stage.dm, stage.ann, "today")
    assert await stage.said() == ["yesterday", "today"]
    stage.world.wait(1)
    assert await stage.said() == ["today"]


async def test_presses_wait_for_150_seconds_only(stage):
    markup = telegram.InlineKeyboardMarkup.from_button(telegram.InlineKeyboardButton("yes", callback_data="y"))
    await stage.bot.send_message(stage.ann.id, "sure?", reply_markup=markup)
    (message,) = stage.world.messages(stage.dm)
    stage.world.press(message, "yes", stage.ann)
    stage.world.wait(151)
    assert await stage.updates() == ()


async def test_a_long_poll_waits_for_the_next_update(stage):
    async with asyncio.TaskGroup() as group:
        polled = group.create_task(stage.updates(timeout=1000))
        await stage.server.caught_up()
        assert not polled.done()
        stage.world.say(stage.dm, stage.ann, "one")
        stage.world.say(stage.dm, stage.ann, "two")
    assert [update.message.text for update in polled.result()] == ["one", "two"]


async def test_a_long_poll_ends_with_its_timeout(stage):
    began = asyncio.get_running_loop().time()
    assert await stage.updates(timeout=10) == ()
    assert 0.04 < asyncio.get_running_loop().time() - began < 1


async def test_a_second_poller_ends_the_first_one(stage):
    async with real_bot(stage.server, stage.me) as other, asyncio.TaskGroup() as group:
        first = group.create_task(_outcome(stage.updates(timeout=1000)))
        await stage.server.caught_up()
        second = group.create_task(other.get_updates(timeout=1000))
        await stage.server.heard("getUpdates", 2)
        error = await first
        stage.world.say(stage.dm, stage.ann, "one")
    assert isinstance(error, Conflict)
    words = "Terminated by other getUpdates request; make sure that only one bot instance is running"
    assert str(error).removeprefix("Conflict: ").capitalize() == words.capitalize()
    assert [update.message.text for update in second.result()] == ["one"]


async def test_a_poller_that_leaves_frees_its_place(stage):
    async with asyncio.TaskGroup() as group:
        polled = group.create_task(stage.updates(timeout=1000))
        await stage.server.caught_up()
        polled.cancel()
    await stage.server.called("getUpdates")
    assert not stage.me.inlet.is_polled
    assert await stage.updates() == ()


async def test_allowed_updates_are_remembered_and_hold_for_what_comes_later(stage):
    stage.world.say(stage.dm, stage.ann, "before")
    assert len(await stage.updates(allowed_updates=["callback_query"])) == 1
    stage.world.say(stage.dm, stage.ann, "not wanted")
    assert await stage.said() == ["before"]
    assert (await stage.bot.get_webhook_info()).allowed_updates == ("callback_query",)
    await stage.updates(allowed_updates=[])
    stage.world.say(stage.dm, stage.ann, "after")
    assert await stage.said() == ["before", "after"]


async def test_members_and_reactions_come_only_when_asked_for(stage):
    group = stage.world.supergroup("kitchen", stage.ann, stage.me)
    stage.world.promote(group, stage.me)
    message = stage.world.say(group, stage.ann, "tea?")
    await stage.forget()
    stage.world.join(group, stage.ben)
    await stage.forget()
    stage.world.demote(group, stage.ben)
    stage.world.react(message, stage.ann, "👍")
    assert await stage.updates() == ()
    await stage.updates(allowed_updates=ALL)
    stage.world.demote(group, stage.ben)
    stage.world.react(message, stage.ann)
    kinds = await stage.updates()
    assert [bool(update.chat_member) for update in kinds] == [True, False]
    reaction = kinds[1].message_reaction
    assert [one.emoji for one in reaction.old_reaction] == ["👍"] and reaction.new_reaction == ()


async def test_a_webhook_forbids_polling(stage):
    assert await stage.bot.set_webhook("https://example.org/hook", max_connections=5)
    stage.world.say(stage.dm, stage.ann, "one")
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await stage.updates()
    info = await stage.bot.get_webhook_info()
    assert (info.url, info.pending_update_count, info.max_connections) == ("https://example.org/hook", 1, 5)
    assert await stage.bot.delete_webhook()
    assert await stage.said() == ["one"]
    assert (await stage.bot.get_webhook_info()).url == ""
    await stage.bot.delete_webhook(drop_pending_updates=True)
    assert await stage.updates() == ()


async def test_somebody_else_sets_a_webhook(stage):
    stage.world.set_webhook("https://thief.example.org/")
    stage.me.webhook.last_error_message = "Connection refused"
    stage.me.webhook.last_error_date = stage.world.now
    info = await stage.bot.get_webhook_info()
    assert (info.url, info.last_error_message) == ("https://thief.example.org/", "Connection refused")
    with pytest.raises(Conflict, match="webhook"):
        await stage.updates()


async def test_setting_a_webhook_ends_the_poll_and_wants_https(stage):
    with pytest.raises(telegram.error.BadRequest, match="an https url must"):
        await stage.bot.set_webhook("http://example.org/")
    async with asyncio.TaskGroup() as group:
        polled = group.create_task(_outcome(stage.updates(timeout=1000)))
        await stage.server.caught_up()
        await stage.bot.set_webhook("https://example.org/")
    assert "terminated by setWebhook request" in str(polled.result())


async def test_two_bots_have_two_queues(stage):
    second = stage.world.bot("second_bot", "Second")
    group = stage.world.group("kitchen", stage.ann, stage.me, second)
    stage.world.say(group, stage.ann, "/tea@second_bot")
    stage.world.say(group, stage.ann, "/tea")
    stage.world.start(stage.ben, bot=second)
    async with real_bot(stage.server, second) as other:
        theirs = await other.get_updates()
    assert [update.message.text for update in theirs if update.message] == ["/tea@second_bot", "/tea", "/start"]
    assert await stage.said() == ["/tea"]


async def test_closing_the_server_waits_for_no_poll():
    world = World()
    me = world.bot()
    loop = asyncio.get_running_loop()
    async with telegram_server(world) as server, real_bot(server, me) as bot, asyncio.TaskGroup() as group:
        group.create_task(_outcome(bot.get_updates(timeout=100_000)))
        await server.caught_up()
        began = loop.time()
        await server.close()
        assert loop.time() - began < 0.5


async def test_every_call_is_kept_in_order_with_decoded_parameters(stage):
    await stage.bot.send_message(stage.ann.id, "hi", disable_notification=True)
    await stage.bot.get_updates(offset=3, allowed_updates=["message"])
    assert [call.method for call in stage.server.calls()] == ["getMe", "sendMessage", "getUpdates"]
    sent, polled = stage.server.calls()[1:]
    assert sent.params == {"chat_id": stage.ann.id, "text": "hi", "disable_notification": True}
    assert (polled.params["offset"], polled.params["allowed_updates"]) == (3, ["message"])
    assert (sent.status, sent.result["text"], sent.at) == (200, "hi", stage.world.now)


async def test_hundreds_of_calls_a_second(stage):
    began = time.perf_counter()
    for _ in range(100):
        await stage.bot.send_chat_action(stage.ann.id, "typing")
    assert time.perf_counter() - began < 2
    assert len(stage.server.calls("sendChatAction")) == 100


async def _outcome(call) -> object:
    try:
        return await call
    except telegram.error.TelegramError as error:
        return error
