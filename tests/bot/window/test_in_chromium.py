"""The page in a real browser: the link from the chat, the keys, every screen small and wide, dark and light."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.browser.devtools import devtools
from adapters.browser.program import find_browser, running_browser
from bot.app.window import site_of
from bot.errors import ToolError
from tests.adapters.browser.machine import SETTINGS, needs_chromium
from tests.adapters.test_page_server import free_port, serving
from tests.bot.window.test_request_blocks import long_talk
from tests.dialogs.bot import a_bot

pytestmark = [needs_chromium, pytest.mark.timeout(240)]

TRICK = "<script>window.hacked=1</script> <img src=https://evil.example/x onerror=window.hacked=1> " + "along" * 20
FAINT = """(() => {
  const light = (colour) => {
    const part = (x) => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const found = getComputedStyle(one).backgroundColor;
      if (found !== "rgba(0, 0, 0, 0)") return found;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && one.checkVisibility())
    .map((one) => [one, light(getComputedStyle(one).color), light(ground(one))])
    .filter(([, a, b]) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5)
    .map(([one]) => one.outerHTML.slice(0, 80));
})()"""
"""Texts whose contrast is less than WCAG AA asks for."""


class Tab:
    """A tab of a browser; `called` is every address that it asked for, `broke` every error of a script."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.broke: list[Any] = []
        self.loads = 0
        self.loaded = asyncio.Event()
        self.tools: Any = None
        self.session = ""

    def hear(self, event: str, values: Any) -> None:
        if event == "Network.requestWillBeSent":
            self.called.append(values["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.broke.append(values)
        elif event == "Page.loadEventFired":
            self.loads += 1
            self.loaded.set()

    async def do(self, method: str, **values: object) -> Any:
        return await self.tools.call(method, self.session, **values)

    async def js(self, words: str) -> Any:
        found = await self.do("Runtime.evaluate", expression=words, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def goes(self, url: str) -> None:
        self.loaded.clear()
        await self.do("Page.navigate", url=url)
        await self.loaded.wait()

    async def types(self, key: str) -> None:
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        await self.do("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        await self.do("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def opens(self) -> None:
        """Press Enter, and wait for the page that it leads to."""
        # what has the focus from the start has it only once the page is drawn
        await self.until("document.activeElement !== document.body")
        self.loaded.clear()
        await self.types("Enter")
        await self.loaded.wait()

    async def presses(self, label: str) -> None:
        """Press a button that sends a form, and wait for the page that comes."""
        found = f"[...document.querySelectorAll('main button')].find(b => b.textContent.startsWith({label!r}))"
        assert await self.js(f"Boolean({found})"), (label, await self.js("document.querySelector('main').innerText"))
        self.loaded.clear()
        await self.js(f"{found}.click()")
        await self.loaded.wait()

    async def follows(self, words: str) -> None:
        """Follow a link by the words in it."""
        found = f"[...document.querySelectorAll('main a')].find(a => a.textContent.includes({words!r}))"
        assert await self.js(f"Boolean({found})"), (words, await self.js("document.querySelector('main').innerText"))
        self.loaded.clear()
        await self.js(f"{found}.click()")
        await self.loaded.wait()

    async def until(self, words: str) -> None:
        """Wait until something holds, on this page or the one that comes."""
        while not await self._holds(words):  # noqa: ASYNC110 - a browser is asked
            await asyncio.sleep(0.02)

    async def _holds(self, words: str) -> bool:
        try:
            return bool(await self.js(words))
        except ToolError as error:
            # it was asked while one page made way for the next
            if "navigated" not in str(error):
                raise
            return False

    async def in_frame(self, words: str) -> Any:
        """Run something in the frame of another site that the page holds; None where there is none."""
        targets = (await self.tools.call("Target.getTargets"))["targetInfos"]
        frames = [one["targetId"] for one in targets if one["type"] == "iframe"]
        if not frames:
            return None
        session = (await self.tools.call("Target.attachToTarget", targetId=frames[0], flatten=True))["sessionId"]
        found = await self.tools.call("Runtime.evaluate", session, expression=words, returnByValue=True)
        await self.tools.call("Target.detachFromTarget", sessionId=session)
        return found["result"].get("value")

    async def frame_text(self) -> str:
        return str(await self.in_frame("document.body ? document.body.innerText : ''") or "")

    async def text(self) -> str:
        return " ".join((await self.js("document.querySelector('main').innerText")).split())

    async def looks(self, width: int, scheme: str) -> None:
        await self.do(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500
        )
        await self.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


@asynccontextmanager
async def a_tab(proxy="direct://"):
    tab, program = Tab(), find_browser("")
    async with running_browser(program, sandbox=SETTINGS["sandbox"]) as address, devtools(address, tab.hear) as tools:
        tab.tools = tools
        others = "127.0.0.1" if proxy == "direct://" else "<-loopback>;127.0.0.1"
        made = await tools.call("Target.createBrowserContext", proxyServer=proxy, proxyBypassList=others)
        target = await tools.call("Target.createTarget", url="about:blank", browserContextId=made["browserContextId"])
        tab.session = (await tools.call("Target.attachToTarget", targetId=target["targetId"], flatten=True))[
            "sessionId"
        ]
        for what in ("Page", "Runtime", "Network"):
            await tab.do(f"{what}.enable")
        yield tab


async def test_an_owner_walks_through_every_screen(tmp_path):
    await walks(tmp_path)


async def walks(tmp_path, look=None):
    """Walk through every screen, small and wide, dark and light; `look` is called at each."""
    port = free_port()
    async with a_bot(tmp_path, more=f"[web_page]\nenabled = true\nport = {port}\n") as bot:
        for number in range(4):
            await bot.says("ann", f"@glassmind remember as fact with importance 0.5: {number} {TRICK}")
            await bot.says("james", f"@glassmind say {TRICK}")
        await bot.says("root", "@glassmind !pause")
        await bot.says("ann", "@glassmind hello?")
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        said = "\n".join(await bot.says("root", "!cortex web", "dm"))
        link = re.search(rf"http://127\.0\.0\.1:{port}/enter/[\w-]+", said)[0]
        async with serving(site.answer, port) as url, a_tab() as tab:
            await tab.goes(link)
            await tab.opens()
            assert await tab.js("location.pathname") == "/overview"
            await tab.types("j")
            assert await tab.js("document.activeElement.textContent") == "#general"
            await tab.opens()
            assert await tab.js("document.querySelector('h1').textContent") == "#general"
            await tab.types("?")
            assert await tab.js("document.getElementById('keys').open")
            general = "main/console:%23general"
            asked = (await tab.js(f"fetch('/channel.json?of={general}').then(r => r.json())"))["messages"][0]["handle"]
            way = await tab.js(f"fetch('/message/{asked}.json').then(r => r.json())")
            sent = way["requests"][-1]["handle"]
            memories = await tab.js(f"fetch('/memories.json?of={general}').then(r => r.json())")
            memory = memories["memories"][0]["handle"]
            for address in (
                "/overview", f"/channel?of={general}", f"/message/{asked}", f"/request/{sent}", f"/memory/{memory}",
                f"/context?of={general}&which=next", f"/diff?of={general}&a={sent}&b=last", f"/memories?of={general}",
                f"/record/{way['turn']}", f"/why?of={general}", f"/spread/{memory}", f"/work?of={general}",
                f"/cost?of={general}", f"/doctor?of={general}", "/audit", "/cortex", "/message/i0000",
            ):  # fmt: skip
                for width, scheme in ((390, "dark"), (1280, "light"), (390, "light"), (1280, "dark")):
                    await tab.looks(width, scheme)
                    await tab.goes(f"{url}{address}")
                    assert await tab.js("document.documentElement.scrollWidth <= innerWidth"), (address, width)
                    assert await tab.js(FAINT) == [], (address, scheme)
                    if look is not None:
                        await look(tab, address)
                assert await tab.js("window.hacked === undefined"), address
                assert await tab.js("document.querySelectorAll('h1').length") == 1, address
                inputs = "[...document.querySelectorAll('input:not([type=hidden])')]"
                assert await tab.js(f"{inputs}.every(one => one.labels.length > 0)"), address
            await tab.goes(f"{url}/request/{sent}")
            await tab.types("/")
            await tab.do("Input.insertText", text="no block has these words")
            assert await tab.js("document.querySelectorAll('[data-words]:not([hidden])').length") == 0
            assert tab.broke == []
            assert {one for one in tab.called if not one.startswith(f"{url}/")} <= {"about:blank"}


async def test_what_changes_is_shown_by_itself_and_a_lost_right_closes_the_page(tmp_path):
    port = free_port()
    async with a_bot(tmp_path, more=f"[web_page]\nenabled = true\nport = {port}\n") as bot:
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        said = "\n".join(await bot.says("root", "!cortex web", "dm"))
        link = re.search(rf"http://127\.0\.0\.1:{port}/enter/[\w-]+", said)[0]
        async with serving(site.answer, port), a_tab() as tab:
            await tab.goes(link)
            await tab.opens()
            await bot.says("bo", "@glassmind say hello", "#fresh")
            # the page reads again every few seconds, and when somebody comes back to it
            comes_back = "document.dispatchEvent(new Event('visibilitychange'))"
            shown = "document.querySelector('main').textContent.includes('#fresh')"
            wait = f"new Promise(r => {{ const look = () => {shown} ? r(true) : setTimeout(look, 50); look(); }})"
            assert await tab.js(f"{comes_back}; {wait}")
            bot.app.access.take_tiers({})
            tab.loaded.clear()
            await tab.js(comes_back)
            await tab.loaded.wait()
            # the first look after it is refused, and there is no session for the next one
            told = await tab.js("document.querySelector('h1').textContent")
            assert told in {"You may not look in here any more", "You are not signed in"}
            assert tab.broke == []


async def test_the_worked_example_is_walked_in_a_browser(tmp_path):
    """A member gets no answer: the link from the chat, the message, the quote, the proof, the fix, and the answer."""
    port = free_port()
    async with a_bot(tmp_path, more=f"[web_page]\nenabled = true\nport = {port}\n") as bot:
        await bot.says("ann", "@glassmind remember as decision with importance 0.9: do not answer james any more")
        await bot.says("james", "@glassmind are you there?")
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        said = "\n".join(await bot.says("root", "!cortex web", "dm"))
        link = re.search(rf"http://127\.0\.0\.1:{port}/enter/[\w-]+", said)[0]
        async with serving(site.answer, port), a_tab() as tab:
            await tab.looks(390, "dark")
            await tab.goes(link)
            await tab.opens()
            await tab.follows("#general")
            await tab.follows("chose not to answer")
            message = await tab.js("location.href")
            await tab.follows("Why did it end so?")
            assert "the bot chose not to answer" in await tab.text()
            await tab.follows("see it in the request")
            mark = await tab.js(
                "(() => { const m = document.getElementById('marked'); const at = m.getBoundingClientRect();"
                " return [m.textContent, at.top >= 0 && at.bottom <= innerHeight] })()"
            )
            assert mark == ["do not answer james any more", True]
            await tab.goes(message)
            await tab.presses("Prove what made it decide so")
            assert "Prove" in await tab.text()
            await tab.presses("Prove")
            assert "Asking now;" in await tab.text()
            await bot.app.settled()
            await tab.goes(f"http://127.0.0.1:{port}/cortex")
            await tab.follows("changes from the page")
            proof = await tab.text()
            assert "Each time the model was asked" in proof and "skipped" in proof and "replied" in proof
            assert await tab.js("document.querySelector('caption').offsetWidth") > 200
            await tab.goes(message)
            await tab.follows("Why did it end so?")
            memory = await tab.js("document.querySelector('a[href^=\"/memory/\"]').getAttribute('href')")
            await tab.goes(f"http://127.0.0.1:{port}{memory}")
            await tab.presses("Forget it")
            await tab.presses("Forget")
            assert "is forgotten" in await tab.text()
            before = len(bot.lines)
            await tab.presses("Answer")
            await bot.app.settled()
            assert [line for line in bot.lines[before:] if line.startswith("[#general] glassmind<")], bot.lines[before:]
            await tab.goes(message)
            assert "answered" in await tab.text()
            assert tab.broke == []


async def test_a_very_long_request_is_scrolled_to_its_end_and_a_link_leads_far_down(tmp_path):
    port = free_port()
    async with a_bot(tmp_path, more=f"[web_page]\nenabled = true\nport = {port}\n") as bot:
        await long_talk(bot, 700)
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        said = "\n".join(await bot.says("root", "!cortex web", "dm"))
        link = re.search(rf"http://127\.0\.0\.1:{port}/enter/[\w-]+", said)[0]
        async with serving(site.answer, port) as url, a_tab() as tab:
            await tab.looks(1280, "light")
            await tab.goes(link)
            await tab.opens()
            await tab.goes(f"{url}/context?of=main/console:%23general&which=next")
            assert await tab.js("document.querySelectorAll('.rest').length") > 10
            # to the end, a screen after the other; whatever is passed is filled in
            await tab.js(SCROLLED)
            assert await tab.js("document.querySelectorAll('.rest').length") == 0
            blocks = "[...document.querySelectorAll('.blocks > li')].map(one => Number(one.id.slice(1)))"
            assert await tab.js(f"{blocks}.every((number, place) => number === place + 1) && {blocks}.length > 700")
            # a link to a block far down, from elsewhere and from the map
            address = f"{url}/context?of=main/console:%23general&which=next"
            await tab.goes(f"{url}/overview")
            await tab.goes(f"{address}#b444")
            assert await tab.js(LANDED) == "b444"
            await tab.goes(f"{url}/overview")
            await tab.goes(address)
            await tab.js(
                "document.querySelectorAll('.map a')[90]"
                ".dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))"
            )
            assert re.fullmatch(r"b[2-5]\d\d", await tab.js(LANDED))
            assert (await tab.js("location.search")).endswith("which=next")
            assert tab.broke == []


SCROLLED = """new Promise((done) => {
  const waits = () => [...document.querySelectorAll(".rest")].some((one) => {
    const at = one.getBoundingClientRect();
    return at.bottom > 0 && at.top < innerHeight;
  });
  const step = () => {
    const end = document.documentElement.scrollHeight - innerHeight;
    if (waits()) return setTimeout(step, 5);
    if (scrollY >= end - 2) return done();
    scrollBy(0, innerHeight);
    setTimeout(step, 5);
  };
  step();
})"""
"""Goes down a screen after the other, as soon as there is something to read on it."""
LANDED = """new Promise((done) => {
  let looks = 0;
  const look = () => {
    if (looks++ > 500) return done("nowhere");
    const block = document.getElementById(location.hash.slice(1) || "none");
    const at = block && block.getBoundingClientRect();
    if (block && block.querySelector("details").open && at.top >= 0 && at.top < innerHeight) return done(block.id);
    setTimeout(look, 20);
  };
  look();
})"""
"""The block that the address names, once it is open and in sight."""
