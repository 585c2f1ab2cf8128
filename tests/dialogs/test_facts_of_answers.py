"""What code can tell of an answer: a fact it denies, one that is lost, two that exclude each other, its own refusal."""

from __future__ import annotations

import re

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from tests.dialogs.bot import CONFIG, GENERAL, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_compaction import Cast, a_full_bot, compactions
from tests.dialogs.test_this import SCRIPTED, said_in
from tests.fakes import values as v
from tests.fakes.provider import ScriptedProvider, calls, fails, says

DENIES = "I don't know your dog's name."
PERSONA = 'bot]\npersona = "You serve a guild. The leader of the guild is Carla."\n'


def remembers(content: str):
    return calls(("memory_save", {"content": content, "type": "fact"}))


def joined(lines: list[str]) -> str:
    """Return what is shown as one line of words."""
    return " ".join("\n".join(lines).split())


def is_for_a_phone(text: str) -> bool:
    return len(text) <= MAX_CHARACTERS and text.count("\n") < MAX_LINES


# a denied fact


async def test_in_a_terminal_the_line_that_an_answer_denies_is_quoted(tmp_path):
    provider = ScriptedProvider(says("Noted."), says(DENIES), says("Hello!"))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind my dog is called Rex")
        await bot.says("ann", "@glassmind what is my dog's name?")
        await bot.says("root", "@glassmind hello")
        asked = len(provider.requests)
        shown = joined(await bot.says("root", "!cortex why does it not know the dog's name"))
        assert "it denies what it was told" in shown and "likely · rules only" in shown
        assert "#general: what it was told" in shown and "1 A message by ann" in shown
        assert "my dog is called Rex" in shown
        assert "confirmed" not in shown
        assert len(provider.requests) == asked, "what code can tell costs nothing"
        assert "my dog is called Rex" in joined(await bot.types("/press Show i"))


async def test_what_is_really_not_known_is_no_denial(tmp_path):
    provider = ScriptedProvider(says("Noted."), says(DENIES))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("bob", "@glassmind my dog is called Rex")
        await bot.says("ann", "@glassmind what is my dog's name?")
        await bot.says("root", "hm")
        shown = joined(await bot.says("root", f"/reply {said_in(bot, DENIES)} !cortex why"))
        assert "denies what it was told" not in shown


async def denied_on(bot, at: str) -> str:
    await bot.hears(bot.ann, f"{at} my dog is called Rex")
    answers = await bot.hears(bot.ann, f"{at} what is my dog's name?")
    answer = next(message for message in answers if DENIES in message.text)
    await bot.hears(bot.root, "!cortex why" if at != AT else "/cortex why", reply_to=answer)
    return bot.private(bot.root)


@pytest.mark.parametrize("opened", [a_telegram_bot, a_discord_bot])
async def test_on_both_platforms_the_line_that_an_answer_denies_is_quoted(tmp_path, opened):
    async with opened(tmp_path / "data", model=ScriptedProvider(says("Noted."), says(DENIES))) as bot:
        told = await denied_on(bot, AT if opened is a_telegram_bot else bot.at)
        assert "it denies what it was told" in told and "my dog is called Rex" in " ".join(told.split())
        newest = bot.written(bot.dm(bot.root))[-1]
        assert is_for_a_phone(newest.text) and labels_of(newest, "Show")
        assert not any("denies what it was told" in text for text in bot.texts())


# a lost fact


async def with_a_lost_fact(bot, cast: Cast) -> None:
    await bot.says("ann", "@glassmind the meeting is on thursday at 18:30")
    number = 0
    while not any(one.state.stands for one in await compactions(bot)):
        await bot.says("ann", f"@glassmind number {number} " + " ".join(f"word{n}" for n in range(60)))
        number += 1
    cast.answer = lambda request: says("You never told me when the meeting is.")
    await bot.says("ann", "@glassmind when is the meeting?")


@pytest.mark.parametrize("words", ["y did it forget the meeting time", "why"])
async def test_a_fact_that_a_summary_lost_is_put_back(tmp_path, words):
    cast = Cast(writes=lambda request: says("They talked."))
    async with a_full_bot(tmp_path / "data", cast) as bot:
        await with_a_lost_fact(bot, cast)
        reply = "" if words != "why" else f"/reply {said_in(bot, 'You never told me')} "
        await bot.says("root", "hm")
        shown = joined(await bot.types(f"{reply}!cortex {words}"))
        assert (
            "it sees less than before" in shown
            and "Its summary lacks" in shown
            and "18:30" in shown.partition("Its summary lacks")[2][:20]
        )
        assert "what it is no longer told" in shown and "the meeting is on thursday at 18:30" in shown
        assert "Put it back…]" in shown and "Remember it…]" in shown
        preview = joined(await bot.types("/press Put it back"))
        (name,) = set(re.findall(r"Undo (k\w{4,5})", preview))
        assert f"✓ {name} is undone" in joined(await bot.types(f"/press Undo {name}"))
        state = await bot.store.channels.load(GENERAL)
        assert "the meeting is on thursday" in "\n".join(message.text for message in state.history)


