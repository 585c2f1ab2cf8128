"""Make the pictures of the web page in the documentation: `python -m tests.rendering.pages [docs/pages]`

The worked example in a real Chromium (Debian's `chromium`): a member gets no answer, and the page says why.
"""

from __future__ import annotations

import asyncio
import base64
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from adapters.browser.program import find_browser
from bot.app.window import site_of
from bot.domain.ids import PersonKey, UserId
from tests.adapters.test_page_server import free_port, serving
from tests.bot.window.test_in_chromium import a_tab
from tests.dialogs.bot import a_bot
from tests.fakes.clock import FakeEntropy

GENERAL = "main/console:%23general"
SAID = (
    ("ann", "@glassmind remember as fact with importance 0.5: we deploy on Fridays at noon"),
    ("ann", "@glassmind remember as decision with importance 0.9: do not answer james any more"),
    ("ann", "@glassmind say good morning, the kitchen is open again"),
    ("james", "@glassmind are you there?"),
)
COLOURS = 64
"""Few enough that a picture takes some 20 kB, and enough for every letter's edge."""
MAX_BYTES = 60_000


async def make(directory: Path) -> list[Path]:
    """Draw every picture into a directory."""
    made = []
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        async with a_bot(Path(data), more=f"[web_page]\nenabled = true\nport = {port}\n") as bot:
            for name, text in SAID:
                await bot.says(name, text)
            await bot.says("bo", "@glassmind say hello", "#kitchen")
            await bot.says("root", "@glassmind !pause", "#kitchen")
            site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
            link = site.sessions.signer.link(PersonKey("console", UserId("1")), bot.clock.now(), FakeEntropy("page"))
            async with serving(site.answer, port) as url, a_tab() as tab:
                await tab.goes(link)
                await tab.opens()
                for name, address, width, scheme in await pictures(tab):
                    await tab.looks(width, scheme)
                    await tab.goes(f"{url}{address}")
                    path = directory / f"{name}.png"
                    path.write_bytes(small(base64.b64decode((await tab.do("Page.captureScreenshot"))["data"])))
                    made.append(path)
    return made


async def pictures(tab: Any) -> list[tuple[str, str, int, str]]:
    """Say what is drawn: a name, an address, how wide, and dark or light."""

    async def read(address: str) -> Any:
        return await tab.js(f"fetch('{address}').then(r => r.json())")

    talk = (await read(f"/channel.json?of={GENERAL}"))["messages"]
    asked = next(one["handle"] for one in talk if one["outcome"] == "skipped")
    sent = (await read(f"/message/{asked}.json"))["requests"][-1]["handle"]
    return [
        ("overview", "/overview", 1280, "light"),
        ("why", f"/why?of={asked}", 390, "dark"),
        ("request", f"/request/{sent}?mark=do+not+answer+james#marked", 390, "light"),
        ("talk", f"/channel?of={GENERAL}", 390, "light"),
    ]


def small(picture: bytes) -> bytes:
    """Return the same picture in few colours."""
    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    assert out.tell() <= MAX_BYTES, out.tell()
    return out.getvalue()


def main() -> None:
    if not find_browser(""):
        sys.exit("Chromium is not installed: apt-get install chromium")
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pages")
    directory.mkdir(parents=True, exist_ok=True)
    for path in asyncio.run(make(directory)):
        print(path, f"{path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
