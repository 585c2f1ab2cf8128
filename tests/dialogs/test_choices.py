"""Buttons that only say something: whoever presses one has said its words, and nothing else happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says

SCRIPTED = '[providers.scripted]\nkind = "simulated"\n[model]\nname = "scripted/scripted-1"\ncontext_window = 128000\n'
ASK = {"text": "Tea or coffee? https://evil.example/x", "choices": ("Tea", "Coffee @everyone")}


def asks(**changes: object) -> list[object]:
    return [calls(("offer_choices", {**ASK, **changes})), says("asked"), says("Tea it is.")]


async def test_a_press_comes_back_as_the_words_of_whoever_pressed_and_is_judged_as_theirs(tmp_path: Path) -> None:
    model = ScriptedProvider(*asks())
    async with a_bot(tmp_path, providers={"scripted": model}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind what is there?")
        assert any("💬 Tea" in line for line in bot.lines)
        told = model.requests[1].messages[-1].results[0].text
        assert told.startswith("Sent as message ")
        bot.clock.advance(5)
        lines = await bot.types("/as james", "/press 💬 Tea")
        assert "[only james sees this] You said “Tea”." in lines and "[#general] glassmind< Tea it is." in lines
        asked = model.requests[-1].messages[-1].text
        assert '"from":"james"' in asked and asked.endswith("pressed the button “Tea”")
        # the ledger has it as a message of his, answered
        (newest, *_) = await bot.store.ledger.recent(GENERAL, 1)
        assert (newest.inbound.author.name, newest.outcome) == ("james", Outcome.REPLIED)
        # he is judged as ever: where the bot only listens, nobody is answered
        await bot.says("mod", "/quiet")
        bot.clock.advance(5)
        before = len(model.requests)
        await bot.types("/as james", "/press 💬 Tea")
        assert len(model.requests) == before


async def test_what_a_model_may_not_put_on_a_button_is_refused_and_none_looks_like_one_that_does_something(
    tmp_path: Path,
) -> None:
    key = "sk-proj-" + "a1B2" * 8
    wrong = [{"choices": ("Tea", "Tea")}, {"choices": (" ", "Tea")}, {"choices": ("茶" * 40,)}, {"text": " \u200b"}]
    script = [calls(*(("offer_choices", {**ASK, **one}) for one in wrong)), says("no")]
    model = ScriptedProvider(*script)
    async with a_bot(tmp_path, providers={"scripted": model}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind what is there?")
        results = [result.text for result in model.requests[1].messages[-1].results]
        assert len(results) == 4 and all("Not sent" in text for text in results)
        assert not any("💬" in line for line in bot.lines)
        model.script = [calls(("offer_choices", {**ASK, "choices": (key[:40], "No")})), says("asked")]
        await bot.says("ann", "@glassmind and now?")
        assert any("💬 No" in line for line in bot.lines) and not any(key[:40] in line for line in bot.lines)


@pytest.mark.parametrize("platform", ["discord", "telegram"])
async def test_on_a_platform_a_press_of_somebody_else_is_answered_as_their_message(
    tmp_path: Path, platform: str
) -> None:
    model = ScriptedProvider(*asks())
    open_bot = a_discord_bot if platform == "discord" else a_telegram_bot
    async with open_bot(tmp_path, model=model) as bot:
        at = bot.at if platform == "discord" else AT
        await bot.hears(bot.ann, f"{at} what is there?")
        (told,) = model.requests[1].messages[-1].results
        assert told.ok
        await bot.presses(bot.james, "💬 Tea")
        assert model.requests[-1].messages[-1].text.endswith("pressed the button “Tea”")
        assert f'"id":"{bot.james.id}"' in model.requests[-1].messages[-1].text
        assert bot.texts()[-1] == "Tea it is."
