"""What was refused is told from what was lost, and what was lost is never sent again by the adapter."""

from __future__ import annotations

import pytest

from adapters.telegram.sender import keyboard, plain_text
from bot.domain.ids import ChannelId, UserId
from bot.domain.messages import Button, EventKind, OutboundAddress, OutgoingFile, OutgoingMessage
from bot.errors import DeliveryError
from bot.ports.platform import MESSAGE_GONE
from bot.text.text import utf16_length
from tests.adapters.telegram.connected import connected, here, message, refusal
from tests.servers.telegram import Answers, BadGateway, Dribbles, Drops, Flood, Hangs, Refuses, Truncated


def named(one):
    return one if isinstance(one, str | bool) else type(one).__name__


@pytest.fixture
async def on():
    async with connected() as connection:
        yield connection


@pytest.fixture
def dm(on):
    return on.world.dm(on.ann)


@pytest.fixture
def group(on):
    group = on.world.supergroup("Tea", on.ann, forum=True)
    on.world.add_bot(group)
    return group


async def test_a_message_arrives_with_its_marks_its_buttons_and_no_preview(on, dm):
    question = on.world.say(dm, on.ann, "well?")
    buttons = (Button(label="Yes", data="y"), Button(label="No", data="n"))
    text = "**Tea** at https://example.org/x, @james"
    receipt = await on.telegram.send(message(dm, text, replies_to=str(question.id), buttons=buttons))
    posted = dm.messages[int(receipt.message_id)]
    assert posted.text == "Tea at https://example.org/x, @\u2060james" and posted.reply_to == question.id
    assert receipt.at == posted.json["date"] * 1000
    assert [button["callback_data"] for button in posted.buttons] == ["y", "n"]
    (call,) = on.server.calls("sendMessage")
    assert "parse_mode" not in call.params and call.params["link_preview_options"] == {"is_disabled": True}
    assert [one["type"] for one in call.params["entities"]] == ["bold"]


async def test_a_topic_gets_what_is_for_it(on, group):
    topic = on.world.topic(group, "Cakes")
    await on.telegram.send(message(group, "inside", topic=topic.id))
    assert "glassmind_bot< inside" in on.world.transcript(group, topic)


async def test_an_answer_to_what_is_gone_is_sent_all_the_same(on, dm):
    question = on.world.say(dm, on.ann, "well?")
    on.world.delete(question)
    await on.telegram.send(message(dm, "yes", replies_to=str(question.id)))
    assert on.world.transcript(dm).endswith("glassmind_bot< yes")


LOST = [
    (Drops(applied=True), "cut"),
    (Drops(applied=False), "cut"),
    (Drops(applied=True, reset=True), "cut"),
    (Hangs(applied=True), "timeout"),
    (Truncated(20, cut=True), "cut"),
    (Truncated(20), "http_200"),
    (BadGateway(), "http_502"),
    (BadGateway(504, applied=True), "http_504"),
    (Refuses(500, "Internal Server Error"), "server_error"),
    (Answers(b'{"ok":true}', applied=True), "http_200"),
    (Answers(b"nonsense"), "http_200"),
]


@pytest.mark.parametrize(("fault", "code"), LOST, ids=named)
async def test_what_may_have_arrived_is_uncertain_and_sent_once(on, dm, fault, code):
    on.server.fault("sendMessage", fault)
    error = await refusal(on.telegram.send(message(dm, "hello")))
    assert (error.uncertain, error.permanent, error.code) == (True, False, code)
    assert len(on.server.calls("sendMessage")) == 1


async def test_what_never_left_can_be_sent_again(on, dm):
    await on.server.refuse()
    error = await refusal(on.telegram.send(message(dm, "hello")))
    assert (error.uncertain, error.permanent, error.code) == (False, False, "unreachable")
    assert "ClientConnector" in str(error)
    await on.server.accept()
    await on.telegram.send(message(dm, "hello"))
    assert on.world.transcript(dm) == "glassmind_bot< hello"


async def test_an_address_that_does_not_exist_was_never_reached():
    async with connected(base_url="http://nowhere.invalid/bot") as on:
        error = await refusal(on.telegram.send(message(on.world.dm(on.ann), "hello")))
        assert (error.uncertain, error.code) == (False, "unreachable")


async def test_a_slow_answer_is_an_answer(on, dm):
    on.server.fault("sendMessage", Dribbles(9))
    assert (await on.telegram.send(message(dm, "hello"))).message_id


