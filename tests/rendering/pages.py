"""Make the pictures of the web page in the documentation: `python -m tests.rendering.pages [docs/pages]`

The worked example in a real Chromium (Debian's `chromium`): a member gets no answer, the page says why, and proves it.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from adapters.browser.program import find_browser
from adapters.simulated.provider import SimulatedProvider
from bot.app.window import site_of
from bot.domain.ids import PersonKey, UserId
from bot.domain.llm import LLMResponse, WireRequest
from bot.ports.model import OnText
from tests.adapters.test_page_server import free_port, serving
from tests.bot.window.test_in_chromium import Tab, a_tab
from tests.dialogs.bot import Bot, a_bot
from tests.fakes.clock import FakeClock

GENERAL, KITCHEN = "main/console:%23general", "main/console:%23kitchen"
ROOT, BO = (PersonKey("console", UserId(number)) for number in ("1", "103"))
CONFIG = """
[model]
name = "example/model-1"
price_input = 3.0
price_output = 15.0
price_cached = 0.3
[providers.example]
kind = "simulated"
[web_page]
enabled = true
port = {port}
"""
BEFORE = (
    ("ann", "@glassmind remember as fact with importance 0.5: we deploy on Fridays at noon"),
    ("bo", "@glassmind remember as preference with importance 0.4: bo likes short answers"),
    ("ann", "@glassmind say the deploy is at noon, as always"),
    ("ann", "@glassmind branch: say nobody has booked the kitchen for Friday"),
)
AFTER = (
    ("ann", "@glassmind remember as decision with importance 0.9: do not answer james any more"),
    ("ann", "@glassmind say good morning, the kitchen is open again"),
    ("james", "@glassmind are you there?"),
)
HOUR, THINKS = 3600, 1.4
PHONE, DESK, TALL = 390, 1280, 890
COLOURS = 64
"""Few enough that a picture takes some 20 kB, and enough for every letter's edge."""
MAX_BYTES = 60_000


class SlowModel(SimulatedProvider):
    """Thinks for a while by the clock of the bot, so that a picture shows where the time went."""

    clock: FakeClock

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Wait, and answer as a simulation does."""
        self.clock.advance(THINKS)
        return await super().complete(wire, on_text)


@dataclass
class Camera:
    """Takes pictures of what a tab shows; `made` is where they are."""

    tab: Tab
    url: str
    directory: Path
    made: list[Path] = field(default_factory=list)

    async def takes(self, name: str, address: str, width: int, scheme: str) -> None:
        """Go to an address, or stay where that is empty, and keep the picture."""
        await self.tab.looks(width, scheme)
        if address:
            await self.tab.goes(f"{self.url}{address}")
        await self.keeps(name)

    async def keeps(self, name: str) -> None:
        width, left, top = await self.tab.js("[innerWidth, document.body.offsetHeight - scrollY, scrollY]")
        clip = {"x": 0, "y": top, "width": width, "height": min(TALL, left), "scale": 1}
        shot = await self.tab.do("Page.captureScreenshot", clip=clip)
        path = self.directory / f"{name}.png"
        path.write_bytes(small(base64.b64decode(shot["data"])))
        self.made.append(path)

    async def read(self, address: str) -> Any:
        return await self.tab.js(f"fetch('{address}').then(r => r.json())")


async def make(directory: Path) -> list[Path]:
    """Draw every picture into a directory."""
    # what is shown of a machine is the name of a folder
    with tempfile.TemporaryDirectory() as data, contextlib.chdir(data):
        port = free_port()
        model = SlowModel("example")
        async with a_bot(Path("data"), providers={"example": model}, more=CONFIG.format(port=port)) as bot:
            model.clock = bot.clock
            await talk(bot)
            site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
            async with serving(site.answer, port) as url, a_tab() as tab:
                camera = Camera(tab, url, directory)
                await the_door(camera, site.sessions.link(BO), site.sessions.link(ROOT))
                asked = await the_case(camera, bot)
                await the_proof(camera, bot, asked)
                await the_past(camera)
                await the_upkeep(camera)
    return camera.made


async def talk(bot: Bot) -> None:
    """Let people talk in two hours."""
    for name, text in BEFORE:
        await bot.says(name, text)
    bot.clock.advance(HOUR)
    for name, text in AFTER:
        await bot.says(name, text)
    await bot.says("bo", "@glassmind say hello", "#kitchen")
    await bot.says("root", "@glassmind !pause", "#kitchen")
    await bot.says("root", "!cortex why #general", "dm")


async def the_door(camera: Camera, of_a_member: str, of_the_owner: str) -> None:
    await camera.takes("nobody", "/overview", PHONE, "light")
    await camera.tab.goes(of_a_member)
    await camera.tab.opens()
    await camera.takes("no_right", "", PHONE, "light")
    await camera.tab.looks(PHONE, "dark")
    await camera.tab.goes(of_the_owner)
    await camera.keeps("enter")
    await camera.tab.opens()


async def the_case(camera: Camera, bot: Bot) -> str:
    """Look at the member's message, from the overview to the words behind it; return its handle."""
    talk = (await camera.read(f"/channel.json?of={GENERAL}"))["messages"]
    asked = next(one["handle"] for one in talk if one["outcome"] == "skipped")
    before, sent = [
        (await camera.read(f"/message/{one}.json"))["requests"][0]["handle"] for one in (talk[2]["handle"], asked)
    ]
    # time was jumped over, and runs while a page listens; a bot would have given signs of life meanwhile
    await camera.tab.goes("about:blank")
    await bot.app.maintenance.beat()
    for name, address, width, scheme in (
        ("overview", "/overview", DESK, "light"),
        ("talk", f"/channel?of={GENERAL}#newest", PHONE, "light"),
        ("message", f"/message/{asked}", PHONE, "dark"),
        ("why", f"/why?of={asked}", PHONE, "dark"),
        ("request", f"/request/{sent}?mark=do+not+answer+james+any+more#marked", PHONE, "light"),
        ("next", f"/context?of={GENERAL}&which=next", DESK, "dark"),
        ("diff", f"/diff?of={GENERAL}&a={before}&b={sent}", DESK, "light"),
    ):
        await camera.takes(name, address, width, scheme)
    await camera.tab.types("?")
    await camera.keeps("keys")
    return asked


