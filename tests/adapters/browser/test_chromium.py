"""Whatever a page tries in a real browser, it gets no further than the gate, and ends with its call."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from adapters.browser import create
from bot.errors import ToolError
from tests.adapters.browser.machine import SETTINGS, needs_chromium
from tests.servers.site import Answer, Site, site

pytestmark = needs_chromium
ATTACK = """<title>attack</title><p id=out></p><img src="http://INSIDE/img"><iframe src="http://INSIDE/frame"></iframe>
<iframe src="file:///etc/passwd"></iframe><link rel=stylesheet href="http://localhost:PORT/css">
<link rel=preconnect href="http://INSIDE"><link rel=prefetch href="http://INSIDE/prefetch">
<script src="http://[::1]:PORT/js"></script><script>
const say = word => { document.getElementById('out').textContent += word + ' '; };
const wanted = ['http://INSIDE/fetch', 'http://localhost:PORT/fetch', 'http://0.0.0.0:PORT/fetch', '/moved',
  'http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd'];
Promise.allSettled(wanted.map(url => fetch(url).then(() => say('reached ' + url))))
  .then(() => say('done'));
try { new WebSocket('ws://INSIDE/socket'); } catch (error) {}
navigator.sendBeacon('http://INSIDE/beacon', 'x');
window.open('http://INSIDE/window');
try { new RTCPeerConnection({iceServers: [{urls: 'stun:INSIDE'}]}).createOffer(); } catch (error) {}
fetch('/self').then(answer => answer.text()).then(say);
</script>"""


@pytest.fixture
async def inside() -> AsyncIterator[Site]:
    async with site() as server:
        yield server


@pytest.fixture
def desk(monkeypatch) -> Iterator[Path]:
    """Where this test's browsers, and no other's, keep their files: their commands name it."""
    with tempfile.TemporaryDirectory(prefix="desk-") as directory:
        Path(directory).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", directory)
        yield Path(directory)


def left_behind(desk: Path) -> list[str]:
    """The files of browsers that ended, and the commands of those that did not."""
    found = [str(one) for one in desk.iterdir()]
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            found += [command] if str(desk) in command else []
    return found


async def test_a_page_reaches_nothing_inside(inside: Site, desk: Path):
    async with site(self=Answer(b"myself", "text/plain")) as outside:
        page = ATTACK.replace("INSIDE", inside.host).replace("PORT", str(inside.listener.port))
        outside.pages["/attack"] = Answer(page.encode())
        outside.leads("/moved", f"{inside.url}/moved", 307)
        # the very port of the inside may be called elsewhere: the address alone must be what stops it
        ports = (80, 443, inside.listener.port)
        browser = create({**SETTINGS, "own_hosts": (outside.host,), "ports": ports})
        view = await browser.draw(f"{outside.url}/attack", picture=False)
    assert inside.visits == []
    assert "myself" in view.text and "reached" not in view.text and "root:" not in view.text
    assert any(inside.host in target for target, _ in view.refused)
    assert not left_behind(desk)


async def test_a_page_that_never_ends_is_ended(desk: Path):
    async with site(loop=Answer(b"<script>for (;;) {}</script>")) as outside:
        browser = create({**SETTINGS, "own_hosts": (outside.host,), "seconds": 3})
        with pytest.raises(ToolError, match=r"not drawn within 3 s \(tools\.browser\.seconds\)"):
            await browser.draw(f"{outside.url}/loop", picture=False)
    assert not left_behind(desk)


async def test_what_cannot_be_loaded_is_said():
    async with site() as outside:
        browser = create({**SETTINGS, "own_hosts": (outside.host,)})
        await outside.listener.refuse()
        with pytest.raises(ToolError, match="cannot be shown: nobody takes connections there"):
            await browser.draw(f"{outside.url}/", picture=False)
