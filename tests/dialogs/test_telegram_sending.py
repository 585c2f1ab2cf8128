"""What goes out and comes in on Telegram besides plain words: files, marks, very long texts, and chats that change."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest
from bot.text.text import utf16_length
from tests.dialogs.telegram import AT, SCRIPTED, TelegramBot, a_telegram_bot, files_of
from tests.fakes.provider import ScriptedProvider, Writes, fails, says
from tests.servers.telegram import Drops, Hangs, Refuses, Upload

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def model():
    return ScriptedProvider(says("fine"))


@pytest.fixture
async def bot(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        yield bot


def read(request: LLMRequest) -> str:
    return "\n".join(text for message in request.messages for text in message.texts)


async def ended(bot: TelegramBot, *place) -> tuple[Outcome | None, str]:
    found = await bot.newest(*place)
    return found.outcome, found.outcome_reason


# what comes in


async def test_a_text_file_is_read(bot, model):
    recipe = Upload("recipe.txt", b"two spoons of tea", "text/plain")
    await bot.hears(bot.ann, f"{AT} what does it say?", document=recipe)
    assert "two spoons of tea" in read(model.requests[-1])


async def test_a_photo_reaches_a_model_that_sees(tmp_path, model):
    sees = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=sees) as bot:
        await bot.hears(bot.ann, f"{AT} what is it?", photo=Upload("photo.jpg", PICTURE, "image/png"))
        (picture,) = model.requests[-1].messages[-1].images
        assert picture.mimetype == "image/png"


async def test_a_photo_is_a_note_for_a_model_that_sees_nothing(bot, model):
    await bot.hears(bot.ann, f"{AT} what is it?", photo=Upload("photo.jpg", PICTURE, "image/png"))
    assert model.requests[-1].messages[-1].images == ()
    assert "photo.jpg" in read(model.requests[-1])


async def test_a_voice_message_is_a_note(bot, model):
    voice = {"file_id": "v1", "file_unique_id": "v1", "duration": 7, "mime_type": "audio/ogg", "file_size": 900}
    await bot.hears(bot.ann, "", bot.dm(bot.ann), extra={"voice": voice})
    assert "voice message, 7 s" in read(model.requests[-1])


async def test_a_file_that_cannot_be_had_is_said_to_be_so(bot, model):
    bot.server.fault("file", Drops())
    await bot.hears(bot.ann, f"{AT} what does it say?", document=Upload("recipe.txt", b"tea", "text/plain"))
    assert "recipe.txt" in read(model.requests[-1]) and bot.texts() == ["fine"]


# what goes out


async def test_a_long_answer_is_a_file_with_its_beginning(bot, model):
    whole = "\n\n".join(f"{n}. the kettle, and what it says about us" for n in range(900))
    model.script = [says(whole)]
    (answer,) = await bot.hears(bot.ann, f"{AT} tell me all")
    assert files_of(answer).endswith(".md") and answer.text.startswith("0. the kettle")
    assert bot.world.files[answer.json["document"]["file_id"]].upload.content.decode() == whole
    assert await ended(bot) == (Outcome.REPLIED, "")


async def test_four_thousand_emoji_are_cut_between_emoji(bot, model):
    model.script = [says("🫖" * 5000)]
    answers = await bot.hears(bot.ann, f"{AT} tea?")
    assert len(answers) == 3
    assert all(utf16_length(answer.text) <= 4096 for answer in answers)
    assert "".join(answer.text for answer in answers) == "🫖" * 5000
    assert answers[0].reply_to and await ended(bot) == (Outcome.REPLIED, "")


async def test_marks_are_drawn(bot, model):
    model.script = [says("**bold** and `code`")]
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert answer.text == "bold and code"
    assert [one["type"] for one in answer.json["entities"]] == ["bold", "code"]


async def test_marks_that_are_refused_are_written(bot, model):
    model.script = [says("**bold** and `code`")]
    bot.server.fault("sendMessage", Refuses(400, "Bad Request: can't parse entities: whatever"))
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert "bold" in answer.text and "entities" not in answer.json
    assert await ended(bot) == (Outcome.REPLIED, "")


async def test_an_answer_is_seen_while_it_is_written(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True) as bot:
        model.script = [lambda _: Writes(bot.clock, "the tea is cold because nobody drank it in time", 0.4)]
        (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
        assert answer.edits > 1 and answer.text.endswith("in time")
        (private,) = await bot.hears(bot.ann, "tea?", bot.dm(bot.ann))
        assert bot.world.drafts and private.edits == 0


TOO_OLD = "the tea is cold because nobody drank it in time"
EDIT_REFUSED = Refuses(400, "Bad Request: message can't be edited")


async def test_a_preview_too_old_to_be_edited_takes_no_answer_with_it(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True) as bot:
        model.script = [lambda _: Writes(bot.clock, TOO_OLD, 0.4)]
        bot.server.fault("editMessageText", EDIT_REFUSED, times=99)
        await bot.hears(bot.ann, f"{AT} tea?")
        assert bot.texts() == [TOO_OLD], "the half of it is taken back"
        assert await ended(bot) == (Outcome.REPLIED, "")
        assert await bot.store.previews.left() == []


async def test_a_preview_too_old_to_be_edited_or_deleted_stays_above_the_answer(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True) as bot:
        model.script = [lambda _: Writes(bot.clock, TOO_OLD, 0.4)]
        bot.server.fault("editMessageText", EDIT_REFUSED, times=99)
        bot.server.fault("deleteMessage", Refuses(400, "Bad Request: message can't be deleted for everyone"), times=99)
        await bot.hears(bot.ann, f"{AT} tea?")
        half, whole = bot.texts()
        assert half.endswith(" …") and TOO_OLD.startswith(half.removesuffix(" …")) and whole == TOO_OLD
        assert await ended(bot) == (Outcome.REPLIED, "")
        assert await bot.store.previews.left() == []


async def test_an_answer_that_may_not_have_arrived_is_said_and_never_repeated(bot):
    bot.server.fault("sendMessage", Drops(applied=True))
    answers = await bot.hears(bot.ann, f"{AT} tea?")
    assert bot.texts()[0] == "fine" and bot.texts().count("fine") == 1
    assert any("may not have arrived" in answer.text for answer in answers)
    assert "may not have been delivered" in bot.private(bot.root)
    assert (await ended(bot))[0] is Outcome.UNCERTAIN


async def test_a_kill_while_an_answer_is_sent_does_not_send_it_twice(bot):
    bot.server.fault("sendMessage", Hangs(applied=True))
    bot.say(bot.ann, f"{AT} tea?")
    await bot.server.hung()
    await bot.dies()
    bot.server.release()
    await bot.lives_again()
    await bot.settled()
    assert bot.texts().count("fine") == 1
    assert (await ended(bot))[0] is Outcome.UNCERTAIN


# chats that change


async def test_a_group_that_becomes_a_supergroup_goes_on(bot):
    group = bot.world.group("yard", bot.root, bot.ann, bot.me)
    await bot.hears(bot.ann, f"{AT} tea?", group)
    new = bot.world.migrate(group)
    await bot.settled()
    (answer,) = await bot.hears(bot.ann, f"{AT} more tea?", new)
    assert answer.chat is new
    assert "tea?" in read(bot.providers["scripted"].requests[-1])


async def test_a_group_that_moves_while_an_answer_is_written(tmp_path):
    thinking, wakes = asyncio.Event(), asyncio.Event()

    async def thinks(_):
        thinking.set()
        await wakes.wait()
        return says("fine")

    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(thinks)) as bot:
        group = bot.world.group("yard", bot.root, bot.ann, bot.me)
        bot.say(bot.ann, f"{AT} tea?", group)
        await thinking.wait()
        new = bot.world.migrate(group)
        wakes.set()
        await bot.settled()
        assert (bot.texts(new), bot.texts(group)) == (["fine"], [])


async def test_somebody_who_blocked_the_bot_loses_nothing_silently(bot, model):
    async def blocks(_):
        bot.world.block(bot.ann)
        return says("fine")

    model.script = [blocks]
    await bot.hears(bot.ann, "tea?", bot.dm(bot.ann))
    rows = await bot.store.ledger.recent(bot.key(bot.dm(bot.ann)), 9)
    ends = {row.inbound.text: (row.outcome, row.outcome_reason) for row in rows}
    assert ends["tea?"] == (Outcome.FAILED, "send:dm_closed")
    assert "could not be delivered: dm_closed" in bot.private(bot.root)


async def test_a_bot_that_is_kicked_says_so_to_its_owner(bot, model):
    async def kicks(_):
        bot.world.kick(bot.kitchen, bot.me, bot.root)
        return says("fine")

    model.script = [kicks]
    await bot.hears(bot.ann, f"{AT} tea?")
    rows = await bot.store.ledger.recent(bot.key(), 9)
    (asked,) = [row for row in rows if "tea" in row.inbound.text]
    assert (asked.outcome, asked.outcome_reason) == (Outcome.FAILED, "send:not_member")
    assert "could not be delivered: not_member" in bot.private(bot.root)


async def test_a_failure_of_the_model_is_said_where_it_was_asked(bot, model):
    model.script = [fails()]
    (told,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert told.text.startswith("I could not answer") and told.chat is bot.kitchen


async def test_what_may_not_have_arrived_is_sent_again_for_who_asked_and_once(bot):
    bot.server.fault("sendMessage", Drops())
    (told, *_) = await bot.hears(bot.ann, f"{AT} tea?")
    assert "may not have arrived" in told.text and bot.texts().count("fine") == 0
    await bot.presses(bot.james, "Send it", told)
    assert bot.texts().count("fine") == 0
    await bot.presses(bot.ann, "Send it", told)
    assert bot.texts().count("fine") == 1
    await bot.presses(bot.ann, "Send it", told)
    assert bot.texts().count("fine") == 1
