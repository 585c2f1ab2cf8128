"""What a bot may send, edit and delete, and in which words the API refuses the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity, ReplyParameters
from telegram.error import BadRequest, Forbidden, RetryAfter

from tests.servers.telegram import Upload
from tests.servers.telegram_client import Stage, a_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


@pytest.fixture
def kitchen(stage):
    return stage.world.supergroup("kitchen", stage.ann, stage.ben, stage.me, username="kitchen")


def buttons(*data: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton(one[:10], callback_data=one)] for one in data])


async def refused(call, words: str, kind: type[Exception] = BadRequest) -> None:
    with pytest.raises(kind) as caught:
        await call
    assert type(caught.value) is kind
    assert words.lower() in str(caught.value).lower()


async def test_a_sent_message_comes_back_as_it_stands(stage):
    asked = stage.world.say(stage.dm, stage.ann, "one?")
    sent = await stage.bot.send_message(
        stage.ann.id,
        "  see /tea or @ann  \n",
        reply_parameters=ReplyParameters(asked.id),
        reply_markup=buttons("y"),
        protect_content=True,
    )
    assert (sent.text, sent.from_user.id, sent.reply_to_message.text) == ("see /tea or @ann", stage.me.id, "one?")
    assert [entity.type for entity in sent.entities] == ["bot_command", "mention"]
    assert (sent.reply_markup.inline_keyboard[0][0].callback_data, sent.has_protected_content) == ("y", True)


@pytest.mark.parametrize("text", ["", "  \n\t "])
async def test_an_empty_text(stage, text):
    await refused(stage.bot.send_message(stage.ann.id, text), "message text is empty")


async def test_the_length_counts_utf_16_units_after_the_markup(stage):
    assert len((await stage.bot.send_message(stage.ann.id, "x" * 4096)).text) == 4096
    bold = await stage.bot.send_message(stage.ann.id, f"<b>{'x' * 4096}</b>", parse_mode="HTML")
    assert bold.entities[0].length == 4096
    await refused(stage.bot.send_message(stage.ann.id, "x" * 4097), "message is too long")
    await refused(stage.bot.send_message(stage.ann.id, "🍵" * 2049), "message is too long")


async def test_control_characters_are_replaced_as_telegram_does(stage):
    assert (await stage.bot.send_message(stage.ann.id, "a\x00b\rc\x1bd\te\u202ef")).text == "a bc d\tef"


@pytest.mark.parametrize(
    ("mode", "text", "words"),
    [
        ("HTML", "<b>x", 'can\'t find end tag corresponding to start tag "b"'),
        ("HTML", "a <x>b</x>", 'unsupported start tag "x" at byte offset 2'),
        ("HTML", "a</b>", "unexpected end tag at byte offset 1"),
        ("HTML", "ä <b><i>x</b></i>", 'unmatched end tag at byte offset 10, expected "</i>", found "</b>"'),
        ("HTML", "1 < 2", "unclosed start tag at byte offset 2"),
        ("MarkdownV2", "a.b", "character '.' is reserved and must be escaped with the preceding '\\'"),
        ("MarkdownV2", "a *b", "can't find end of bold entity at byte offset 2"),
        ("MarkdownV2", "ä `b", "can't find end of code entity at byte offset 3"),
        ("MarkdownV2", "[a](b", "can't find end of a url at byte offset 0"),
        ("Markdown", "a_b", "can't find end of the entity starting at byte offset 1"),
        ("Markdown", "ä [b", "can't find end of the entity starting at byte offset 3"),
    ],
)
async def test_markup_that_does_not_parse(stage, mode, text, words):
    call = stage.bot.send_message(stage.ann.id, text, parse_mode=mode)
    await refused(call, f"can't parse entities: {words}")
    assert stage.world.transcript(stage.dm) == ""


async def test_an_unknown_parse_mode(stage):
    await refused(stage.bot.send_message(stage.ann.id, "x", parse_mode="BBCode"), "unsupported parse_mode")


@pytest.mark.parametrize(
    ("mode", "marked", "plain", "spans"),
    [
        ("HTML", "<b>a</b> &lt;&amp;&#65; <i>c</i>", "a <&A c", [("bold", "a"), ("italic", "c")]),
        ("HTML", '<a href="https://x.org/?a=1">🍵 tea</a>', "🍵 tea", [("text_link", "🍵 tea")]),
        ("HTML", '<pre><code class="language-py">x=1</code></pre>', "x=1", [("pre", "x=1")]),
        ("HTML", "<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", "q")]),
        ("HTML", '<span class="tg-spoiler">s</span><u>u</u><s>t</s>', "sut", None),
        ("MarkdownV2", "*b _i_* ~s~ ||p|| __u__", "b i s p u", None),
        ("MarkdownV2", "`a\\`b` [t](http://x.org/\\))", "a`b t", [("code", "a`b"), ("text_link", "t")]),
        ("MarkdownV2", "```py\nx = 1```", "x = 1", [("pre", "x = 1")]),
        ("MarkdownV2", "1\\. done\\!", "1. done!", []),
        ("MarkdownV2", ">quoted\n>*too*\nnot", "quoted\ntoo\nnot", [("blockquote", "quoted\ntoo"), ("bold", "too")]),
        ("Markdown", "*b* _i_ `c` [t](http://x.org)", "b i c t", None),
    ],
)
async def test_markup_that_parses(stage, mode, marked, plain, spans):
    sent = await stage.bot.send_message(stage.ann.id, marked, parse_mode=mode)
    assert sent.text == plain
    if spans is not None:
        assert [(entity.type, word) for entity, word in sent.parse_entities().items()] == spans
    else:
        assert len(sent.entities) >= 3


async def test_a_language_of_code(stage):
    html = await stage.bot.send_message(
        stage.ann.id, '<pre><code class="language-py">x</code></pre>', parse_mode="HTML"
    )
    marks = await stage.bot.send_message(stage.ann.id, "```rust\nx```", parse_mode="MarkdownV2")
    assert [sent.entities[0].language for sent in (html, marks)] == ["py", "rust"]


async def test_entities_are_checked_in_utf_16_units(stage):
    async def send(offset: int, length: int) -> telegram.Message:
        entity = MessageEntity("bold", offset, length)
        return await stage.bot.send_message(stage.ann.id, "🍵 tea", entities=[entity])

    assert (await send(0, 2)).parse_entities() == {MessageEntity("bold", 0, 2): "🍵"}
    await refused(send(3, 4), "entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 7")
    await refused(send(1, 2), "entity begins in a middle of a UTF-16 symbol at byte offset 0")
    await refused(send(0, 1), "entity ends in a middle of a UTF-16 symbol at byte offset 0")
    unknown = stage.bot.send_message(stage.ann.id, "x", entities=[MessageEntity("sparkle", 0, 1)])
    await refused(unknown, "can't parse MessageEntity: Unsupported type specified")


async def test_entities_move_with_the_blanks_that_are_cut(stage):
    entity = MessageEntity("bold", 2, 5)
    sent = await stage.bot.send_message(stage.ann.id, "  tea  ", entities=[entity])
    assert (sent.text, sent.parse_entities()) == ("tea", {MessageEntity("bold", 0, 3): "tea"})


async def test_an_answer_to_a_message_that_is_gone(stage):
    gone = stage.world.say(stage.dm, stage.ann, "one")
    stage.world.delete(gone)
    for number in (gone.id, 999):
        parameters = ReplyParameters(number)
        call = stage.bot.send_message(stage.ann.id, "x", reply_parameters=parameters)
        await refused(call, "message to be replied not found")
    parameters = ReplyParameters(gone.id, allow_sending_without_reply=True)
    assert (await stage.bot.send_message(stage.ann.id, "x", reply_parameters=parameters)).reply_to_message is None


async def test_an_answer_with_a_quote(stage):
    asked = stage.world.say(stage.dm, stage.ann, "black or green tea?")
    parameters = ReplyParameters(asked.id, quote="green")
    sent = await stage.bot.send_message(stage.ann.id, "that", reply_parameters=parameters)
    assert (sent.quote.text, sent.quote.position) == ("green", 9)
    wrong = ReplyParameters(asked.id, quote="red")
    await refused(stage.bot.send_message(stage.ann.id, "x", reply_parameters=wrong), "quote not found")


async def test_who_cannot_be_written_to(stage):
    await refused(stage.bot.send_message(stage.ben.id, "x"), "chat not found")
    await refused(stage.bot.send_message(-4_000_099, "x"), "chat not found")
    await refused(stage.bot.send_message("@nowhere", "x"), "chat not found")
    await refused(stage.bot.send_message("", "x"), "chat_id is empty")
    await refused(stage.bot.send_message(stage.me.id, "x"), "bot can't send messages to bots", Forbidden)
    stage.world.group("kitchen", stage.ann, stage.ben, stage.me)
    words = "bot can't initiate conversation with a user"
    await refused(stage.bot.send_message(stage.ben.id, "x"), words, Forbidden)
    stage.world.start(stage.ben)
    assert (await stage.bot.send_message(stage.ben.id, "x")).chat.id == stage.ben.id


async def test_groups_the_bot_is_not_in(stage, kitchen):
    assert (await stage.bot.send_message("@kitchen", "x")).chat.id == kitchen.id
    stage.world.leave(kitchen, stage.me)
    words = "bot is not a member of the supergroup chat"
    await refused(stage.bot.send_message(kitchen.id, "x"), words, Forbidden)
    stage.world.kick(kitchen, stage.me, by=stage.ann)
    await refused(stage.bot.send_message(kitchen.id, "x"), "bot was kicked from the supergroup chat", Forbidden)
    elsewhere = stage.world.group("elsewhere", stage.ann)
    await refused(stage.bot.send_message(elsewhere.id, "x"), "chat not found")


async def test_rights_to_send(stage, kitchen):
    stage.world.restrict(kitchen, stage.me, by=stage.ann, can_send_messages=False)
    await refused(stage.bot.send_message(kitchen.id, "x"), "not enough rights to send text messages to the chat")
    stage.world.restrict(kitchen, stage.me, by=stage.ann, can_send_photos=False)
    await stage.bot.send_message(kitchen.id, "x")
    await refused(stage.bot.send_photo(kitchen.id, b"jpeg"), "not enough rights to send photos to the chat")
    stage.world.demote(kitchen, stage.me)
    kitchen.permissions["can_send_messages"] = False
    await refused(stage.bot.send_message(kitchen.id, "x"), "not enough rights")
    stage.world.promote(kitchen, stage.me)
    await stage.bot.send_message(kitchen.id, "x")


async def test_a_channel_wants_an_administrator(stage):
    news = stage.world.channel("news", stage.ann, stage.me)
    sent = await stage.bot.send_message(news.id, "hello")
    assert (sent.from_user, sent.sender_chat.id, sent.chat.type) == (None, news.id, "channel")
    assert (await stage.updates()) == ()
    assert (await stage.bot.edit_message_text("hello!", news.id, sent.message_id)).text == "hello!"
    stage.world.promote(news, stage.me, by=stage.ann, can_post_messages=False)
    await refused(stage.bot.send_message(news.id, "x"), "need administrator rights in the channel chat")


async def test_buttons(stage):
    async def send(markup) -> telegram.Message:
        return await stage.bot.send_message(stage.ann.id, "x", reply_markup=markup)

    assert (await send(buttons("x" * 64))).reply_markup
    assert (await send(InlineKeyboardMarkup([]))).reply_markup is None
    await refused(send(buttons("ä" * 33)), "Button_data_invalid")
    await refused(send(InlineKeyboardMarkup([[InlineKeyboardButton("x")]])), "Text buttons are unallowed")
    await refused(send(InlineKeyboardMarkup([[InlineKeyboardButton("", callback_data="x")]])), "Button_text_invalid")
    await refused(send(buttons(*(str(number) for number in range(101)))), "reply markup is too long")


async def test_editing(stage):
    sent = await stage.bot.send_message(stage.ann.id, "one", reply_markup=buttons("y"))
    stage.world.wait(3)
    edited = await stage.bot.edit_message_text("*two*", stage.ann.id, sent.message_id, parse_mode="MarkdownV2")
    assert (edited.text, edited.reply_markup, edited.entities[0].type) == ("two", None, "bold")
    assert (edited.edit_date - sent.date).total_seconds() == 3
    again = await stage.bot.edit_message_reply_markup(stage.ann.id, sent.message_id, reply_markup=buttons("n"))
    assert (again.text, again.reply_markup.inline_keyboard[0][0].callback_data) == ("two", "n")
    assert (await stage.updates()) == ()


async def test_an_edit_that_changes_nothing(stage):
    sent = await stage.bot.send_message(stage.ann.id, "one", reply_markup=buttons("y"))
    words = "Message is not modified: specified new message content and reply markup are exactly the same"
    same = stage.bot.edit_message_text("one ", stage.ann.id, sent.message_id, reply_markup=buttons("y"))
    await refused(same, words)
    markup = stage.bot.edit_message_reply_markup(stage.ann.id, sent.message_id, reply_markup=buttons("y"))
    await refused(markup, words)
    await stage.bot.edit_message_text("one", stage.ann.id, sent.message_id)


async def test_what_cannot_be_edited(stage):
    theirs = stage.world.say(stage.dm, stage.ann, "mine")
    edit = stage.bot.edit_message_text
    await refused(edit("x", stage.ann.id, theirs.id), "message can't be edited")
    await refused(edit("x", stage.ann.id, 999), "message to edit not found")
    sent = await stage.bot.send_document(stage.ann.id, b"file", caption="one")
    await refused(edit("x", stage.ann.id, sent.message_id), "there is no text in the message to edit")
    caption = await stage.bot.edit_message_caption(stage.ann.id, sent.message_id, caption="two")
    assert caption.caption == "two"
    await stage.bot.delete_message(stage.ann.id, sent.message_id)
    await refused(edit("x", stage.ann.id, sent.message_id), "message to edit not found")


async def test_deleting(stage, kitchen):
    own = await stage.bot.send_message(kitchen.id, "x")
    theirs = stage.world.say(kitchen, stage.ann, "/y")
    assert await stage.bot.delete_message(kitchen.id, own.message_id)
    await refused(stage.bot.delete_message(kitchen.id, own.message_id), "message to delete not found")
    await refused(stage.bot.delete_message(kitchen.id, theirs.id), "message can't be deleted")
    stage.world.promote(kitchen, stage.me)
    assert await stage.bot.delete_message(kitchen.id, theirs.id)
    assert stage.world.transcript(kitchen) == ""
    old = await stage.bot.send_message(stage.ann.id, "x")
    stage.world.wait(48 * 3600 + 1)
    await refused(stage.bot.delete_message(stage.ann.id, old.message_id), "message can't be deleted for everyone")


async def test_documents_by_upload_and_by_id(stage):
    sent = await stage.bot.send_document(stage.ann.id, b"# report", filename="report.md", caption="<b>one</b>")
    assert (sent.document.file_name, sent.document.file_size, sent.caption) == ("report.md", 8, "<b>one</b>")
    again = await stage.bot.send_document(stage.ann.id, sent.document.file_id, caption="again")
    assert again.document.file_unique_id == sent.document.file_unique_id
    assert bytes(await (await again.document.get_file()).download_as_bytearray()) == b"# report"
    call = stage.server.calls("sendDocument")[0]
    assert (call.files["document"].name, call.files["document"].content) == ("report.md", b"# report")
    assert call.params["caption"] == "<b>one</b>"


async def test_photos_by_upload_and_by_id(stage):
    sent = await stage.bot.send_photo(stage.ann.id, b"jpeg", caption="*tea*", parse_mode="MarkdownV2")
    assert (sent.caption, sent.caption_entities[0].type, len(sent.photo)) == ("tea", "bold", 3)
    assert (await stage.bot.send_photo(stage.ann.id, sent.photo[0].file_id)).photo == sent.photo


async def test_a_file_of_megabytes(stage):
    content = b"x" * 5_000_000
    sent = await stage.bot.send_document(stage.ann.id, content, filename="big.txt")
    assert stage.world.files[sent.document.file_id].upload == Upload("big.txt", content, "text/plain")


async def test_files_that_are_refused(stage):
    send = stage.bot.send_document
    await refused(send(stage.ann.id, b"x", caption="x" * 1025), "message caption is too long")
    await refused(send(stage.ann.id, "unknown"), "wrong remote file identifier specified")
    await refused(send(stage.ann.id, "https://example.org/x.pdf"), "failed to get HTTP URL content")
    await refused(send(stage.ann.id, b""), "file must be non-empty")
    await refused(send(stage.ann.id, b"x", caption="<b>", parse_mode="HTML"), "can't parse entities")


async def test_chat_actions(stage):
    assert await stage.bot.send_chat_action(stage.ann.id, "typing")
    await refused(stage.bot.send_chat_action(stage.ann.id, "dancing"), "wrong parameter action in request")
    assert stage.world.transcript(stage.dm) == ""


async def test_reactions_of_the_bot(stage):
    asked = stage.world.say(stage.dm, stage.ann, "one?")
    react = stage.bot.set_message_reaction
    assert await react(stage.ann.id, asked.id, "👀")
    assert stage.world.transcript(stage.dm) == "Ann> one? 👀"
    assert await react(stage.ann.id, asked.id)
    assert stage.world.transcript(stage.dm) == "Ann> one?"
    await refused(react(stage.ann.id, asked.id, "🚀"), "Reaction_invalid")
    await refused(react(stage.ann.id, 999, "👀"), "message to react not found")


async def test_drafts(stage, kitchen):
    assert await stage.bot.send_message_draft(stage.ann.id, 7, "so f")
    assert await stage.bot.send_message_draft(stage.ann.id, 7, "so far")
    assert [(chat.id, number, text) for chat, number, text in stage.world.drafts] == [
        (stage.ann.id, 7, "so f"),
        (stage.ann.id, 7, "so far"),
    ]
    await refused(stage.bot.send_message_draft(kitchen.id, 7, "x"), "Textdraft_peer_invalid")
    stage.world.switches.drafts = False
    await refused(stage.bot.send_message_draft(stage.ann.id, 7, "x"), "Textdraft_unavailable")


async def test_flood_control_on_demand(stage, kitchen):
    stage.world.switches.pace = 1
    await stage.bot.send_message(stage.ann.id, "one")
    with pytest.raises(RetryAfter) as caught:
        await stage.bot.send_message(stage.ann.id, "two")
    assert caught.value._retry_after.total_seconds() == 1
    await stage.bot.send_message(kitchen.id, "elsewhere")
    stage.world.wait(1)
    await stage.bot.send_message(stage.ann.id, "two")
    assert stage.world.transcript(stage.dm) == "glassmind_bot< one\nglassmind_bot< two"


async def test_a_poll_stands_as_it_was_asked(stage, kitchen):
    sent = await stage.bot.send_poll(kitchen.id, "Tea?", ["Yes", "No"], allows_multiple_answers=True, open_period=3600)
    assert [one.text for one in sent.poll.options] == ["Yes", "No"] and sent.poll.allows_multiple_answers
    assert sent.poll.is_anonymous and sent.poll.open_period == 3600
    assert stage.world.transcript(kitchen).endswith("📊 Tea? (Yes / No)")


@pytest.mark.parametrize(
    ("question", "options", "period", "words"),
    [
        (" ", ["Yes", "No"], 60, "question must be non-empty"),
        ("x" * 301, ["Yes", "No"], 60, "question length"),
        ("Tea?", ["x"] * 13, 60, "more than 12"),
        ("Tea?", ["Yes", " "], 60, "options must be non-empty"),
        ("Tea?", ["Yes", "x" * 101], 60, "options length"),
        ("Tea?", ["Yes", "No"], 2_628_001, "open_period_invalid"),
    ],
)
async def test_what_no_poll_may_hold_is_refused(stage, kitchen, question, options, period, words):
    await refused(stage.bot.send_poll(kitchen.id, question, options, open_period=period), words)


async def test_polls_can_be_kept_from_members(stage, kitchen):
    kitchen.permissions["can_send_polls"] = False
    await refused(stage.bot.send_poll(kitchen.id, "Tea?", ["Yes", "No"]), "not enough rights to send polls to the chat")
