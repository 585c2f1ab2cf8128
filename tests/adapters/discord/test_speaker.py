"""A private thread is a titled message that everything answers; an answer that is written is a message that changes."""

from __future__ import annotations

import pytest

from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import OutboundAddress, OutgoingMessage, Preview
from tests.adapters.discord.conversation import here, message, person, refusal, speaking
from tests.servers.discord import Drops


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


async def test_everything_answers_a_titled_message(on):
    address = await on.bot.open_thread(person(on.ann), "Tea *and* @everyone · paused")
    assert (address.channel, address.private_to) == (f"discord:dm:{on.ann.id}", str(on.ann.id))
    dm = on.ann.dm()
    root = dm.messages[int(address.thread)]
    assert root.text == "**Tea \\*and\\* @\u2060everyone · paused**"
    (call,) = on.server.calls("create_message")
    assert (
        call.json["flags"] == 4 | 1 << 12
        and call.json["enforce_nonce"]
        and call.json["allowed_mentions"]["parse"] == []
    )
    receipt = await on.bot.send(OutgoingMessage(nonce="n", to=address, text="because"))
    assert dm.messages[int(receipt.message_id)].referenced is root
    asked = await on.ann.says(on.me, "why?")
    receipt = await on.bot.send(OutgoingMessage(nonce="n2", to=address, text="so", replies_to=str(asked.id)))
    assert dm.messages[int(receipt.message_id)].referenced is asked


async def test_a_title_that_was_lost_on_its_way_stands_there_once(on):
    on.server.fault("create_message", Drops(applied=True))
    address = await on.bot.open_thread(person(on.ann), "Tea")
    assert on.ann.dm().transcript() == "glassmind< **Tea**" and address.thread == str(on.ann.dm().last.id)
    again = await on.bot.open_thread(person(on.ann), "Tea")
    assert again.thread != address.thread, "another question is another thread"


async def test_a_closed_private_chat_opens_no_thread(on):
    on.ben.takes_dms = False
    nobody = [PersonKey(platform, UserId(user)) for platform, user in (("discord", "9"), ("discord", "x"), ("no", "1"))]
    for who in (person(on.ben), *nobody):
        error = await refusal(on.bot.open_thread(who, "Tea"))
        assert (error.code, error.permanent) == ("dm_closed", True)
    assert on.support.transcript() == ""


async def test_what_passes_by_itself_is_not_permanent(on):
    on.server.fault("create_message", Drops(), times=2)
    error = await refusal(on.bot.open_thread(person(on.ann), "Tea"))
    assert not error.permanent and error.uncertain


def shown(on, text, message_id="", channel=None, **more):
    to = OutboundAddress(platform="discord", channel=here(channel or on.support))
    return Preview(to=to, text=text, number=7, message_id=message_id, **more)


async def test_an_answer_grows_in_one_message(on):
    asked = await on.ann.says(on.support, "which?")
    first = await on.bot.preview(shown(on, "green @here", replies_to=str(asked.id)))
    assert await on.bot.preview(shown(on, "green tea", first)) == first
    await on.bot.send(message(on.support, "green tea, of course", edits=first))
    (mine,) = [one for one in on.support.standing if one.author is on.me]
    assert mine.text == "green tea, of course" and mine.referenced is asked
    assert on.clock.slept == [1.25], "who is too fast waits"


async def test_an_answer_that_is_gone_is_told(on):
    error = await refusal(on.bot.preview(shown(on, "green", "77")))
    assert (error.code, error.permanent) == ("message_gone", True)


async def test_a_change_that_was_lost_may_still_come_true(on):
    first = await on.bot.preview(shown(on, "green"))
    on.server.fault("edit_message", Drops(applied=False))
    error = await refusal(on.bot.preview(shown(on, "green tea", first)))
    assert error.uncertain and not error.permanent, "the answer must not stand where it could be undone"


async def test_a_preview_that_was_lost_stands_there_once(on):
    on.server.fault("create_message", Drops(applied=True))
    first = await on.bot.preview(shown(on, "green"))
    assert first == str(on.support.last.id) and len(on.support.standing) == 1
