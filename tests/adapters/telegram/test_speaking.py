"""A private thread is a topic where there are topics, else a message that everything answers."""

from __future__ import annotations

import pytest

from adapters.telegram.places import NAME
from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import OutgoingMessage
from tests.adapters.telegram.connected import connected, refusal
from tests.servers.telegram import Drops, Refuses


@pytest.fixture
async def on():
    async with connected() as connection:
        yield connection


@pytest.fixture
def ann(on):
    return PersonKey(NAME, UserId(str(on.ann.id)))


async def test_a_topic_is_a_channel_of_its_own(on, ann):
    on.bot.topics = True
    address = await on.telegram.open_thread(ann, "Tea · paused")
    dm = on.world.dm(on.ann)
    (topic,) = dm.topics.values()
    assert (address.channel, address.thread) == (f"telegram:{on.ann.id}:{topic.id}", "")
    assert (address.private_to, topic.name) == (ann.user_id, "Tea · paused")
    await on.telegram.send(OutgoingMessage(nonce="n", to=address, text="inside"))
    assert "glassmind_bot< inside" in on.world.transcript(dm, topic)
    on.listen()
    on.world.say(dm, on.ann, "and why?", topic=topic.id)
    await on.caught_up()
    assert on.ears.heard_all[-1].channel == address.channel and on.ears.heard_all[-1].place.is_dm


@pytest.mark.parametrize("has_topics", [False, True])
async def test_without_topics_everything_answers_a_titled_message(on, ann, has_topics):
    on.bot.topics, on.world.switches.private_topics = has_topics, False
    address = await on.telegram.open_thread(ann, "Tea · paused")
    dm = on.world.dm(on.ann)
    assert (address.channel, address.private_to) == (f"telegram:{on.ann.id}", ann.user_id)
    root = dm.messages[int(address.thread)]
    assert root.text == "Tea · paused" and root.json["entities"][0]["type"] == "bold"
    receipt = await on.telegram.send(OutgoingMessage(nonce="n", to=address, text="because"))
    assert dm.messages[int(receipt.message_id)].reply_to == root.id


@pytest.mark.parametrize("has_topics", [False, True])
async def test_a_closed_chat_opens_no_thread(on, has_topics):
    on.bot.topics = has_topics
    stranger = on.world.person("Bo")
    for user in (str(stranger.id), "5000999999", "nobody"):
        error = await refusal(on.telegram.open_thread(PersonKey(NAME, UserId(user)), "Tea"))
        assert (error.code, error.permanent) == ("dm_closed", True)
    on.world.block(on.ann)
    error = await refusal(on.telegram.open_thread(PersonKey(NAME, UserId(str(on.ann.id))), "Tea"))
    assert (error.code, error.permanent) == ("dm_closed", True)


async def test_what_passes_by_itself_is_not_permanent(on, ann):
    on.server.fault("sendMessage", Drops())
    assert not (await refusal(on.telegram.open_thread(ann, "Tea"))).permanent
    on.bot.topics = True
    on.server.fault("createForumTopic", Refuses(400, "Bad Request: the chat is not a forum"))
    assert (await on.telegram.open_thread(ann, "Tea")).thread
