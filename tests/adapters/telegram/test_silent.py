"""One process polls and another speaks: what is said, asked and known here is as if both were one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from adapters.telegram import TelegramAdapter
from adapters.telegram.handoff import TelegramHandoff
from bot.domain.ids import ChannelId
from bot.domain.messages import Button
from bot.domain.permalinks import MessageLocation
from tests.adapters.relayed import LISTENER, SPEAKER, Relayed
from tests.adapters.telegram.connected import Connected, connected, eventually, here, message, refusal
from tests.fakes.values import inbound
from tests.servers.telegram import Chat


@dataclass
class Apart:
    """A forum with Ann and the bot, polled for by one process, with a voice in another."""

    on: Connected
    voice: TelegramAdapter
    relay: Relayed
    forum: Chat


@pytest.fixture
async def apart() -> AsyncIterator[Apart]:
    async with connected() as on:
        voice = on.another(**SPEAKER)
        made = Apart(
            on,
            voice,
            Relayed(on.make(**LISTENER), voice, on.ears, on.clock),
            on.world.supergroup("Tea", on.ann, forum=True, username="teahouse"),
        )
        on.world.add_bot(made.forum)
        on.world.promote(made.forum, on.bot)
        on.listen(made.relay)
        await on.caught_up()
        on.runs(voice, made.relay)
        await eventually(lambda: voice.health().state == "up")
        yield made
        await voice.close()


async def test_who_only_speaks_says_so_and_polls_nothing():
    async with connected() as on:
        quiet = on.make(**SPEAKER)
        on.listen()
        await eventually(lambda: quiet.health().state == "up")
        on.clock.advance(3600)
        health = quiet.health()
        assert (health.state, health.detail) == ("up", "this process only sends and asks here; another one listens")
        assert dict(health.facts)["listens"] == "no" and "last_poll_at" not in dict(health.facts)
        (polling,) = [probe for probe in await quiet.probe(None) if probe.name == "telegram polling"]
        assert (polling.state, polling.evidence) == ("ok", f"up: {health.detail}")
        assert (await quiet.send(message(on.world.dm(on.ann), "hello"))).message_id
        assert not on.server.calls("getUpdates")


async def test_a_voice_without_a_token_that_telegram_knows_says_why(apart):
    apart.on.bot.token, kept = "1:other", apart.on.bot.token
    other = apart.on.another(**SPEAKER)
    apart.on.bot.token = kept
    running = apart.on.runs(other, apart.on.ears)
    await eventually(lambda: other.health().code == "token")
    assert other.health().state == "down"
    assert (await refusal(other.send(message(apart.forum, "hello")))).code == "token"
    running.cancel()
    await asyncio.wait([running])
    await other.close()


async def test_a_press_is_answered_with_the_words_of_the_other_process(apart):
    on, dm = apart.on, apart.on.world.dm(apart.on.ann)
    on.ears.answer = "Resumed."
    sent = await apart.voice.send(message(dm, "Paused", buttons=(Button(label="Resume", data="r"),)))
    press = on.world.press(on.world.messages(dm)[-1], "Resume", on.ann)
    await eventually(lambda: press.answer is not None)
    assert sent.message_id and press.answer["text"] == "Resumed." and on.ears.presses[0].channel == here(dm)


async def test_a_reaction_in_a_topic_is_put_where_the_message_was_sent(apart):
    on = apart.on
    topic = on.world.topic(apart.forum, "Green")
    await apart.voice.send(message(apart.forum, "green tea", topic=topic.id))
    on.world.react(on.world.messages(apart.forum)[-1], on.ann, "👍")
    await on.ears.until(lambda: "message_reaction" in on.ears.events)
    assert on.ears.heard_all[-1].channel == here(apart.forum, topic.id)


async def test_public_names_and_moves_are_known_to_who_is_told_of_them(apart):
    on = apart.on
    name = "https://t.me/teahouse/5"
    assert apart.voice.resolve(name) == MessageLocation(ChannelId("telegram:@teahouse"), "5")
    on.world.say(apart.forum, on.ann, "tea!")
    on.world.say(on.world.dm(on.ann), on.ann, f"why is {name} silent?")
    await on.ears.until(lambda: f"why is {name} silent?" in on.ears.said)
    assert apart.voice.resolve(name) == on.telegram.resolve(name) and apart.voice.resolve(name).channel == here(
        apart.forum
    )
    old = on.world.group("Coffee", on.ann)
    on.world.add_bot(old)
    new = on.world.migrate(old)
    await on.caught_up()
    calls = len(on.server.calls("sendMessage"))
    await apart.voice.send(message(old, "black"))
    assert on.world.messages(new)[-1].text == "black" and len(on.server.calls("sendMessage")) == calls + 1


async def test_a_new_name_of_the_bot_is_known_to_who_is_told_something(apart):
    on = apart.on
    assert apart.voice.invitation("x") == "https://t.me/glassmind_bot?start=x"
    on.bot.username = "clearmind_bot"
    on.world.say(on.world.dm(on.ann), on.ann, "@clearmind_bot tea?")
    await on.ears.until(lambda: "@clearmind_bot tea?" in on.ears.said)
    assert apart.voice.invitation("x") == "https://t.me/clearmind_bot?start=x"
    assert dict(apart.voice.health().facts)["username"] == "clearmind_bot"


async def test_what_was_written_by_another_version_or_somewhere_else_does_no_harm(apart):
    said = inbound(channel=ChannelId("telegram:elsewhere"), adapter="telegram")
    for text in ("", "{", '{"names":{"tea":"x"}}', '{"of_tomorrow":1}'):
        assert apart.voice.take_up(said, text) == said
    assert TelegramHandoff(names={"tea": -5}).stored == '{"names":{"tea":-5}}'
    assert apart.voice.take_up(said, '{"names":{"coffee":-6},"more":{}}') == said
    assert apart.voice.resolve("@coffee") == MessageLocation(ChannelId("telegram:-6"))
    business = said.replace(channel=ChannelId("telegram:business:x:5"))
    apart.voice.take_up(business, "")
    assert "business_at" in dict(apart.voice.health().facts)
