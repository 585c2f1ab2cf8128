"""The web page within Telegram: the button below the link, and who comes in by it."""

from __future__ import annotations

from bot.app.window import site_of
from tests.bot.window.browser import Browser
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.servers.telegram.mini_apps import init_data

PAGE = """
[web_page]
enabled = true
address = "https://bot.example.org"
"""


async def test_an_owner_opens_the_page_within_telegram_by_the_button_below_the_link(tmp_path):
    async with a_telegram_bot(tmp_path / "data", more=f"{PAGE}telegram_app = true\n") as bot:
        await bot.hears(bot.ann, f"{AT} say good morning")
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        await bot.hears(bot.root, "!cortex web")
        said = bot.written(bot.dm(bot.root))[-1]
        assert "https://bot.example.org/enter/" in said.text and "The button opens it here" in said.text
        assert said.buttons == [{"text": "Open it here", "web_app": {"url": "https://bot.example.org/app"}}]
        assert not [one for one in bot.written(bot.kitchen) if one.buttons], "nothing of it in the group"
        bot.clock.advance(2)
        for who, status in ((bot.root, 303), (bot.ann, 403)):
            browser = Browser(site)
            now = bot.clock.now() / 1000
            found = await browser.sends("/app", init_data(bot.token, who.id, now, name=who.name))
            assert found.status == status
            assert ("kitchen" in (await browser.get("/overview")).body.decode()) is (status == 303)


async def test_without_it_there_is_no_button_and_who_comes_is_refused_in_the_language_of_the_bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data", more=PAGE, bot_keys='language = "de"\n') as bot:
        await bot.hears(bot.root, "!cortex web")
        said = bot.written(bot.dm(bot.root))[-1]
        assert "https://bot.example.org/enter/" in said.text and "Knopf" not in said.text and said.buttons == []
        browser = Browser(site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring))
        assert "Du bist nicht angemeldet" in (await browser.get("/overview")).body.decode()