REFUSED = [
    (Flood(7), "flood", False),
    (Refuses(403, "Forbidden: bot was blocked by the user"), "dm_closed", True),
    (Refuses(403, "Forbidden: user is deactivated"), "dm_closed", True),
    (Refuses(403, "Forbidden: bot can't initiate conversation with a user"), "dm_closed", True),
    (Refuses(400, "Bad Request: chat not found"), "dm_closed", True),
    (Refuses(400, "Bad Request: message is too long"), "too_long", True),
    (Refuses(400, "Bad Request: message text is empty"), "empty", True),
    (Refuses(400, "Bad Request: TOPIC_CLOSED"), "topic_closed", True),
    (Refuses(400, "Bad Request: message thread not found"), "topic_gone", True),
    (Refuses(400, "Bad Request: something new"), "refused", True),
    (BadGateway(413), "file_too_large", True),
    (BadGateway(403), "http_403", False),
    (BadGateway(429), "flood", False),
    (Refuses(401, "Unauthorized"), "token", False),
]


@pytest.mark.parametrize(("fault", "code", "permanent"), REFUSED, ids=named)
async def test_a_refusal_is_named_and_certain(on, dm, fault, code, permanent):
    on.server.fault("sendMessage", fault)
    error = await refusal(on.telegram.send(message(dm, "hello")))
    assert (error.code, error.permanent, error.uncertain) == (code, permanent, False)
    assert error.retry_after == (7 if isinstance(fault, Flood) else 5.0 if code == "flood" else None)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Bad Request: not enough rights to send text messages to the chat", "no_rights"),
        ("Bad Request: need administrator rights in the channel chat", "no_rights"),
        ("Forbidden: CHAT_WRITE_FORBIDDEN", "no_rights"),
        ("Bad Request: chat not found", "chat_not_found"),
        ("Forbidden: bot is not a member of the supergroup chat", "not_member"),
        ("Forbidden: bot was kicked from the group chat", "not_member"),
    ],
)
async def test_what_a_group_refuses(on, group, words, code):
    on.server.fault("sendMessage", Refuses(403 if words.startswith("F") else 400, words))
    assert (await refusal(on.telegram.send(message(group, "hello")))).code == code


async def test_marks_that_telegram_does_not_want_are_sent_as_they_were_written(on, dm):
    on.server.fault("sendMessage", Refuses(400, "Bad Request: can't parse entities: wrong offset"))
    await on.telegram.send(message(dm, "**Tea** for @james"))
    assert on.world.transcript(dm) == "glassmind_bot< **Tea** for @\u2060james"


async def test_a_closed_private_chat_is_closed(on, dm):
    stranger = on.world.person("Bo")
    error = await refusal(on.telegram.send(message(on.world.dm(stranger), "hello")))
    assert (error.code, error.permanent) == ("dm_closed", True)
    on.world.block(on.ann)
    assert (await refusal(on.telegram.send(message(dm, "hello")))).code == "dm_closed"


async def test_private_words_go_to_one_person_alone(on, group):
    address = OutboundAddress(platform="telegram", channel=here(group), private_to=UserId(str(on.ann.id)))
    error = await refusal(on.telegram.send(OutgoingMessage(nonce="n", to=address, text="secret")))
    assert (error.code, error.permanent) == ("not_private", True)
    assert not on.server.calls("sendMessage")


@pytest.mark.parametrize("channel", ["telegram:elsewhere", "telegram:@tea", "telegram:0", "discord:1", "telegram:1:x"])
async def test_what_is_no_chat_gets_nothing(on, channel):
    address = OutboundAddress(platform="telegram", channel=ChannelId(channel))
    error = await refusal(on.telegram.send(OutgoingMessage(nonce="n", to=address, text="hello")))
    assert (error.code, error.permanent) == ("chat_not_found", True)


async def test_a_group_that_moved_is_followed_once_and_said_to_have_moved(on):
    group = on.world.group("Tea", on.ann)
    on.world.add_bot(group)
    on.bot.inlet.clear()
    new = on.world.migrate(group)
    on.bot.inlet.clear()
    on.listen()
    await on.caught_up()
    receipt = await on.telegram.send(message(group, "hello", replies_to="3"))
    assert new.messages[int(receipt.message_id)].text == "hello"
    (move,) = [inbound.event for inbound in on.ears.heard_all]
    assert (move.kind, move.moved_to) == (EventKind.MOVED, here(new))
    await on.telegram.send(message(group, "again"))
    assert [call.params["chat_id"] for call in on.server.calls("sendMessage")] == [group.id, new.id, new.id]


async def test_an_edit_takes_the_place_of_a_message(on, dm):
    first = await on.telegram.send(message(dm, "thinking"))
    receipt = await on.telegram.send(message(dm, "**done**", edits=first.message_id))
    assert receipt.message_id == first.message_id
    assert on.world.transcript(dm) == "glassmind_bot< done (edited)"
    again = await on.telegram.send(message(dm, "**done**", edits=first.message_id))
    assert again.message_id == first.message_id, "the same text again is no error"


