"""The ways into the page besides a link, in a real browser: in Telegram's app and its frame, and over Discord."""

from __future__ import annotations

import asyncio
import re

import orjson
import pytest

from bot.app.window import site_of
from bot.domain.ids import PersonKey, UserId
from tests.adapters.browser.machine import needs_chromium
from tests.adapters.test_page_server import free_port, serving
from tests.bot.window.test_in_chromium import FAINT, a_tab
from tests.bot.window.test_logins import keys, said_now
from tests.dialogs.bot import a_bot
from tests.servers.sign_in import sign_in_server
from tests.servers.telegram.mini_apps import opened

pytestmark = [needs_chromium, pytest.mark.timeout(240)]

SANDBOX = "allow-scripts allow-same-origin allow-popups allow-forms allow-modals"
"""What Telegram's own page allows in the frame of an app, no more."""
TELEGRAM = "http://web.telegram.test"
FRAME = """<!doctype html><title>Telegram</title><main><script>
window.heard = [];
addEventListener("message", (event) => heard.push(event.data));
</script><iframe sandbox="{sandbox}" src="{src}"></iframe></main>"""


async def test_whom_telegram_or_discord_names_comes_in(tmp_path):
    await comes_in(tmp_path)


async def comes_in(tmp_path, look=None):
    """Come in by each way, in the app, by its frame and over Discord; `look` is called at each page on the way."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with (
        sign_in_server(f"{url}/sign-in/back") as discord,
        a_bot(tmp_path, more=keys(discord.api)) as bot,
        # every other site than the page is asked of this server
        a_tab(f"http://127.0.0.1:{discord.listener.port}") as tab,
    ):
        page = bot.app.config.web_page.model_copy(update={"address": url})
        site = site_of(bot.app, page, bot.app.cortex_wiring)
        site.app.verifier.embedder = TELEGRAM

        async def shows(words):
            assert words in await tab.text()
            for wide, scheme in ((1280, "dark"), (390, "light"), (1280, "light"), (390, "dark"))[: 4 if look else 2]:
                await tab.looks(wide, scheme)
                assert await tab.js("document.documentElement.scrollWidth <= innerWidth"), (words, wide)
                assert await tab.js(FAINT) == [], (words, scheme)
                if look is not None:
                    await look(tab, words)

        async def leaves():
            assert await tab.js("location.pathname + location.hash") == "/overview"
            tab.loaded.clear()
            await tab.js("document.querySelector('.leave button').click()")
            await tab.loaded.wait()

        bot.clock.advance(2)
        async with serving(site.answer, port):
            # by a link from elsewhere it has to be meant; in Telegram somebody pressed its button just now
            await tab.goes(f"{url}/app")
            await shows("Telegram has not said who you are")
            said = said_now(bot)
            await tab.goes("about:blank")
            await tab.goes(opened(f"{url}/app", said))
            assert await tab.js("location.href") == f"{url}/app"
            await shows("Open this page?")
            await tab.presses("Open")
            await leaves()
            await shows("Sign in with Discord")
            await tab.goes(opened(f"{url}/app", said))
            await tab.presses("Open")
            await shows("Telegram could not let you in")
            await tab.goes("about:blank")
            await tab.goes(opened(f"{url}/app", said_now(bot, 101)))
            await tab.presses("Open")
            await shows("You came as Telegram 101")
            inside = "window.TelegramWebviewProxy = { postEvent() {} }"
            script = await tab.do("Page.addScriptToEvaluateOnNewDocument", source=inside)
            await tab.goes("about:blank")
            await tab.do("Page.navigate", url=opened(f"{url}/app", said_now(bot, query_id="B")))
            await tab.until("location.pathname === '/overview' && document.readyState === 'complete'")
            await leaves()
            await tab.do("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])

            # in the frame of a browser: no cookie, and a link that Telegram's own page is asked to open
            src = opened(f"{url}/app", said_now(bot, query_id="C")).replace("&", "&amp;")
            discord.pages["/"] = FRAME.format(sandbox=SANDBOX, src=src)
            await tab.goes(f"{TELEGRAM}/")
            while "Open in a new tab" not in await tab.frame_text():  # noqa: ASYNC110 - a browser is asked
                await asyncio.sleep(0.02)
            await tab.in_frame("document.getElementById('tab').click()")
            await tab.until("heard.length === 1")
            heard = orjson.loads(await tab.js("heard[0]"))
            assert heard["eventType"] == "web_app_open_link"
            assert (await tab.do("Network.getCookies", urls=[url]))["cookies"] == []
            # nobody else holds that page in a frame, and it holds no other
            for src, holder in ((f"{url}/app", "http://evil.test"), (f"{url}/enter/x", TELEGRAM)):
                discord.pages["/"] = FRAME.format(sandbox=SANDBOX, src=src)
                await tab.goes(f"{holder}/")
                assert not re.search("Telegram|Open", await tab.frame_text())
            await tab.goes(heard["eventData"]["url"])
            await tab.presses("Open")
            await leaves()

            await tab.follows("Sign in with Discord")
            assert (await tab.js("location.origin")) == discord.url
            await tab.js("document.querySelector('main a').click()")
            # the page between goes on by itself
            await tab.until("location.pathname === '/overview' && document.readyState === 'complete'")
            assert any(one.startswith(f"{url}/sign-in/back?code=") for one in tab.called)
            await leaves()
            discord.user = {"id": "101"}
            await tab.follows("Sign in with Discord")
            await tab.follows("Authorize")
            await shows("You came as Discord 101")
            discord.troubles = {"/api/v10/oauth2/token": (500, b"")}
            await tab.follows("Sign in with Discord")
            await tab.follows("Authorize")
            await shows("Discord cannot be asked now")
            await tab.goes(f"{url}/sign-in/back?code=a&state=b")
            await shows("began in another browser")
            link = site.sessions.link(PersonKey("discord", UserId("88")))
            await tab.goes(link)
            await shows("The link works once")
            assert tab.broke == []
