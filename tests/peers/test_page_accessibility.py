"""Every screen of the web page, small and wide, dark and light, as axe-core judges it: WCAG 2.2 AA, nothing to say."""

from __future__ import annotations

import pytest

from tests.adapters.browser.machine import needs_chromium
from tests.bot.window.test_in_chromium import walks
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
    script, judged = AXE.read_text("utf-8"), dict[str, list]()

    async def look(tab, address):
        await tab.js(f"{script};0")
        judged.setdefault(address, []).extend(await tab.js(RUN))

    await walks(tmp_path, look)
    assert len(judged) > 15
    assert {address: found for address, found in judged.items() if found} == {}