async def test_an_edit_that_was_lost_can_be_repeated(on, dm):
    first = await on.telegram.send(message(dm, "thinking"))
    on.server.fault("editMessageText", Drops(applied=True))
    error = await refusal(on.telegram.send(message(dm, "done", edits=first.message_id)))
    assert not error.uncertain and not error.permanent
    await on.telegram.send(message(dm, "done", edits=first.message_id))
    assert on.world.transcript(dm) == "glassmind_bot< done (edited)"


async def test_an_edit_of_what_is_gone_is_left_to_the_outbox(on, dm):
    first = await on.telegram.send(message(dm, "thinking"))
    on.world.delete(dm.messages[int(first.message_id)])
    error = await refusal(on.telegram.send(message(dm, "done", edits=first.message_id)))
    # what was posted from here instead could be repeated by an outbox that repeats edits
    assert (error.code, error.permanent) == (MESSAGE_GONE, True) and on.world.transcript(dm) == ""


async def test_what_is_taken_back_is_gone_and_twice_is_no_error(on, dm):
    first = await on.telegram.send(message(dm, "thinking"))
    for _ in range(2):
        await on.telegram.retract(here(dm), first.message_id)
    assert on.world.transcript(dm) == ""
    assert (await refusal(on.telegram.retract(here(dm), "nonsense"))).permanent


async def test_what_is_too_old_to_be_taken_back_stays_and_that_is_said(on, dm):
    first = await on.telegram.send(message(dm, "an export"))
    dm.messages[int(first.message_id)].json["date"] -= 49 * 3600
    error = await refusal(on.telegram.retract(here(dm), first.message_id))
    assert (error.code, error.permanent) == ("too_old", True)
    assert on.world.transcript(dm) == "glassmind_bot< an export"


async def test_what_is_too_old_to_be_edited_is_still_there(on, dm):
    first = await on.telegram.send(message(dm, "thinking"))
    on.server.fault("editMessageText", Refuses(400, "Bad Request: message can't be edited"))
    error = await refusal(on.telegram.send(message(dm, "done", edits=first.message_id)))
    assert (error.code, error.permanent) == ("too_old", True)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "dump.json").write_bytes(b'{"tea":1}')
    return OutgoingFile(name="dump.json", path=str(tmp_path / "dump.json"), mimetype="application/json")


async def test_a_file_goes_with_its_words(on, dm, file):
    await on.telegram.send(message(dm, "the **dump**", file=file, buttons=(Button(label="ok", data="o"),)))
    (call,) = on.server.calls("sendDocument")
    assert on.world.transcript(dm) == "glassmind_bot< [dump.json] the dump [ok]"
    assert call.files["document"].content == b'{"tea":1}'


async def test_words_too_many_for_a_caption_follow_the_file(on, dm, file):
    receipt = await on.telegram.send(message(dm, "x" * 2000, file=file))
    assert [call.method for call in on.server.calls()] == ["sendDocument", "sendMessage"]
    assert dm.messages[int(receipt.message_id)].text == "x" * 2000
    on.server.fault("sendMessage", Flood(3))
    error = await refusal(on.telegram.send(message(dm, "x" * 2000, file=file)))
    assert (error.code, error.uncertain) == ("half", True), "to begin again would send the file twice"


async def test_a_file_that_is_gone_is_refused_before_anything_is_sent(on, dm):
    gone = OutgoingFile(name="x", path="/nonexistent/x", mimetype="text/plain")
    assert (await refusal(on.telegram.send(message(dm, "see", file=gone)))).code == "file_gone"
    assert not on.server.calls()


def test_short_buttons_stand_side_by_side():
    def rows(*labels):
        found = keyboard([Button(label=label, data="d") for label in labels])
        return [[button.text for button in row] for row in found.inline_keyboard]

    assert rows("Yes", "No", "Ask", "All") == [["Yes", "No", "Ask"], ["All"]]
    assert rows("Forget this memory now…", "Show it") == [["Forget this memory now…", "Show it"]]
    assert rows("Forget this memory now, please…", "Show it") == [["Forget this memory now, please…"], ["Show it"]]
    assert keyboard([]) is None


def test_names_that_call_nobody_never_make_a_text_too_long():
    text = ("@james " * 600)[:4096]
    assert utf16_length(text) == 4096 >= utf16_length(plain_text(text).text)
    assert plain_text("***").text == "***" and plain_text("").text == ""


# rich messages

TABLE = "| a | b |\n|---|---|\n| c | d |"


