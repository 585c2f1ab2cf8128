"""`read`: the words that a model is or was told, in pages for a phone, in private, on three platforms."""

from __future__ import annotations

import re

import pytest

from bot.domain.llm import LLMRequest, LLMResponse
from tests.dialogs.bot import Bot, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.fakes.provider import ScriptedProvider, says

SCRIPTED = """
[model]
name = "scripted/scripted-1"
retries = 0
[providers.scripted]
kind = "simulated"
"""
LONG = "\n".join(f"line {number} of a long story about quinces and medlars" for number in range(40))


async def answers(request: LLMRequest) -> LLMResponse:
    return says("A quince is a fruit; see https://evil.example/x?token=1 and @everyone.")


@pytest.fixture
async def console(tmp_path):
    provider = ScriptedProvider(answers)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        yield bot


async def reads(bot: Bot, words: str, name: str = "root") -> str:
    return "\n".join(await bot.says(name, f"!cortex {words}"))


async def test_the_parts_are_listed_with_a_button_for_each(console):
    await console.says("ann", "@glassmind what is a quince?")
    shown = await reads(console, "read")
    assert "What the model would be told" in shown and "No earlier" not in shown
    assert re.search(r"● participants|● history", shown), shown
    assert "Read identity" in shown and "More" in shown
    assert "You are Glassmind" in "\n".join(await console.types("/press Read identity"))
    more = "\n".join(await console.types("/press More"))
    assert "Read history" in more or "Read tools" in more


async def test_a_section_an_alias_a_tool_and_the_answer_are_read_by_name(console):
    await console.says("ann", "@glassmind what is a quince?")
    assert "section:identity" in await reads(console, "read section identity last")
    assert "section:identity" in await reads(console, "read identity")
    assert "parameters" in await reads(console, "read tool skip last")
    assert "- skip (" in await reads(console, "read tools last")
    history = await reads(console, "read history last")
    assert "what is a quince?" in history
    answer = await reads(console, "read answer last")
    assert "A quince is a fruit" in answer and "evil[.]example" in answer
    assert "token=1" not in answer and "@everyone" not in answer


async def test_what_is_not_there_is_said_with_what_is(console):
    await console.says("ann", "@glassmind hello")
    assert "It has no section nonsense" in await reads(console, "read section nonsense")
    assert "There is no tool nothing" in await reads(console, "read tool nothing")
    assert "Nothing was sent yet" in await reads(console, "read answer next")
    assert "none is between" in await reads(console, "read history 50-60 last")
    # what cannot be read whole is a question
    assert "What the model" not in await reads(console, "read between the lines of what it said")


async def test_last_shows_what_came_back(console):
    await console.says("ann", "@glassmind what is a quince?")
    assert "What came back for r" in (shown := await reads(console, "last")) and "A quince is a fruit" in shown
    assert "Read identity" in shown
    assert "What came back" not in await reads(console, "context")


async def test_this_leads_to_the_parts_of_the_request(console):
    await console.says("ann", "@glassmind what is a quince?")
    said = next(one.message_id for one in reversed(console.console.world.said) if "is a fruit" in one.text)
    await console.says("root", "hm")
    shown = "\n".join(await console.types(f"/reply {said} !cortex this"))
    assert "Read identity" in shown
    assert "section:identity" in "\n".join(await console.types("/press Read identity"))


async def test_a_long_history_has_pages_and_is_opened_at_its_end(console):
    await console.says("ann", "the beginning")
    for line in LONG.split("\n"):
        await console.says("ann", line)
    await console.says("ann", "@glassmind the end?")
    shown = await reads(console, "read history last")
    page, pages = map(int, re.search(r"page (\d+) of (\d+)", shown).groups())
    assert page == pages > 2 and "the end?" in shown and "Next page" not in shown
    back = "\n".join(await console.types("/press Back"))
    assert f"page {pages - 1} of {pages}" in back and "Next page" in back
    assert f"page {pages} of {pages}" in "\n".join(await console.types("/press Next page"))
    first = await reads(console, "read history 1-3 last")
    assert "the beginning" in first
    for block in re.findall(r"```\n(.*?)```", shown, re.DOTALL):
        assert all(len(line.removeprefix("  ")) <= 38 for line in block.splitlines())


async def test_what_is_new_since_it_last_worked_is_marked(console):
    await console.says("ann", "@glassmind what is a quince?")
    await console.says("ann", "@glassmind and a medlar?")
    shown = await reads(console, "read history last")
    assert "+ new, − gone since it last worked: r" in shown
    assert re.search(r"^ *\+ .*medlar", shown, re.MULTILINE) and re.search(r"^ +[^+]*quince", shown, re.MULTILINE)
    assert "Same as when it last worked" in await reads(console, "read identity last")


async def test_buttons_hold_after_a_restart_and_pressed_twice(console):
    await console.says("ann", "@glassmind what is a quince?")
    await reads(console, "read last")
    await console.restart()
    for _ in range(2):
        assert "section:identity" in "\n".join(await console.types("/press Read identity"))
    assert not any("section:identity" in line for line in console.public())


async def test_a_button_of_the_next_request_says_that_it_has_changed(console):
    await console.says("ann", "@glassmind what is a quince?")
    await reads(console, "read memory next")
    await reads(console, "read next")
    shown = "\n".join(await console.types("/press More"))
    assert "Read history" in shown
    await console.says("ann", "@glassmind and a plum?")
    await console.says("root", "hm")
    late = "\n".join(await console.types("/press Read history"))
    assert "It has changed since you looked." in late and "a plum?" in late
    assert "It has changed" not in "\n".join(await console.types("/press All parts"))


async def test_whoever_may_not_is_told_nothing(console):
    await console.says("ann", "@glassmind what is a quince?")
    assert await reads(console, "read", "ann") == ""


async def test_on_telegram_pages_fit_and_others_are_refused(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{AT} hello @mod https://evil.example/a")
        await bot.hears(bot.root, "!cortex read history last")
        shown = bot.written(bot.dm(bot.root))[-1]
        assert "page" in shown.text or "hello" in shown.text
        assert "https://evil.example" not in shown.text and len(shown.text) < 2000
        assert "All parts" in labels_of(shown, "All")
        await bot.presses(bot.root, "All parts")
        menu = bot.written(bot.dm(bot.root))[-1]
        assert "Read identity" in labels_of(menu, "Read")
        count = len(bot.written())
        await bot.presses(bot.mod, "Read identity", menu)
        assert len(bot.written()) == count
        await bot.restart()
        await bot.presses(bot.root, "Read identity", menu)
        assert "section:identity" in bot.texts(bot.dm(bot.root))[-1]
        assert not any("section:" in text for text in bot.texts())


async def test_on_discord_pages_fit_and_others_are_refused(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{bot.at} hello https://evil.example/a")
        await bot.hears(bot.mod, "!cortex read last")
        menu = bot.written(bot.dm(bot.mod))[-1]
        assert "Read identity" in labels_of(menu, "Read")
        press = await bot.presses(bot.root, "Read identity", menu)
        assert "section:identity" not in "\n".join(message.text for message in press.shown)
        await bot.restart()
        await bot.settled()
        press = await bot.presses(bot.mod, "Read operating_contract", menu)
        assert not press.has_failed and press.shown == [], [m.text for m in press.shown]
        page = bot.written(bot.dm(bot.mod))[-1]
        assert "section:operating_contract" in page.text and "page 1 of" in page.text and len(page.text) <= 2000
        await bot.presses(bot.mod, "Next page", page)
        assert "page 2 of" in bot.written(bot.dm(bot.mod))[-1].text
        assert not any("section:" in text for text in bot.texts())
