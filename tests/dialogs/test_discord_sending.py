"""What goes out and comes in on Discord besides plain words: files, very long texts, and answers in the making."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest
from bot.text.text import utf16_length
from tests.dialogs.discord import SCRIPTED, DiscordBot, a_discord_bot
from tests.fakes.provider import ScriptedProvider, Writes, calls, fails, says
from tests.servers.discord import BadGateway, Drops, Flood, Hangs, Message, Refuses, Upload

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
TEA = "the tea is cold because nobody drank it in time"


@pytest.fixture
def model():
    return ScriptedProvider(says("fine"))


@pytest.fixture
async def bot(tmp_path, model):
    async with a_discord_bot(tmp_path / "data", model=model) as bot:
        yield bot


def read(request: LLMRequest) -> str:
    return "\n".join(text for message in request.messages for text in message.texts)


async def ended(bot: DiscordBot, *place) -> tuple[Outcome | None, str]:
    rows = await bot.store.ledger.recent(bot.key(*place), 50)
    found = next(row for row in rows if row.inbound.author.kind == "person" and row.inbound.kind == "message")
    return found.outcome, found.outcome_reason


def content(bot: DiscordBot, message: Message) -> bytes:
    """The only file of a message."""
    (file,) = message.attachments
    return next(one for call in bot.sends() for one in call.files.values() if one.name == file["filename"]).content


# what comes in


async def test_a_text_file_is_read(bot, model):
    recipe = Upload("recipe.txt", b"two spoons of tea", "text/plain")
    await bot.hears(bot.ann, f"{bot.at} what does it say?", files=[recipe])
    assert "two spoons of tea" in read(model.requests[-1])


async def test_a_picture_reaches_a_model_that_sees_and_is_a_note_for_one_that_does_not(tmp_path, bot, model):
    photo = Upload("photo.png", PICTURE, "image/png")
    await bot.hears(bot.ann, f"{bot.at} what is it?", files=[photo])
    assert model.requests[-1].messages[-1].images == () and "photo.png" in read(model.requests[-1])
    sees, other = SCRIPTED.format(model="sees_images = true"), ScriptedProvider(says("a tea pot"))
    async with a_discord_bot(tmp_path / "other", model=other, more=sees) as seeing:
        await seeing.hears(seeing.ann, f"{seeing.at} what is it?", files=[photo])
        (picture,) = other.requests[-1].messages[-1].images
        assert picture.mimetype == "image/png"


async def test_a_file_that_is_too_large_or_cannot_be_had_is_said_to_be_so(bot, model):
    huge = Upload("huge.txt", b"tea " * 3_000_000, "text/plain")
    await bot.hears(bot.ann, f"{bot.at} what does it say?", files=[huge])
    assert "huge.txt" in read(model.requests[-1]) and "tea tea tea tea" not in read(model.requests[-1])
    bot.server.fault("download", Drops(), times=9)
    await bot.hears(bot.ann, f"{bot.at} and this?", files=[Upload("recipe.txt", b"two spoons", "text/plain")])
    assert "recipe.txt" in read(model.requests[-1]) and "two spoons" not in read(model.requests[-1])
    assert bot.texts() == ["fine", "fine"]


async def test_a_file_without_words_in_private_is_answered(bot, model):
    (answer,) = await bot.hears(bot.ann, "", bot.me, files=[Upload("recipe.txt", b"two spoons", "text/plain")])
    assert answer.text == "fine" and "two spoons" in read(model.requests[-1])


# what goes out


async def test_a_long_answer_is_a_file_with_its_beginning(bot, model):
    whole = "\n\n".join(f"{n}. the kettle, and what it says about us" for n in range(900))
    model.script = [says(whole)]
    (answer,) = await bot.hears(bot.ann, f"{bot.at} tell me all")
    (file,) = answer.attachments
    assert file["filename"].endswith(".md") and answer.text.startswith("0. the kettle")
    assert content(bot, answer).decode() == whole and await ended(bot) == (Outcome.REPLIED, "")


async def test_a_long_answer_comes_in_parts_and_every_fence_is_whole(bot, model):
    code = "\n".join(f"pour({n})  # the kettle number {n}" for n in range(160))
    model.script = [says(f"So it is brewed:\n```python\n{code}\n```\nand that is all.")]
    answers = await bot.hears(bot.ann, f"{bot.at} how?")
    assert len(answers) > 2 and all(utf16_length(answer.text) <= 2000 for answer in answers)
    assert all(answer.text.count("```") % 2 == 0 for answer in answers)
    lines = [line for answer in answers for line in answer.text.splitlines() if line.startswith("pour(")]
    assert "\n".join(lines) == code and [bool(answer.reference) for answer in answers].count(True) >= 1
    assert await ended(bot) == (Outcome.REPLIED, "")


async def test_three_thousand_emoji_are_cut_between_emoji(bot, model):
    model.script = [says("🫖" * 3000)]
    answers = await bot.hears(bot.ann, f"{bot.at} tea?")
    assert all(utf16_length(answer.text) <= 2000 for answer in answers)
    assert "".join(answer.text for answer in answers) == "🫖" * 3000


async def test_a_reaction_is_all_that_is_said(bot, model):
    model.script = [calls(("react", '{"emoji": "👍"}')), says("")]
    asked = await bot.says(bot.ann, f"{bot.at} good tea")
    await bot.settled()
    assert list(asked.reactions) == ["👍"] and bot.texts() == []
    assert (await ended(bot))[0] is Outcome.SKIPPED


# an answer in the making


async def test_an_answer_is_seen_while_it_is_written_and_ends_as_it_should(tmp_path, model):
    async with a_discord_bot(tmp_path / "data", model=model, streaming=True) as bot:
        for where in (bot.kitchen, bot.me):
            model.script = [lambda _: Writes(bot.clock, TEA, 0.4)]
            (answer,) = await bot.hears(bot.ann, f"{bot.at} tea?", where)
            assert len(answer.versions) > 1 and answer.text == TEA
            assert all(TEA.startswith(version.rstrip(" …▌")) for version in answer.versions)


@pytest.mark.parametrize(
    ("fault", "times"),
    [
        (Drops(), 3),
        (Drops(applied=True), 3),
        (BadGateway(), 1),
        (Flood(0.05), 3),
        (Refuses(404, 10008, "Unknown Message"), 3),
        (Refuses(403, 50005, "Cannot edit a message authored by another user"), 3),
    ],
    ids=["dropped", "lost", "502", "429", "gone", "not mine"],
)
async def test_whatever_becomes_of_an_edit_the_answer_stands_there_whole_and_once(tmp_path, model, fault, times):
    async with a_discord_bot(tmp_path / "data", model=model, streaming=True) as bot:
        model.script = [lambda _: Writes(bot.clock, TEA, 0.4)]
        bot.server.fault("edit_message", fault, nth=2, times=times)
        await bot.hears(bot.ann, f"{bot.at} tea?")
        assert [text for text in bot.texts() if text == TEA] == [TEA], bot.texts()
        assert await ended(bot) == (Outcome.REPLIED, "")


async def test_a_preview_that_is_deleted_takes_no_answer_with_it(tmp_path, model):
    async with a_discord_bot(tmp_path / "data", model=model, streaming=True) as bot:
        model.script = [lambda _: Writes(bot.clock, TEA, 0.4)]
        await bot.says(bot.ann, f"{bot.at} tea?")
        preview = await bot.kitchen.hears("the")
        await bot.root.deletes(preview)
        await bot.settled()
        assert bot.texts() == [TEA] and await ended(bot) == (Outcome.REPLIED, "")


async def test_a_kill_in_the_middle_of_a_preview_ends_in_one_whole_answer(tmp_path):
    first, hangs = asyncio.Event(), asyncio.Event()

    async def halts(_):
        first.set()
        await hangs.wait()

    model = ScriptedProvider(halts, says(TEA))
    async with a_discord_bot(tmp_path / "data", model=model, streaming=True) as bot:
        await bot.says(bot.ann, f"{bot.at} tea?")
        await first.wait()
        await bot.dies()
        await bot.lives_again()
        await bot.settled()
        assert bot.texts() == [TEA]


# what does not arrive


async def test_a_failure_of_the_model_is_said_where_it_was_asked(bot, model):
    model.script = [fails()]
    (told,) = await bot.hears(bot.ann, f"{bot.at} tea?")
    assert told.text.startswith("I could not answer") and told.channel is bot.kitchen


@pytest.mark.parametrize(
    ("status", "code", "named"),
    [
        (403, 50001, "no_access"),
        (403, 50013, "rights"),
        (404, 10003, "chat_not_found"),
        (403, 160005, "locked"),
        (400, 200000, "automod"),
        (413, 40005, "too_large"),
        (400, 50006, "empty"),
        (403, 99999, "refused"),
        (400, 99999, "refused"),
    ],
)
async def test_each_refusal_ends_in_a_named_outcome_and_an_admin_hears_of_it(bot, status, code, named):
    kitchen = str(bot.kitchen.id)
    bot.server.fault(
        "create_message", Refuses(status, code, "No"), times=9, when=lambda call: call["path"]["channel"] == kitchen
    )
    await bot.hears(bot.ann, f"{bot.at} tea?")
    assert await ended(bot) == (Outcome.FAILED, f"send:{named}")
    assert f"could not be delivered: {named}" in bot.private(bot.root) and bot.texts() == []


@pytest.mark.parametrize(
    ("fault", "times"),
    [(Flood(0.05), 2), (Flood(0.05, shared=True), 2), (BadGateway(), 1), (Drops(), 2), (Drops(applied=True), 2)],
    ids=["429", "429 shared", "502", "dropped", "lost"],
)
async def test_what_passes_is_waited_out_and_said_once(bot, fault, times):
    bot.server.fault("create_message", fault, times=times)
    await bot.hears(bot.ann, f"{bot.at} tea?")
    assert bot.texts() == ["fine"] and await ended(bot) == (Outcome.REPLIED, "")


async def test_a_kill_while_an_answer_is_sent_does_not_send_it_twice(bot):
    bot.server.fault("create_message", Hangs(applied=True))
    await bot.says(bot.ann, f"{bot.at} tea?")
    await bot.server.hung()
    await bot.dies()
    bot.server.release()
    await bot.lives_again()
    await bot.settled()
    assert bot.texts().count("fine") == 1


async def test_a_closed_private_chat_loses_nothing_silently(bot, model):
    async def closes(_):
        bot.ann.takes_dms = False
        return says("fine")

    model.script = [closes]
    await bot.hears(bot.ann, "tea?", bot.me)
    assert await ended(bot, bot.dm(bot.ann)) == (Outcome.FAILED, "send:dm_closed")
    assert "could not be delivered: dm_closed" in bot.private(bot.root)


async def test_a_bot_that_is_thrown_out_says_so_to_its_owner(bot, model):
    bot.world.guild("Den", bot.root, bot.me)

    async def throws(_):
        bot.house.leave(bot.me)
        return says("fine")

    model.script = [throws]
    await bot.hears(bot.ann, f"{bot.at} tea?")
    rows = [row for row in await bot.store.ledger.recent(bot.key(), 9) if row.inbound.text]
    assert (rows[-1].outcome, rows[-1].outcome_reason.partition(":")[0]) == (Outcome.FAILED, "send")
    assert "could not be delivered" in bot.private(bot.root)