async def test_a_table_arrives_with_what_stands_around_it(on, group):
    topic, question = on.world.topic(group, "Cakes"), on.world.say(group, on.ann, "well?")
    buttons = (Button(label="Yes", data="y"),)
    receipt = await on.telegram.send(
        message(group, TABLE, topic=topic.id, replies_to=str(question.id), buttons=buttons)
    )
    posted = group.messages[int(receipt.message_id)]
    assert posted.text == "| a | b |\n| c | d |" and receipt.at == posted.json["date"] * 1000 and not receipt.note
    assert (posted.thread, posted.reply_to) == (topic.id, question.id)
    assert [button["callback_data"] for button in posted.buttons] == ["y"]
    (call,) = on.server.calls("sendRichMessage")
    assert call.params["reply_parameters"]["allow_sending_without_reply"] is True


async def test_an_edit_puts_a_table_there_with_its_buttons_and_words_again(on, dm):
    number = (await on.telegram.send(message(dm, "wait"))).message_id
    buttons = (Button(label="Yes", data="y"),)
    await on.telegram.send(message(dm, TABLE, edits=number, buttons=buttons))
    posted = dm.messages[int(number)]
    assert posted.text == "| a | b |\n| c | d |" and [one["callback_data"] for one in posted.buttons] == ["y"]
    await on.telegram.send(message(dm, TABLE, edits=number, buttons=buttons))
    assert posted.edits == 1, "what stands there already is no failure"
    await on.telegram.send(message(dm, "done", edits=number))
    assert posted.text == "done" and posted.buttons == []


@pytest.mark.parametrize(
    "words",
    [
        "Bad Request: can't parse rich message: whatever",
        "Bad Request: RICH_MESSAGE_EMAIL_INVALID",
        "Bad Request: RICH_VALIDATE_CTOR_NOT_ALLOWED",
        "Bad Request: message is too long",
        "Bad Request: what nobody has heard of",
    ],
)
async def test_what_is_refused_for_its_form_goes_out_in_another(on, dm, words):
    on.server.fault("sendRichMessage", Refuses(400, words), times=1)
    first, second = [await on.telegram.send(message(dm, TABLE)) for _ in range(2)]
    assert dm.messages[int(first.message_id)].text == "a  b\n─  ─\nc  d"
    assert dm.messages[int(second.message_id)].text == "| a | b |\n| c | d |"


@pytest.mark.parametrize(
    "refused",
    [
        Refuses(404, "Not Found"),
        Refuses(404, "Not Found: method not found"),
        Refuses(400, "Bad Request: method not found"),
    ],
)
async def test_a_server_without_them_is_not_asked_again(on, dm, refused):
    on.server.fault("sendRichMessage", refused)
    for _ in range(2):
        receipt = await on.telegram.send(message(dm, TABLE))
        assert dm.messages[int(receipt.message_id)].text == "a  b\n─  ─\nc  d"
    assert len(on.server.calls("sendRichMessage")) == 1


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        (Refuses(401, "Unauthorized"), "token"),
        (Refuses(403, "Forbidden: bot was blocked by the user"), "dm_closed"),
        (Refuses(400, "Bad Request: not enough rights to send text messages to the chat"), "no_rights"),
        (Refuses(400, "Bad Request: chat not found"), "dm_closed"),
        (Flood(7), "flood"),
        (Drops(), "cut"),
        (BadGateway(), "http_502"),
        (Refuses(500, "Internal Server Error"), "server_error"),
    ],
)
async def test_what_holds_for_every_form_is_said_and_nothing_else_is_sent(on, dm, refused, code):
    on.server.fault("sendRichMessage", refused)
    with pytest.raises(DeliveryError) as caught:
        await on.telegram.send(message(dm, TABLE))
    assert caught.value.code == code and not on.server.calls("sendMessage")
    assert caught.value.uncertain is (code in {"cut", "http_502", "server_error"})


async def test_a_table_under_a_file_is_drawn(on, dm, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a")
    file = OutgoingFile(name="a.txt", path=str(path), mimetype="text/plain")
    receipt = await on.telegram.send(message(dm, TABLE, file=file))
    assert dm.messages[int(receipt.message_id)].text == "a  b\n─  ─\nc  d"


async def test_a_call_that_comes_late_opens_nothing_again():
    async with connected() as on:
        dm = on.world.dm(on.ann)
        await on.telegram.send(message(dm, "green tea"))
        await on.telegram.close()
        error = await refusal(on.telegram.send(message(dm, "black tea")))
        assert (error.code, error.permanent, error.uncertain) == ("unreachable", False, False)
        assert len(on.server.calls("sendMessage")) == 1
