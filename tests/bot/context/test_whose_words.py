"""Whose words are whose in what a model was told, in a whole conversation."""

from __future__ import annotations

import pytest

from bot.context.whose_words import WhoseWords, whose_words
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.servers.discord import Upload


@pytest.fixture
def heard(monkeypatch) -> list[WhoseWords]:
    """What every turn sorted that had a link to judge."""
    found: list[WhoseWords] = []

    def kept(*args):
        found.append(whose_words(*args))
        return found[-1]

    monkeypatch.setattr("bot.context.links_of_others.whose_words", kept)
    return found


def others(words: WhoseWords) -> str:
    return "\n".join(one.text for one in words.others)


async def test_people_files_tools_and_the_operator_are_told_apart(tmp_path, heard):
    model = ScriptedProvider(says("see https://a.com"))
    async with a_discord_bot(tmp_path / "data", model=model, bot_keys='persona = "PERSONA-WORDS"') as bot:
        await bot.hears(bot.ann, f"{bot.at} ANN-BEFORE")
        await bot.hears(bot.james, "JAMES-AMBIENT")
        model.script = [calls(("memory_recall", {"query": "anything"})), says("see https://a.com")]
        notes = Upload("FILE-NAME.txt", b"FILE-WORDS", "text/plain")
        await bot.hears(bot.ann, f"{bot.at} ANN-NOW:\n\nANN-PASTED", files=[notes])
    words = heard[-1]
    assert "ANN-NOW" in words.asked[0] and "ANN-PASTED" not in words.asked[0]
    assert any("ANN-BEFORE" in text for text in words.asked_before)
    assert any("PERSONA-WORDS" in text for text in words.operators)
    assert words.said == ("see https://a.com",)
    for theirs in ("JAMES-AMBIENT", "FILE-WORDS", "FILE-NAME", "ANN-PASTED", "No memory fits"):
        assert theirs in others(words), theirs
    for mine in ("ANN-NOW", "ANN-BEFORE", "PERSONA-WORDS"):
        assert mine not in others(words), mine


async def test_who_is_quoted_or_forwarded_is_somebody_else(tmp_path, heard):
    model = ScriptedProvider(says("see https://a.com"))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        source = bot.say(bot.james, "JAMES-WORDS")
        await bot.settled()
        await bot.hears(bot.ann, f"{AT} what of this?", reply_to=source)
    shown = [one for one in heard[-1].others if one.is_shown]
    assert {one.text for one in shown} == {"JAMES-WORDS"} and "James" in shown[0].author


async def test_another_persons_turn_has_other_askers(tmp_path, heard):
    model = ScriptedProvider(says("see https://a.com"))
    async with a_discord_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, f"{bot.at} ANN-BEFORE")
        await bot.hears(bot.james, f"{bot.at} JAMES-NOW")
    assert "JAMES-NOW" in heard[-1].asked[0] and "ANN-BEFORE" in others(heard[-1])