async def test_a_lost_fact_is_remembered_after_a_preview_and_that_can_be_undone(tmp_path):
    cast = Cast(writes=lambda request: says("They talked."))
    async with a_full_bot(tmp_path / "data", cast) as bot:
        await with_a_lost_fact(bot, cast)
        await bot.says("root", "!cortex y did it forget the meeting time")
        preview = joined(await bot.types("/press Remember it"))
        assert "ann said: @glassmind the meeting is on thursday at 18:30" in preview and "as it was said" in preview
        assert not await memories(bot)
        assert "✓ Remembered in #general" in joined(await bot.types("/press Remember it in"))
        (memory,) = await memories(bot)
        assert memory.body.provenance.inbound and memory.body.subjects == ("101",)
        # an admin decided that it is kept; the words are ann's, and count as hers
        assert (
            not memory.body.provenance.by_admin
            and memory.body.provenance.origins.described == "somebody here (everyone)"
        )
        audit = await bot.store.audit.newest(None, 9)
        assert any(row.body.action == "save memory" for row in audit)
        await bot.types("/press Undo")
        assert not await memories(bot)


async def memories(bot):
    found = await bot.store.memories.listed("main", "console:#general", "")
    return [one for one in found if not one.forgotten_at]


async def test_an_emergency_cut_is_named_with_the_summaries_that_failed(tmp_path):
    cast = Cast(writes=lambda request: fails())
    async with a_full_bot(tmp_path / "data", cast, more="rest_minutes = 600") as bot:
        await with_a_lost_fact(bot, cast)
        shown = joined(await bot.says("root", "!cortex did it forget everything"))
        assert "it sees less than before" in shown and "Emergency cut k" in shown
        assert "without a summary, after" in shown and "no longer sees" in shown


async def test_what_a_fresh_start_took_away_is_named_with_who_began_anew(tmp_path):
    provider = ScriptedProvider(says("Noted."), says("I don't know what your cat is called."))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind my cat is called Pear")
        await bot.says("mod", "/new")
        await bot.says("ann", "@glassmind what is my cat called?")
        shown = joined(await bot.says("root", "!cortex why did it forget my cat"))
        assert "it sees less than before" in shown and "mod started a fresh chat at" in shown
        assert "my cat is called Pear" in shown and "/new undo" in shown
        assert "Remember it…]" in shown and "Put it back…]" not in shown


# two that exclude each other


async def test_in_a_terminal_both_sides_of_a_contradiction_are_quoted(tmp_path):
    provider = ScriptedProvider(
        *(remembers("The office address is 12 Elm Street."), says("Noted.")),
        *(remembers("The office address is 40 Oak Avenue."), says("Noted.")),
        says("It is at 12 Elm Street."),
    )
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind please remember: the office address is 12 Elm Street")
        await bot.says("bob", "@glassmind please remember: the office address is 40 Oak Avenue")
        await bot.says("mod", "/new")
        bot.clock.advance(25 * 3600)
        await bot.says("ann", "@glassmind what is the office address?")
        shown = joined(await bot.says("root", "!cortex why does it give the wrong address"))
        assert "it was told two versions" in shown and "what contradicts itself" in shown
        assert "12 Elm Street" in shown and "40 Oak Avenue" in shown
        assert "A memory by ann" in shown and "A memory by bob" in shown
        assert len(re.findall(r"Forget m\w{4,5}…\]", shown)) == 2


@pytest.mark.parametrize("opened", [a_telegram_bot, a_discord_bot])
async def test_on_both_platforms_both_sides_are_quoted_and_one_can_be_forgotten(tmp_path, opened):
    async with opened(tmp_path / "data", model=ScriptedProvider(says("It is at 12 Elm Street."))) as bot:
        at, where = AT if opened is a_telegram_bot else bot.at, bot.key().channel
        sides = ("The office address is 12 Elm Street.", "The office address is 40 Oak Avenue.")
        await bot.store.memories.add([v.memory(one, channel=where, scope_id=where) for one in sides])
        answers = await bot.hears(bot.ann, f"{at} what is the office address?")
        answer = next(message for message in answers if "12 Elm Street" in message.text)
        await bot.hears(bot.root, "!cortex why" if at != AT else "/cortex why", reply_to=answer)
        told = " ".join(bot.private(bot.root).split())
        assert "it was told two versions" in told and all(one in told for one in sides)
        newest = bot.written(bot.dm(bot.root))[-1]
        assert is_for_a_phone(newest.text) and len(labels_of(newest, "Forget")) == 2


async def test_a_memory_that_excludes_what_the_persona_says_is_named(tmp_path, monkeypatch):
    provider = ScriptedProvider(remembers("The leader of the guild is Dave."), says("Noted."), says("Dave leads it."))
    monkeypatch.setattr("tests.dialogs.bot.CONFIG", CONFIG.replace("bot]\n", PERSONA, 1))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind please remember: the leader of the guild is Dave")
        await bot.says("bob", "@glassmind who is the leader of the guild?")
        shown = joined(await bot.says("root", "!cortex why does it say dave leads"))
        assert "it was told two versions" in shown and "its persona" in shown and "Carla" in shown


# its own refusal


async def test_in_a_terminal_its_own_earlier_silence_is_named(tmp_path):
    skip = calls(("skip", {"reason": "ann asks about loot, which is not for me", "category": "declined"}))
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(skip, skip)}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind who gets the loot?")
        await bot.says("ann", "@glassmind and who gets the loot tomorrow?")
        shown = joined(await bot.says("root", "!cortex why"))
        assert "it repeats its own silence" in shown and "likely" in shown
        assert "what it said before" in shown and "which is not for me" in shown


async def test_in_a_terminal_its_own_earlier_refusal_is_named(tmp_path):
    refusal = says("I can't help with the loot table, ask an officer.")
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(refusal)}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind who gets the loot?")
        await bot.says("ann", "@glassmind please show the loot table")
        shown = joined(await bot.says("root", "!cortex why did it say it can't help"))
        assert "it repeats its own refusal" in shown
