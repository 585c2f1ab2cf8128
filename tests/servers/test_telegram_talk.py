"""People act, and the real library receives what Telegram would send: no more, no less."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import telegram
from telegram import ChatMember

from tests.servers.telegram import START, Drops, Upload, World
from tests.servers.telegram_client import ALL, Stage, a_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


@pytest.fixture
def kitchen(stage):
    return stage.world.group("kitchen", stage.ann, stage.ben, stage.me)


@pytest.fixture
def open_kitchen(stage, kitchen):
    stage.world.privacy(False)
    return kitchen


async def test_a_message_in_private(stage):
    stage.world.say(stage.dm, stage.ann, "are you there?")
    message = (await stage.only()).message
    assert (message.text, message.from_user.id, message.from_user.username) == ("are you there?", stage.ann.id, "ann")
    assert (message.chat.id, message.chat.type, message.chat.first_name) == (stage.ann.id, "private", "Ann")
    assert (message.date.timestamp(), message.entities) == (START, ())


async def test_time_comes_from_the_clock():
    now = [1_000.0]
    world = World(clock=lambda: now[0])
    ann, bot = world.person("Ann"), world.bot()
    world.start(ann)
    now[0] = 2_000.9
    world.wait(60)
    world.say(world.dm(ann), ann, "later")
    assert [update["message"]["date"] for update in bot.inlet.pending] == [1_000, 2_060]


async def test_the_same_story_gives_the_same_bytes():
    def story() -> list[object]:
        world = World()
        ann, bot = world.person("Ann"), world.bot()
        group = world.supergroup("kitchen", ann, bot, forum=True)
        world.say(group, ann, "/tea", topic=world.topic(group, "tea"), photo=b"jpeg")
        return [*bot.inlet.pending, world.transcript(group)]

    assert story() == story()


async def test_links_commands_and_mentions_are_marked_in_utf_16_units(stage):
    text = "🍵 /tea@glassmind_bot for @ann: see https://example.org/a?b=c. #tea me@example.org"
    stage.world.say(stage.dm, stage.ann, text)
    message = (await stage.only()).message
    assert message.parse_entities() == {
        entity: word
        for entity, word in zip(
            message.entities,
            ["/tea@glassmind_bot", "@ann", "https://example.org/a?b=c", "#tea", "me@example.org"],
            strict=True,
        )
    }
    assert message.entities[0].offset == 3


async def test_a_deep_link_and_plain_words_with_slashes(stage):
    stage.world.start(stage.ben, "token_1")
    message = (await stage.only()).message
    assert (message.text, message.entities[0].length) == ("/start token_1", 6)
    stage.world.say(stage.dm, stage.ann, "and/or a/b 1/2 //no")
    assert (await stage.only()).message.entities == ()


async def test_an_edit(stage):
    message = stage.world.say(stage.dm, stage.ann, "tae")
    stage.world.wait(5)
    stage.world.edit(message, "/tea")
    first, second = await stage.updates()
    assert (first.message.text, second.message) == ("tae", None)
    edited = second.edited_message
    assert (edited.text, edited.message_id, edited.edit_date.timestamp()) == ("/tea", message.id, START + 5)
    assert edited.entities[0].type == "bot_command"
    stage.world.edit(message, "quiet", silently=True)
    assert len(await stage.updates()) == 2


async def test_an_answer_shows_what_it_answers_one_level_deep(stage):
    one = stage.world.say(stage.dm, stage.ann, "one")
    two = stage.world.say(stage.dm, stage.ann, "two", reply_to=one)
    stage.world.say(stage.dm, stage.ann, "three", reply_to=two)
    target = (await stage.updates())[-1].message.reply_to_message
    assert (target.text, target.reply_to_message) == ("two", None)


async def test_photos_and_documents_can_be_downloaded(stage):
    stage.world.say(stage.dm, stage.ann, "look", photo=b"jpeg")
    stage.world.say(stage.dm, stage.ann, document=Upload("notes.md", b"# notes", "text/markdown"))
    first, second = [update.message for update in await stage.updates()]
    assert (first.caption, [size.width for size in first.photo], first.text) == ("look", [90, 320, 800], None)
    assert (second.document.file_name, second.document.mime_type) == ("notes.md", "text/markdown")
    assert second.document.file_size == 7
    assert bytes(await (await stage.bot.get_file(first.photo[-1])).download_as_bytearray()) == b"jpeg"
    assert bytes(await (await stage.bot.get_file(second.document)).download_as_bytearray()) == b"# notes"


async def test_a_file_that_is_too_big_or_unknown(stage):
    stored = stage.world.store(Upload("big.bin", b"x"), "documents", size=20 * 1024 * 1024 + 1)
    with pytest.raises(telegram.error.BadRequest, match="File is too big"):
        await stage.bot.get_file(stored.id)
    with pytest.raises(telegram.error.BadRequest, match="Invalid file_id"):
        await stage.bot.get_file("nothing")
    with pytest.raises(telegram.error.InvalidToken):
        await stage.bot.request.retrieve(f"{stage.server.base_file_url}{stage.me.token}/documents/none.txt")


async def test_privacy_mode_keeps_talk_away(stage, kitchen):
    bots_message = telegram.Message.de_json((await stage.bot.send_message(kitchen.id, "hello")).to_dict())
    ours = kitchen.messages[bots_message.message_id]
    say = stage.world.say
    say(kitchen, stage.ann, "just talk")
    say(kitchen, stage.ann, "/tea please")
    say(kitchen, stage.ann, "/tea@other_bot")
    say(kitchen, stage.ann, "please /tea")
    say(kitchen, stage.ann, "hey @glassmind_bot!")
    say(kitchen, stage.ann, "hey @glassmind_bott!")
    say(kitchen, stage.ann, "right", reply_to=ours)
    say(kitchen, stage.ann, "wrong", reply_to=say(kitchen, stage.ben, "hm"))
    assert await stage.said() == ["/tea please", "hey @glassmind_bot!", "right"]


async def test_bare_mentions_may_be_kept_back_too(stage, kitchen):
    stage.world.switches.mentions_pass_privacy = False
    stage.world.say(kitchen, stage.ann, "hey @glassmind_bot")
    stage.world.say(kitchen, stage.ann, "/tea@glassmind_bot")
    assert await stage.said() == ["/tea@glassmind_bot"]


@pytest.mark.parametrize("how", ["privacy off", "administrator"])
async def test_what_lifts_privacy_mode(stage, kitchen, how):
    stage.world.say(kitchen, stage.ann, "before")
    if how == "privacy off":
        stage.world.privacy(False)
    else:
        stage.world.promote(kitchen, stage.me, by=stage.ann)
        await stage.forget()
    stage.world.say(kitchen, stage.ann, "after")
    assert await stage.said() == ["after"]


async def test_bots_never_see_bots(stage, open_kitchen):
    other = stage.world.bot("other_bot", "Other")
    stage.world.admit(open_kitchen, other)
    stage.world.say(open_kitchen, other, "hello @glassmind_bot")
    stage.world.say(open_kitchen, stage.ann, "hello")
    assert await stage.said() == ["hello"]


async def test_an_anonymous_admin(stage, open_kitchen):
    stage.world.say(open_kitchen, stage.ann, "I am nobody", anonymous=True)
    message = (await stage.only()).message
    assert (message.from_user.id, message.from_user.username) == (1087968824, "GroupAnonymousBot")
    assert message.sender_chat.id == open_kitchen.id
    assert stage.world.transcript(open_kitchen) == "Ann> I am nobody"


async def test_raw_fields_of_a_message(stage):
    origin = {"type": "hidden_user", "date": 1, "sender_user_name": "Cy"}
    stage.world.say(stage.dm, stage.ann, "forwarded", extra={"forward_origin": origin, "from": None})
    message = (await stage.only()).message
    assert (message.forward_origin.sender_user_name, message.from_user) == ("Cy", None)


async def test_a_channel_tells_its_administrators(stage):
    news = stage.world.channel("news", stage.ann, stage.me, username="news")
    post = stage.world.publish(news, "/tea is out", author_signature="Ann")
    stage.world.edit(post, "tea is out")
    first, second = await stage.updates()
    assert (first.channel_post.text, first.channel_post.from_user, first.message) == ("/tea is out", None, None)
    assert (second.edited_channel_post.sender_chat.title, first.channel_post.chat.username) == ("news", "news")
    await stage.forget()
    stage.world.demote(news, stage.me)
    await stage.forget()
    stage.world.publish(news, "more")
    assert await stage.updates() == ()


async def test_topics_of_a_forum(stage):
    forum = stage.world.supergroup("house", stage.ann, stage.me, forum=True)
    stage.world.privacy(False)
    tea = stage.world.topic(forum, "tea")
    opened = stage.world.say(forum, stage.ann, "black", topic=tea)
    stage.world.say(forum, stage.ann, "green", topic=tea, reply_to=opened)
    stage.world.say(forum, stage.ann, "anything else")
    created, first, second, general = [update.message for update in await stage.updates()]
    assert created.forum_topic_created.name == "tea" and created.message_id == tea.id
    assert (first.message_thread_id, first.is_topic_message, first.chat.is_forum) == (tea.id, True, True)
    assert (first.reply_to_message.message_id, second.reply_to_message.text) == (tea.id, "black")
    assert (general.message_thread_id, general.is_topic_message, general.reply_to_message) == (None, None, None)
    assert stage.world.transcript(forum, tea) == "Ann> (forum topic created)\nAnn> black\nAnn> green"


async def test_supergroups_without_topics_thread_by_reply(stage):
    group = stage.world.supergroup("kitchen", stage.ann, stage.me)
    stage.world.privacy(False)
    root = stage.world.say(group, stage.ann, "root")
    child = stage.world.say(group, stage.ann, "child", reply_to=root)
    stage.world.say(group, stage.ann, "grandchild", reply_to=child)
    messages = [update.message for update in await stage.updates()]
    assert [message.message_thread_id for message in messages] == [None, root.id, root.id]
    assert {message.is_topic_message for message in messages} == {None}


async def test_ids_are_counted_per_supergroup_and_together_elsewhere(stage):
    first, second = (stage.world.supergroup(name, stage.ann) for name in ("one", "two"))
    group = stage.world.group("three", stage.ann)
    say = stage.world.say
    assert [say(place, stage.ann, "x").id for place in (first, second, group, stage.dm)] == [2, 2, 1, 2]
    assert first.id < -1_000_000_000_000 < group.id < 0 and stage.ann.id > 2**32


async def test_members_come_and_go_with_service_messages(stage, kitchen):
    cy = stage.world.person("Cy")
    stage.world.join(kitchen, cy, by=stage.ann)
    stage.world.leave(kitchen, cy)
    came, went = [update.message for update in await stage.updates()]
    assert (came.new_chat_members[0].id, came.from_user.id) == (cy.id, stage.ann.id)
    assert went.left_chat_member.id == cy.id
    with pytest.raises(ValueError, match="let them join first"):
        stage.world.say(kitchen, cy, "hello?")


async def test_the_bot_is_told_of_its_own_membership(stage):
    group = stage.world.group("kitchen", stage.ann)
    stage.world.add_bot(group)
    stage.world.promote(group, stage.me, by=stage.ann, can_delete_messages=False)
    stage.world.kick(group, stage.me, by=stage.ann)
    updates = await stage.updates()
    changes = [update.my_chat_member for update in updates if update.my_chat_member]
    states = [(change.old_chat_member.status, change.new_chat_member.status) for change in changes]
    assert states == [("left", "member"), ("member", "administrator"), ("administrator", "kicked")]
    assert changes[1].new_chat_member.can_delete_messages is False
    assert changes[1].new_chat_member.can_restrict_members is True


async def test_blocking_and_coming_back(stage):
    stage.world.block(stage.ann)
    with pytest.raises(ValueError, match="start it first"):
        stage.world.say(stage.dm, stage.ann, "hello?")
    with pytest.raises(telegram.error.Forbidden, match="bot was blocked by the user"):
        await stage.bot.send_message(stage.ann.id, "hello?")
    stage.world.start(stage.ann)
    await stage.bot.send_message(stage.ann.id, "hello!")
    changes = [update.my_chat_member for update in await stage.updates() if update.my_chat_member]
    assert [change.new_chat_member.status for change in changes] == [ChatMember.BANNED, ChatMember.MEMBER]


async def test_a_group_becomes_a_supergroup(stage, open_kitchen):
    stage.world.say(open_kitchen, stage.ann, "small")
    new = stage.world.migrate(open_kitchen)
    stage.world.say(new, stage.ann, "big")
    messages = [update.message for update in await stage.updates()]
    assert (messages[1].chat.id, messages[1].migrate_to_chat_id) == (open_kitchen.id, new.id)
    assert (messages[2].chat.id, messages[2].migrate_from_chat_id) == (new.id, open_kitchen.id)
    assert (messages[3].chat.type, messages[3].text) == ("supergroup", "big")
    with pytest.raises(telegram.error.ChatMigrated) as caught:
        await stage.bot.send_message(open_kitchen.id, "hello")
    assert caught.value.new_chat_id == new.id
    assert (await stage.bot.send_message(new.id, "hello")).text == "hello"
    assert (await stage.bot.get_chat_member(new.id, stage.ann.id)).status == "creator"
    with pytest.raises(ValueError, match="has moved"):
        stage.world.say(open_kitchen, stage.ann, "old")


async def test_a_press(stage):
    rows = [[telegram.InlineKeyboardButton("yes", callback_data="y"), telegram.InlineKeyboardButton("no", url="x.org")]]
    sent = await stage.bot.send_message(stage.ann.id, "sure?", reply_markup=telegram.InlineKeyboardMarkup(rows))
    message = stage.world.messages(stage.dm)[0]
    press = stage.world.press(message, "yes", stage.ann)
    query = (await stage.only()).callback_query
    assert (query.data, query.from_user.id, query.message) == ("y", stage.ann.id, sent)
    assert (press.answer, await query.answer("done", show_alert=True)) == (None, True)
    assert press.answer == {"text": "done", "show_alert": True, "url": ""}
    with pytest.raises(ValueError, match="no button 'no'"):
        stage.world.press(message, "no", stage.ann)


async def test_presses_of_others_of_old_messages_and_with_any_data(stage, kitchen):
    button = telegram.InlineKeyboardButton("yes", callback_data="y")
    await stage.bot.send_message(kitchen.id, "sure?", reply_markup=telegram.InlineKeyboardMarkup([[button]]))
    (message,) = stage.world.messages(kitchen)
    press = stage.world.press(message, "forged \x00 data", stage.ben, raw=True)
    stage.world.press_again(press)
    stage.world.delete(message)
    stage.world.press(message, "y", stage.ben)
    first, again, gone = await stage.updates()
    assert (first.callback_query.data, first.callback_query.from_user.id) == ("forged \x00 data", stage.ben.id)
    assert again.update_id > first.update_id and again.callback_query.id == first.callback_query.id
    assert not gone.callback_query.message.is_accessible


async def test_an_answer_to_a_press_that_comes_too_late(stage):
    await stage.bot.send_message(stage.ann.id, "sure?")
    press = stage.world.press(stage.world.messages(stage.dm)[0], "y", stage.ann, raw=True)
    assert await stage.bot.answer_callback_query(press.id)
    stage.world.wait(stage.world.switches.callback_life + 1)
    for number in (press.id, "12"):
        with pytest.raises(telegram.error.BadRequest, match="Query is too old and response timeout expired"):
            await stage.bot.answer_callback_query(number)


async def test_raw_updates_of_any_shape(stage):
    stage.world.push({"unheard_of": {"x": 1}})
    stage.world.push({"update_id": 3, "message": None})
    first, second = await stage.updates(allowed_updates=ALL)
    assert (first.api_kwargs, second.update_id) == ({"unheard_of": {"x": 1}}, 3)


async def test_reactions_are_told_to_administrators(stage, kitchen):
    await stage.updates(allowed_updates=ALL)
    message = stage.world.say(kitchen, stage.ann, "tea?")
    stage.world.react(message, stage.ben, "👍")
    assert await stage.updates() == ()
    assert stage.world.transcript(kitchen) == "Ann> tea? 👍"


async def test_a_transcript_shows_what_a_person_sees(stage):
    ask = stage.world.say(stage.dm, stage.ann, "two\nlines", photo=b"jpeg")
    rows = [[telegram.InlineKeyboardButton("yes", callback_data="y"), telegram.InlineKeyboardButton("no", url="x.org")]]
    sent = await stage.bot.send_message(stage.ann.id, "sure?", reply_markup=telegram.InlineKeyboardMarkup(rows))
    await stage.bot.send_document(stage.ann.id, b"report", filename="report.md", caption="here")
    await stage.bot.edit_message_text("really?", stage.ann.id, sent.message_id)
    await stage.bot.set_message_reaction(stage.ann.id, ask.id, "👀")
    gone = await stage.bot.send_message(stage.ann.id, "oops")
    await stage.bot.delete_message(stage.ann.id, gone.message_id)
    assert stage.world.transcript(stage.dm) == "\n".join(
        [
            "Ann> [photo] two",
            "    lines 👀",
            "glassmind_bot< really? (edited)",
            "glassmind_bot< [report.md] here",
        ]
    )


async def test_half_an_emoji_reaches_the_bot_as_it_was_sent(stage):
    stage.world.say(stage.dm, stage.ann, "half \ud83c and a whole 🍵 and \x00")
    assert (await stage.only()).message.text == "half \ud83c and a whole 🍵 and \x00"


async def test_names_of_sites_are_links_too(stage):
    stage.world.say(stage.dm, stage.ann, "see example.org/x, t.me/tea or README.md, not v1.2 or a.B")
    message = (await stage.only()).message
    assert list(message.parse_entities(["url"]).values()) == ["example.org/x", "t.me/tea", "README.md"]


async def test_a_deep_link_is_followed(stage):
    sent = await stage.bot.send_message(stage.ann.id, "https://t.me/glassmind_bot?start=abc_1")
    stage.world.follow(stage.ben, sent.text)
    message = (await stage.only()).message
    assert (message.text, message.from_user.id) == ("/start abc_1", stage.ben.id)
    with pytest.raises(ValueError, match="leads to no bot"):
        stage.world.follow(stage.ben, "https://t.me/other_bot")
    with pytest.raises(ValueError, match="a deep link carries"):
        stage.world.start(stage.ben, "a b")


async def test_a_group_that_moved_can_still_be_read(stage, kitchen):
    stage.world.migrate(kitchen)
    assert (await stage.bot.get_chat_member(kitchen.id, stage.ann.id)).status == "creator"
    with pytest.raises(telegram.error.ChatMigrated):
        await stage.bot.send_chat_action(kitchen.id, "typing")


async def test_a_revoked_token(stage):
    token = stage.world.revoke()
    with pytest.raises(telegram.error.InvalidToken):
        await stage.updates()
    async with telegram.Bot(token, base_url=stage.server.base_url) as renewed:
        assert renewed.id == stage.me.id


async def test_the_story_of_the_package(stage):
    """Live through the example in the package's docstring, with the smallest bot there is."""

    async def echo() -> None:
        offset = None
        while True:
            for update in await stage.updates(offset, timeout=1000):
                offset = update.update_id + 1
                if update.message and update.message.text.endswith("?"):
                    with suppress(telegram.error.NetworkError):
                        await update.message.reply_text("yes")

    async with asyncio.TaskGroup() as group:
        running = group.create_task(echo())
        stage.world.start(stage.ann)
        stage.world.say(stage.dm, stage.ann, "are you there?")
        stage.server.fault("sendMessage", Drops(applied=True))
        await stage.server.called("sendMessage")
        await stage.server.caught_up()
        running.cancel()
    assert stage.world.transcript(stage.dm) == "Ann> /start\nAnn> are you there?\nglassmind_bot< yes"


async def test_talk_in_a_topic_that_the_bot_opened_is_no_answer_to_it(stage):
    house = stage.world.supergroup("house", stage.ann, stage.me, forum=True)
    topic = stage.world.topic(house, "tea", by=stage.me)
    stage.world.say(house, stage.ann, "just talk", topic=topic)
    stage.world.say(house, stage.ann, "/tea", topic=topic)
    message = (await stage.only()).message
    assert (message.text, message.reply_to_message.forum_topic_created.name) == ("/tea", "tea")
