"""Draw a page: a browser for each call, behind a gate of its own, until it has settled or the time is up."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from yarl import URL

from adapters.browser.devtools import DevTools, devtools
from adapters.browser.program import find_browser, running_browser, why_missing
from adapters.browser.proxy import BrowserProxy, browser_proxy
from adapters.browser.settings import Settings
from adapters.web.guard import AddressGuard
from bot.errors import ToolError
from bot.ports.web import BrowserView
from bot.text.text import excerpt

_SETTLE_SECONDS = 3.0
"""Seconds after it has loaded that a page gets to come to rest."""
_MAX_TEXT_CHARS = 400_000
_MAX_HEIGHT = 3000
_LOOK_SCRIPT = """(() => {
  const most = MOST, body = document.body, text = body ? body.innerText : '';
  const links = [...document.links].slice(0, 300)
    .map(a => [(a.innerText || '').trim().replace(/\\s+/g, ' ').slice(0, 100), a.href.slice(0, 400)])
    .filter(([words, href]) => words && /^https?:/.test(href)).slice(0, 100);
  return JSON.stringify({
    url: location.href.slice(0, 2048), title: document.title.slice(0, 300),
    text: text.slice(0, most), more: text.length > most, links,
    height: Math.ceil(document.documentElement.scrollHeight)
  });
})()""".replace("MOST", str(_MAX_TEXT_CHARS))


class _PageFacts(BaseModel):
    """What the page says of itself."""

    url: str = ""
    title: str = ""
    text: str = ""
    more: bool = False
    links: list[tuple[str, str]] = []
    height: int = 0


@dataclass
class _Tab:
    """What the browser tells of the page while it loads."""

    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    crashed: bool = False
    dialog: asyncio.Event = field(default_factory=asyncio.Event)
    status: int = 0
    frame: str = ""

    def hear(self, event: str, values: Mapping[str, Any]) -> None:
        match event:
            case "Page.loadEventFired":
                self.loaded.set()
            case "Page.lifecycleEvent" if values.get("name") == "networkIdle" and values.get("frameId") == self.frame:
                if self.loaded.is_set():
                    self.settled.set()
            case "Page.javascriptDialogOpening":
                self.dialog.set()
            case "Inspector.targetCrashed":
                self.crashed = True
                self.loaded.set()
                self.settled.set()
            case "Network.responseReceived" if values.get("type") == "Document":
                self.status = self.status or int(values.get("response", {}).get("status", 0))


class ChromiumBrowser:
    """Implements `bot.ports.web.Browser`."""

    def __init__(self, settings: Settings, guard: AddressGuard | None = None) -> None:
        self._settings = settings
        self._guard = guard or settings.guard()
        self._room = asyncio.Semaphore(settings.at_once)

    def missing(self) -> str:
        """Say why no page can be drawn here; empty when one can."""
        if self._settings.proxy:
            return "the browser goes through no proxy (tools.web.proxy); pages can be read with web_fetch"
        return why_missing(self._settings.program, sandbox=self._settings.sandbox)

    async def draw(self, url: str, *, picture: bool) -> BrowserView:
        """Load a page and return what can be seen; raise ToolError."""
        if why := self.missing():
            raise ToolError(f"There is no browser here: {why}.")
        wanted = self._guard.url(url)
        await self._guard.addresses(wanted.raw_host or "", wanted.port or 0)
        seconds = self._settings.seconds
        limit = asyncio.timeout(seconds)
        try:
            async with self._room, limit:
                return await self._drawn(wanted, url, picture=picture)
        except TimeoutError:
            if not limit.expired():
                raise ToolError("The browser did not answer.") from None
            raise ToolError(f"The page was not drawn within {seconds:g} s (tools.browser.seconds).") from None
        except BaseExceptionGroup as errors:
            raise _first_error(errors) from None

    async def close(self) -> None:
        """There is nothing to close: no browser outlives its call."""

    async def _drawn(self, url: URL, asked: str, *, picture: bool) -> BrowserView:
        tab = _Tab()
        program = find_browser(self._settings.program)
        async with (
            browser_proxy(self._guard, int(self._settings.max_mb * 1024 * 1024)) as way_out,
            running_browser(program, sandbox=self._settings.sandbox) as address,
            devtools(address, tab.hear) as tools,
        ):
            session = await _open_tab(tools, way_out.port)
            await self._load(tools, session, tab, url, way_out)
            seen = await _look(tools, session)
            image = await _picture(tools, session, seen.height) if picture else b""
            if not seen.url.startswith(("http://", "https://")):
                raise ToolError(f"The page cannot be shown: {_refusal_reason(way_out) or 'nothing was loaded'}.")
            return BrowserView(
                asked=asked,
                url=seen.url,
                title=seen.title,
                text=seen.text,
                links=tuple(seen.links),
                picture=image,
                status=tab.status,
                cut=seen.more or way_out.is_full,
                refused=tuple(way_out.refused.items()),
            )

    async def _load(self, tools: DevTools, session: str, tab: _Tab, url: URL, way_out: BrowserProxy) -> None:
        for command in ("Page.enable", "Network.enable", "Inspector.enable"):
            await tools.call(command, session)
        await tools.call("Page.setLifecycleEventsEnabled", session, enabled=True)
        way_out.is_open = True
        began = await tools.call("Page.navigate", session, url=str(url))
        tab.frame = str(began.get("frameId", ""))
        if error := began.get("errorText"):
            why = _refusal_reason(way_out) or excerpt(str(error).removeprefix("net::"), 100)
            raise ToolError(f"{excerpt(url.host or '', 80)} cannot be shown: {why}.")
        async with asyncio.TaskGroup() as group:
            dialogs = group.create_task(_refuse_dialogs(tools, session, tab))
            await tab.loaded.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(_SETTLE_SECONDS):
                    await tab.settled.wait()
            dialogs.cancel()
        if tab.crashed:
            raise ToolError("The browser broke down over this page.")


async def _open_tab(tools: DevTools, proxy: int) -> str:
    """Open a tab whose every request goes through the gate on this port, those to this machine too."""
    context = await tools.call(
        "Target.createBrowserContext", proxyServer=f"http://127.0.0.1:{proxy}", proxyBypassList="<-loopback>"
    )
    made = await tools.call("Target.createTarget", url="about:blank", browserContextId=context["browserContextId"])
    await tools.call("Browser.setDownloadBehavior", behavior="deny", browserContextId=context["browserContextId"])
    attached = await tools.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
    return str(attached["sessionId"])


async def _refuse_dialogs(tools: DevTools, session: str, tab: _Tab) -> None:
    while True:
        await tab.dialog.wait()
        tab.dialog.clear()
        with suppress(ToolError):
            await tools.call("Page.handleJavaScriptDialog", session, accept=False)


async def _look(tools: DevTools, session: str) -> _PageFacts:
    """Read the page from a world of our own: its scripts cannot make ours see something else."""
    tree = await tools.call("Page.getFrameTree", session)
    frame = tree["frameTree"]["frame"]["id"]
    world = await tools.call("Page.createIsolatedWorld", session, frameId=frame, worldName="glassmind")
    found = await tools.call(
        "Runtime.evaluate", session, expression=_LOOK_SCRIPT, contextId=world["executionContextId"], returnByValue=True
    )
    return _PageFacts.model_validate_json(str(found.get("result", {}).get("value", "{}")))


async def _picture(tools: DevTools, session: str, height: int) -> bytes:
    clip = {"x": 0, "y": 0, "width": 1280, "height": max(800, min(height, _MAX_HEIGHT)), "scale": 1}
    shot = await tools.call("Page.captureScreenshot", session, format="png", clip=clip, captureBeyondViewport=True)
    return base64.b64decode(str(shot.get("data", "")))


def _refusal_reason(way_out: BrowserProxy) -> str:
    return next(iter(way_out.refused.values()), "").rstrip(".")


def _first_error(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


def create(settings: Mapping[str, object]) -> ChromiumBrowser:
    """Build one; raise pydantic's ValidationError."""
    return ChromiumBrowser(Settings.model_validate(dict(settings)))
