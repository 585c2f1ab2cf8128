"""Every screen of the web page and the ways in, small and wide, dark and light, as axe-core judges it: WCAG 2.2 AA."""

from __future__ import annotations

import pytest

from tests.adapters.browser.machine import needs_chromium
from tests.bot.window.test_in_chromium import walks
from tests.bot.window.test_logins_in_chromium import comes_in
from tests.peers.processes import NODE_MODULES

AXE = NODE_MODULES / "axe-core" / "axe.min.js"
RUN = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
  .then(found => found.violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 120)).slice(0, 3)]))"""

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make test-peers"),
    pytest.mark.timeout(600),
]


async def test_nothing_keeps_anybody_from_reading_a_page(tmp_path):
    assert len(await judged(walks, tmp_path)) > 15


async def test_nothing_keeps_anybody_from_coming_in(tmp_path):
    assert len(await judged(comes_in, tmp_path)) > 7


async def judged(walk, data):
    """Walk, and let each page be judged; there is nothing to say against any."""
    script, found = AXE.read_text("utf-8"), dict[str, list]()

    async def look(tab, page):
        await tab.js(f"{script};0")
        found.setdefault(page, []).extend(await tab.js(RUN))

    await walk(data, look)
    assert {page: against for page, against in found.items() if against} == {}
    return found