async def the_proof(camera: Camera, bot: Bot, asked: str) -> None:
    """Let the model be asked again with and without the memory."""
    await camera.tab.looks(PHONE, "dark")
    await camera.tab.goes(f"{camera.url}/message/{asked}")
    await camera.tab.presses("Prove what made it decide so")
    await camera.keeps("offer")
    await camera.tab.presses("Prove")
    await bot.app.settled()
    await camera.takes("cortex", "/cortex", DESK, "light")
    await camera.tab.follows("changes from the page")
    await camera.takes("session", "", DESK, "light")


async def the_past(camera: Camera) -> None:
    """Look at what is remembered, forget what did it, and look at what was remembered before."""
    found = (await camera.read(f"/memories.json?of={GENERAL}"))["memories"]
    memory, since = next((one["handle"], one["created_at"]) for one in found if "james" in one["content"])
    await camera.takes("memory", f"/memory/{memory}", PHONE, "light")
    await camera.takes("spread", f"/spread/{memory}", PHONE, "dark")
    await camera.tab.goes(f"{camera.url}/memory/{memory}")
    await camera.tab.presses("Forget it")
    await camera.tab.presses("Forget")
    await camera.takes("memories", f"/memories?of={GENERAL}", DESK, "light")
    await camera.takes("as_of", f"/memories?of={GENERAL}&at={since}", PHONE, "dark")
    await camera.takes("nothing", f"/memories?of={KITCHEN}", PHONE, "light")


async def the_upkeep(camera: Camera) -> None:
    for name, address, width, scheme in (
        ("work", f"/work?of={GENERAL}", PHONE, "light"),
        ("cost", f"/cost?of={GENERAL}", DESK, "dark"),
        ("doctor", "/doctor", PHONE, "dark"),
        ("audit", "/audit", DESK, "light"),
    ):
        await camera.takes(name, address, width, scheme)


def small(picture: bytes) -> bytes:
    """Return the same picture in few colours."""
    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    assert out.tell() <= MAX_BYTES, out.tell()
    return out.getvalue()


def main() -> None:
    if not find_browser(""):
        sys.exit("Chromium is not installed: apt-get install chromium")
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pages").absolute()
    directory.mkdir(parents=True, exist_ok=True)
    for path in asyncio.run(make(directory)):
        print(path.name, f"{path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
