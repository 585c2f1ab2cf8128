"""What is sent arrives once, with its buttons and files, and calls nobody."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId, UserId
from bot.domain.messages import Button, OutboundAddress, OutgoingFile, OutgoingMessage
from bot.domain.rich_messages import Card, CardField, Poll, lay_out
from bot.ports.platform import MESSAGE_GONE
from tests.adapters.discord.conversation import dm, here, message, refusal, speaking
from tests.servers.discord import BadGateway, Drops, Flood, Hangs, Refuses, Truncated


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


async def test_a_message_arrives_with_its_buttons_and_without_previews(on):
    question = await on.ann.says(on.support, "well?")
    buttons = tuple(Button(label=f"B{n}", data=f"d{n}") for n in range(6))
    text = "**Tea** at https://example.org/x, <@1> @everyone"
    receipt = await on.bot.send(message(on.support, text, replies_to=str(question.id), buttons=buttons))
    posted = on.support.messages[int(receipt.message_id)]
    assert posted.text == "**Tea** at https://example.org/x, <@1> @\u2060everyone"
    assert [one["label"] for one in posted.buttons] == ["B0", "B1", "B2", "B3", "B4", "B5"]
    (call,) = on.server.calls("create_message")
    assert [len(row["components"]) for row in call.json["components"]] == [5, 1]
    assert call.json["flags"] == 4 and call.json["allowed_mentions"] == {"parse": [], "replied_user": False}
    assert (call.json["nonce"], call.json["enforce_nonce"]) == ("n1", True)
    assert call.json["message_reference"] == {"message_id": str(question.id), "fail_if_not_exists": False}
    assert not posted.pings and receipt.at == on.clock.now()


async def test_the_same_nonce_is_the_same_message(on):
    first, second = [await on.bot.send(message(on.support, "hello", nonce="a1")) for _ in range(2)]
    assert first == second and on.support.transcript() == "glassmind< hello"


async def test_an_answer_to_what_is_gone_is_sent_all_the_same(on):
    question = await on.ann.says(on.support, "well?")
    await on.ann.deletes(question)
    await on.bot.send(message(on.support, "yes", replies_to=str(question.id)))
    await on.bot.send(message(on.support, "no", nonce="n2", replies_to="no number"))
    assert on.support.transcript() == "glassmind< yes\nglassmind< no"


async def test_who_may_not_read_answers_nothing_in_particular(on):
    question = await on.ann.says(on.support, "well?")
    on.server.fault("create_message", Refuses(400, 160002, "Cannot reply without permission to read message history"))
    await on.bot.send(message(on.support, "yes", replies_to=str(question.id)))
    first, second = on.server.calls("create_message")
    assert "message_reference" in first.json and "message_reference" not in second.json


async def test_a_private_chat_is_opened_once(on):
    for n in range(3):
        await on.bot.send(message(on.ann, f"psst {n}", nonce=f"n{n}"))
    assert on.ann.dm().transcript() == "glassmind< psst 0\nglassmind< psst 1\nglassmind< psst 2"
    assert len(on.server.calls("create_dm")) == 1


async def test_a_private_chat_with_another_number_is_found_again(on):
    on.desk.dms.learn(on.ann.id, 999)
    await on.bot.send(message(on.ann, "psst"))
    assert on.ann.dm().transcript() == "glassmind< psst"


LOST = [Drops(applied=True), Drops(applied=False), Drops(applied=True, reset=True), Truncated(20, cut=True)]


@pytest.mark.parametrize("fault", LOST, ids=repr)
async def test_what_may_have_arrived_is_sent_again_and_is_there_once(on, fault):
    on.server.fault("create_message", fault)
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.uncertain, error.permanent, error.code) == (True, False, "cut")
    await on.bot.send(message(on.support, "hello"))
    assert on.support.transcript() == "glassmind< hello"


async def test_a_server_that_says_nothing_is_not_waited_for():
    async with speaking(request_timeout=0.3) as on:
        on.server.fault("create_message", Hangs(applied=True))
        error = await refusal(on.bot.send(message(on.support, "hello")))
        assert (error.uncertain, error.code) == (True, "timeout")
        assert "no answer within 0.3 s" in str(error)


async def test_what_never_left_can_be_sent_again(on):
    await on.server.refuse()
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.uncertain, error.permanent, error.code) == (False, False, "unreachable")
    await on.server.accept()
    await on.bot.send(message(on.support, "hello"))
    assert on.support.transcript() == "glassmind< hello"


async def test_an_address_that_does_not_exist_was_never_reached():
    async with speaking(rest_url="http://nowhere.invalid/api/v10") as on:
        error = await refusal(on.bot.send(message(on.support, "hello")))
        assert (error.uncertain, error.code) == (False, "unreachable")


async def test_a_short_flood_is_waited_for_and_a_ban_is_told(on):
    on.server.fault("create_message", Flood(0.01))
    await on.bot.send(message(on.support, "hello"))
    assert len(on.server.limited) == 1 and on.support.transcript() == "glassmind< hello"
    on.server.fault("create_message", Flood(77))
    error = await refusal(on.bot.send(message(on.support, "hello", nonce="n2")))
    assert (error.code, error.permanent) == ("flood", False) and 77 <= error.retry_after < 78


async def test_long_after_an_attempt_the_channel_is_asked_first(on):
    began = on.clock.now()
    await on.bot.send(message(on.support, "hello **there** ", nonce="a1"))
    on.clock.advance(200)
    # Discord has forgotten the nonce by now, and a fetched message need not show it
    again = await on.bot.send(message(on.support, "hello **there** ", nonce="a1", since=began))
    assert on.support.transcript().count("glassmind<") == 1
    assert again.message_id == str(on.support.last.id)


async def test_long_after_an_attempt_that_failed_it_is_sent(on):
    began = on.clock.now()
    await on.ann.says(on.support, "hello")
    await on.bot.send(message(on.support, "other words", nonce="a0"))
    on.clock.advance(200)
    await on.bot.send(message(on.support, "hello", nonce="a1", since=began))
    assert on.support.transcript().endswith("glassmind< hello")


CARD = Card(title="Tea", description="At https://example.org/x", fields=(CardField(name="Price", value="2"),))
RICH = [CARD, Poll(question="Tea?", options=("Yes", "No"), hours=1)]


def rich_message(on, rich, nonce="n1", **more):
    return message(on.support, lay_out(rich).text, nonce=nonce).replace(rich=rich, **more)


@pytest.mark.parametrize("rich", RICH, ids=["card", "poll"])
async def test_a_card_or_a_poll_that_was_lost_on_its_way_is_there_once(on, rich):
    began = on.clock.now()
    on.server.fault("create_message", Drops(applied=True))
    error = await refusal(on.bot.send(rich_message(on, rich, answers="7:0")))
    assert error.uncertain
    first = await on.bot.send(rich_message(on, rich, answers="7:0"))
    # and long after, when only its words are there to be found
    on.clock.advance(200)
    again = await on.bot.send(rich_message(on, rich, answers="7:0", since=began))
    assert first.message_id == again.message_id == str(on.support.last.id)
    assert on.support.transcript().count("glassmind<") == 1 and first.note == ""
    # nor is another one taken for it
    on.clock.advance(200)
    await on.bot.send(rich_message(on, CARD.replace(title="Coffee"), nonce="n2", since=on.clock.now() - 200_000))
    assert on.support.transcript().count("glassmind<") == 2


@pytest.mark.parametrize("rich", RICH, ids=["card", "poll"])
async def test_what_went_out_as_text_and_was_lost_is_there_once(on, rich):
    on.support.deny(on.guild.everyone, "embed_links", "send_polls")
    on.server.fault("create_message", Drops(applied=True), nth=2)
    error = await refusal(on.bot.send(rich_message(on, rich, answers="7:0")))
    assert error.uncertain
    # the right was given meanwhile, and still it is the same message
    on.support.allow(on.guild.everyone, "embed_links", "send_polls")
    receipt = await on.bot.send(rich_message(on, rich, answers="7:0"))
    assert receipt.message_id == str(on.support.last.id) and on.support.transcript().count("glassmind<") == 1


async def test_who_may_not_write_at_all_gets_no_card_through(on):
    on.support.deny(on.guild.everyone, "send_messages")
    error = await refusal(on.bot.send(rich_message(on, CARD)))
    assert (error.code, error.permanent) == ("rights", True)


async def test_what_arrived_and_was_deleted_is_not_sent_again(on):
    # https://github.com/discord/discord-api-docs/pull/6647
    on.server.fault("create_message", Refuses(404, 10008, "Unknown Message"))
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.code, error.permanent) == (MESSAGE_GONE, True) and "deleted" in str(error)


async def test_the_same_words_to_somebody_else_are_another_message(on):
    began = on.clock.now()
    one, other = await on.ann.says(on.support, "well?"), await on.ben.says(on.support, "and?")
    await on.bot.send(message(on.support, "yes", nonce="a0", replies_to=str(one.id)))
    on.clock.advance(200)
    await on.bot.send(message(on.support, "yes", nonce="a1", replies_to=str(other.id), since=began))
    assert on.support.transcript().count("glassmind< yes") == 2


async def test_a_channel_that_cannot_be_read_gets_the_message(on):
    on.server.fault("get_messages", Refuses(403, 50001, "Missing Access"))
    await on.bot.send(message(on.support, "hello", since=on.clock.now() - 1_000_000))
    assert on.support.transcript() == "glassmind< hello"


async def test_a_history_that_was_lost_is_asked_for_again(on):
    on.server.fault("get_messages", Drops(), times=2)
    error = await refusal(on.bot.send(message(on.support, "hello", since=on.clock.now() - 1_000_000)))
    assert not error.permanent and not on.server.calls("create_message")


async def test_many_messages_since_then_are_looked_through(on):
    began = on.clock.now()
    await on.bot.send(message(on.support, "hello", nonce="a1"))
    for n in range(230):
        await on.ann.says(on.support, str(n))
    on.clock.advance(200)
    await on.bot.send(message(on.support, "hello", nonce="a1", since=began))
    assert on.support.transcript().count("glassmind<") == 1


async def test_an_edit_takes_the_place_of_a_message(on):
    first = await on.bot.send(message(on.support, "thinking", buttons=(Button(label="Stop", data="s"),)))
    receipt = await on.bot.send(message(on.support, "**done** @everyone", edits=first.message_id))
    assert receipt.message_id == first.message_id
    posted = on.support.messages[int(first.message_id)]
    assert posted.text == "**done** @\u2060everyone" and not posted.buttons
    (call,) = on.server.calls("edit_message")
    assert call.json["allowed_mentions"]["parse"] == [] and call.json["flags"] == 4


async def test_an_edit_that_was_lost_can_be_repeated(on):
    first = await on.bot.send(message(on.support, "thinking"))
    on.server.fault("edit_message", Drops(applied=True))
    error = await refusal(on.bot.send(message(on.support, "done", edits=first.message_id)))
    assert not error.uncertain and not error.permanent
    await on.bot.send(message(on.support, "done", edits=first.message_id))
    assert "done" in on.support.transcript()


async def test_an_edit_of_what_is_gone_is_left_to_the_outbox(on):
    first = await on.bot.send(message(on.support, "thinking"))
    await on.bot.retract(here(on.support), first.message_id)
    error = await refusal(on.bot.send(message(on.support, "done", edits=first.message_id)))
    assert (error.code, error.permanent) == (MESSAGE_GONE, True) and on.support.transcript() == ""


async def test_what_is_taken_back_is_gone_and_twice_is_no_error(on):
    first = await on.bot.send(message(on.support, "thinking"))
    for _ in range(2):
        await on.bot.retract(here(on.support), first.message_id)
    assert on.support.transcript() == ""
    assert (await refusal(on.bot.retract(here(on.support), "nonsense"))).permanent


async def test_private_words_go_to_one_person_alone(on):
    address = OutboundAddress(platform="discord", channel=here(on.support), private_to=UserId(str(on.ann.id)))
    error = await refusal(on.bot.send(OutgoingMessage(nonce="n", to=address, text="secret")))
    assert (error.code, error.permanent) == ("not_private", True)
    wrong = OutboundAddress(platform="discord", channel=dm(on.ben), private_to=UserId(str(on.ann.id)))
    assert (await refusal(on.bot.send(OutgoingMessage(nonce="n", to=wrong, text="secret")))).code == "not_private"
    assert not on.server.calls("create_message")


@pytest.mark.parametrize("channel", ["discord:elsewhere", "discord:0:1", "discord:1:x", "telegram:1", "discord:1:2:3"])
async def test_what_is_no_channel_gets_nothing(on, channel):
    address = OutboundAddress(platform="discord", channel=ChannelId(channel))
    error = await refusal(on.bot.send(OutgoingMessage(nonce="n", to=address, text="hello")))
    assert (error.code, error.permanent) == ("chat_not_found", True)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "dump.json").write_bytes(b'{"tea":1}')
    return OutgoingFile(name="dump.json", path=str(tmp_path / "dump.json"), mimetype="application/json")


async def test_a_file_goes_with_its_words_and_calls_nobody(on, file):
    await on.bot.send(message(on.ann, "the **dump** @here", file=file, buttons=(Button(label="ok", data="o"),)))
    (call,) = on.server.calls("create_message")
    assert call.files[0].content == b'{"tea":1}' and call.files[0].name == "dump.json"
    assert call.json["allowed_mentions"]["parse"] == [] and call.json["enforce_nonce"]
    assert on.ann.dm().last.attachments[0]["filename"] == "dump.json"


async def test_a_file_can_come_with_an_edit(on, file):
    first = await on.bot.send(message(on.support, "thinking"))
    await on.bot.send(message(on.support, "the dump", edits=first.message_id, file=file))
    posted = on.support.messages[int(first.message_id)]
    assert (posted.text, [one["filename"] for one in posted.attachments]) == ("the dump", ["dump.json"])


async def test_a_bad_gateway_is_asked_again_for_the_same_with_the_whole_file(on, file):
    on.server.fault("create_message", BadGateway(502, applied=True))
    await on.bot.send(message(on.support, "see", file=file))
    calls = on.server.calls("create_message")
    assert [(call.json["nonce"], call.files[0].content) for call in calls] == [("n1", b'{"tea":1}')] * 2
    assert on.support.transcript().count("glassmind<") == 1


async def test_a_file_that_is_too_large_is_named(on, file):
    on.world.switches.largest_upload = 3
    error = await refusal(on.bot.send(message(on.support, "see", file=file)))
    assert (error.code, error.permanent) == ("too_large", True)


async def test_a_file_that_is_gone_is_refused_before_anything_is_sent(on):
    gone = OutgoingFile(name="x", path="/nonexistent/x", mimetype="text/plain")
    assert (await refusal(on.bot.send(message(on.support, "see", file=gone)))).code == "file_gone"
    assert not on.server.calls()


async def test_a_thread_that_went_to_sleep_is_woken(on):
    root = await on.ann.says(on.support, "tea")
    thread = await on.ann.starts_thread(root, "Tea")
    thread.archive()
    on.server.fault("create_message", Refuses(400, 50083, "Thread is archived"))
    await on.bot.send(message(thread, "hello"))
    assert "glassmind< hello" in thread.transcript() and not thread.is_archived


async def test_a_locked_thread_is_named(on):
    root = await on.ann.says(on.support, "tea")
    thread = await on.ann.starts_thread(root, "Tea")
    thread.archive(locked=True)
    error = await refusal(on.bot.send(message(thread, "hello")))
    assert (error.code, error.permanent) == ("locked", True)
    thread.change(is_archived=False)
    on.server.fault("create_message", Refuses(403, 160005, "Thread is locked"))
    assert (await refusal(on.bot.send(message(thread, "hello")))).code == "locked"


async def test_a_forum_post_is_answered_in_the_post(on):
    forum = on.guild.forum("questions")
    post = await on.ann.posts(forum, "Which tea?", "Which tea is best?")
    await on.bot.send(message(post, "green"))
    assert post.transcript().endswith("glassmind< green")
    error = await refusal(on.bot.send(message(forum, "hello", nonce="n2")))
    assert (error.code, error.permanent) == ("no_text_channel", True)
