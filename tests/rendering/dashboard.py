"""Make the picture of the dashboard in the documentation: `python -m tests.rendering.dashboard [docs/pages]`

A made-up half day goes through the bot's own exporter into a real Prometheus (Debian's `prometheus`), and each panel of
deploy/prometheus/dashboard.json is drawn from what that answers to the panel's own expressions. It is not Grafana's
drawing, only near it; an expression that finds nothing ends the script.
"""

from __future__ import annotations

import asyncio
import base64
import math
import random
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, create_subprocess_exec
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import orjson

from adapters.browser.program import find_browser
from adapters.prometheus import create
from bot.domain.ledger import Outcome
from bot.domain.llm import LLMResponse, TokenUsage
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderFault
from bot.ports.metrics import MetricsExporter, ProcessGauges, TurnPart
from tests.adapters.test_page_server import free_port
from tests.architecture.tree import ROOT
from tests.bot.window.test_in_chromium import a_tab
from tests.fakes.clock import START, FakeClock
from tests.rendering.pages import small

DASHBOARD = ROOT / "deploy" / "prometheus" / "dashboard.json"
MODEL, PLATFORMS = "openai/gpt-5-mini", ("discord", "telegram")
HALF_DAY, SHOWN = 12 * 3600, 6 * 3600
"""How much is made up, and how much the file shows at first."""
SCRAPE, STEP = 60, 300
"""Seconds between two readings, and between two points of a panel."""
RATE_INTERVAL = STEP + SCRAPE
"""What Grafana puts in the place of `$__rate_interval`."""
OUTAGE = (HALF_DAY - 5400, HALF_DAY - 2700)
"""When the model service fails, in seconds from the start."""
WIDTH = 1280
INKS = ("#7eb26d", "#eab839", "#6ed0e0", "#ef843c", "#e24d42", "#1f78c1", "#ba43a9", "#705da0", "#508642", "#cca300")
STYLE = """
* { box-sizing: border-box; margin: 0 }
body { width: 1280px; padding: 8px; background: #111217; color: #ccccdc;
  font: 12px/16px 'Noto Sans', 'DejaVu Sans', sans-serif }
header { padding: 4px 8px 10px } header b { font-size: 16px } header span { color: #8e8ea0; padding-left: 12px }
main { display: grid; grid-template-columns: repeat(24, 1fr); grid-auto-rows: 24px; gap: 8px }
section { background: #181b1f; border: 1px solid #2a2d33; border-radius: 3px; padding: 6px 8px; overflow: hidden }
h2 { font-size: 13px; line-height: 18px; font-weight: 600 }
strong { display: block; font-size: 38px; line-height: 64px; text-align: center; font-weight: 600; color: #73bf69 }
svg { display: block; width: 100% } text { font-size: 10px; fill: #9a9aad }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0 10px; font-size: 11px; height: 32px;
  overflow: hidden }
li::before { content: ''; display: inline-block; width: 10px; height: 3px; margin: 0 4px 3px 0; background: var(--ink) }
"""


class Line(NamedTuple):
    """One series of a panel; a point is a time and a value."""

    name: str
    points: list[tuple[float, float]]


@dataclass
class HalfDay:
    """What a bot of some groups counts; the same in every run."""

    exporter: MetricsExporter
    chance: random.Random
    gauges: ProcessGauges

    async def read(self) -> ProcessGauges:
        return self.gauges

    def passes(self, at: int) -> None:
        """Let the time between two readings pass."""
        is_out = OUTAGE[0] <= at < OUTAGE[1]
        crowd = 4 + 3 * math.sin(math.pi * at / HALF_DAY) + self.chance.random()
        for _ in range(round(crowd * SCRAPE / 20)):
            self._hears(is_out)
        if is_out and at % 600 == 0:
            self.exporter.found("SERVICE-LIMIT")
        elif self.chance.random() < 0.02:
            self.exporter.found(self.chance.choice(("MEM-DIRECTIVE", "GATE-MENTION", "none")))
        self.gauges = self.gauges._replace(
            pending=self.chance.choice((0, 0, 0, 1, 2)) + (4 if is_out else 0),
            unanswered_age=self.chance.random() * (240 if is_out else 8),
            loop_lag=0.002 + self.chance.random() * (0.03 if is_out else 0.008),
            memory=round(150e6 + 22e6 * (1 - math.exp(-at / 9000)) + self.chance.random() * 1e6),
        )

    def _hears(self, is_out: bool) -> None:
        tell, platform = self.exporter, self.chance.choice(PLATFORMS)
        drawn = self.chance.random()
        if drawn < 0.6:
            tell.stopped("addressing")
            tell.settled(platform, Outcome.STORED_ONLY)
        elif drawn < 0.64:
            tell.stopped(self.chance.choice(("rate", "pause", "sender")))
            tell.settled(platform, Outcome.GATED)
        elif drawn < 0.67:
            tell.settled(platform, Outcome.COMMAND)
        else:
            self._answers(platform, is_out)

    def _answers(self, platform: str, is_out: bool) -> None:
        tell, first = self.exporter, self.chance.lognormvariate(-0.4, 0.5) * (6 if is_out else 1)
        if is_out and self.chance.random() < 0.7:
            for number in range(3):
                fault = self.chance.choice((ProviderFault.OVERLOADED, ProviderFault.OVERLOADED, ProviderFault.RATE))
                tell.attempted(MODEL, AttemptRecord(request=1, number=number, at=0, duration_ms=900, fault=fault))
            tell.settled(platform, Outcome.FAILED)
            return
        model = first + self.chance.lognormvariate(0.2, 0.4)
        tokens = 3000 + round(self.chance.random() * 5000)
        usage = TokenUsage(input=tokens, output=round(60 + 90 * model), cached=round(tokens * 0.7))
        answer = AttemptRecord(
            request=1,
            number=0,
            at=0,
            duration_ms=1000 * model,
            first_token_ms=1000 * first,
            response=LLMResponse(text="", usage=usage),
            cost_usd=((usage.input or 0) * 0.25 + (usage.output or 0) * 2) / 1e6,
        )
        tell.attempted(MODEL, answer)
        parts = {
            TurnPart.QUEUE: 0.05 + self.chance.random() * 1.2,
            TurnPart.ASSEMBLE: 0.01 + self.chance.random() * 0.03,
            TurnPart.STORE: 0.003 + self.chance.random() * 0.01,
            TurnPart.SEND: 0.1 + self.chance.random() * 0.3,
        }
        for part, seconds in parts.items():
            tell.took(part, seconds)
        tell.took(TurnPart.WHOLE, model + parts[TurnPart.QUEUE])
        tell.settled(platform, Outcome.SKIPPED if self.chance.random() < 0.08 else Outcome.REPLIED)


async def half_day() -> str:
    """Return what the exporter said in half a day, as OpenMetrics with the time of each number."""
    settings = {"listen": f"127.0.0.1:{free_port()}", "platforms": PLATFORMS, "providers": ("openai",)}
    exporter = create(settings, FakeClock())
    day = HalfDay(exporter, random.Random(30), ProcessGauges(True, "", ()))
    families: dict[str, list[str]] = {}
    async with asyncio.TaskGroup() as tasks, aiohttp.ClientSession() as session:
        serving = tasks.create_task(exporter.serve(day.read))
        for at in range(0, HALF_DAY + 1, SCRAPE):
            day.passes(at)
            for family, line in numbers(await page(session, f"http://{settings['listen']}/metrics")):
                families.setdefault(family, []).append(f"{line} {START // 1000 + at}" if line[0] != "#" else line)
        serving.cancel()
    # a family is told once, with all of its numbers
    told = (line for lines in families.values() for line in dict.fromkeys(lines))
    return "\n".join((*told, "# EOF\n"))


def numbers(text: str) -> Iterator[tuple[str, str]]:
    """Take apart what an exporter says: each line with its family; in OpenMetrics a counter's is without `_total`."""
    family = ""
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            family = name.removesuffix("_total") if kind == "counter" else name
            yield family, f"# TYPE {family} {kind}"
        elif not line.startswith("#"):
            yield family, line


async def page(session: aiohttp.ClientSession, url: str) -> str:
    """Read a page of somebody who may still be starting."""
    while True:
        with suppress(aiohttp.ClientConnectorError):
            async with session.get(url) as found:
                if found.status == 200:
                    return await found.text()
        await asyncio.sleep(0.05)


@asynccontextmanager
async def prometheus(directory: Path, text: str) -> AsyncIterator[str]:
    """Run a real one over these numbers; what it is asked at."""
    (directory / "numbers.txt").write_text(text, encoding="utf-8")
    (directory / "prometheus.yml").write_text("scrape_configs: []\n", encoding="utf-8")
    blocks = ("tsdb", "create-blocks-from", "openmetrics", str(directory / "numbers.txt"), str(directory / "data"))
    filling = await create_subprocess_exec("promtool", *blocks, stdout=DEVNULL)
    assert await filling.wait() == 0
    where = f"127.0.0.1:{free_port()}"
    running = await create_subprocess_exec(
        "prometheus",
        f"--config.file={directory / 'prometheus.yml'}",
        f"--storage.tsdb.path={directory / 'data'}",
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address={where}",
        "--log.level=error",
    )
    try:
        async with aiohttp.ClientSession() as session:
            await page(session, f"http://{where}/-/ready")
        yield f"http://{where}/api/v1"
    finally:
        running.terminate()
        await running.wait()


async def lines_of(session: aiohttp.ClientSession, api: str, panel: Mapping[str, Any]) -> list[Line]:
    """Ask for what a panel shows, in its own words."""
    end, found = START // 1000 + HALF_DAY, []
    for target in panel["targets"]:
        asked = {"query": target["expr"].replace("$__rate_interval", f"{RATE_INTERVAL}s"), "step": str(STEP)}
        asked |= {"start": str(end - SHOWN), "end": str(end)}
        async with session.get(f"{api}/query_range", params=asked) as answer:
            told = orjson.loads(await answer.read())
        assert told["status"] == "success" and told["data"]["result"], (panel["title"], target["expr"], told)
        for series in told["data"]["result"]:
            name = target["legendFormat"]
            for label, value in series["metric"].items():
                name = name.replace(f"{{{{{label}}}}}", value)
            points = [(float(at), float(value)) for at, value in series["values"] if value != "NaN"]
            found.append(Line(name, points))
    assert any(line.points for line in found), panel["title"]
    return found


def drawn(panel: Mapping[str, Any], lines: Sequence[Line]) -> str:
    """Return a panel as HTML: a number, or lines over time."""
    place, defaults = panel["gridPos"], panel["fieldConfig"]["defaults"]
    where = f"grid-column: {place['x'] + 1} / span {place['w']}; grid-row: {place['y'] + 1} / span {place['h']}"
    if panel["type"] == "stat":
        inside = f"<strong>{said(lines[0].points[-1][1], defaults['unit'])}</strong>"
    else:
        inside = chart(lines, defaults["unit"], is_stacked="stacking" in defaults["custom"])
    return f'<section style="{where}"><h2>{escape(panel["title"])}</h2>{inside}</section>'


def chart(lines: Sequence[Line], unit: str, *, is_stacked: bool) -> str:
    """Draw lines, or areas upon each other, over the hours that are shown."""
    wide, tall, left, bottom = 400, 148, 46, 14
    end = START / 1000 + HALF_DAY
    below: dict[float, float] = {}
    shapes, tops = [], [1e-9]
    shown = [line for line in lines if any(value for _, value in line.points)] or lines
    for line in shown:
        ground = {at: below.get(at, 0.0) if is_stacked else 0.0 for at, _ in line.points}
        top = [(at, value + ground[at]) for at, value in line.points]
        below |= dict(top)
        tops.extend(value for _, value in top)
        shapes.append((top, [(at, ground[at]) for at, _ in reversed(top)]))
    most = max(tops) * 1.08

    def spot(at: float, value: float) -> str:
        across = left + (wide - left) * (1 - (end - at) / SHOWN)
        return f"{across:.1f},{(tall - bottom) * (1 - value / most):.1f}"

    parts = []
    for part in range(4):
        up = (tall - bottom) * (1 - part / 3 / 1.08)
        parts.append(f'<path d="M{left} {up:.1f}H{wide}" stroke="#2a2d33"/>')
        parts.append(f'<text x="{left - 4}" y="{up + 3:.1f}" text-anchor="end">{said(most * part / 3.24, unit)}</text>')
    for hour in range(1, 6):
        across, at = left + (wide - left) * hour / 6, int(end - SHOWN) + hour * 3600
        parts.append(
            f'<text x="{across:.0f}" y="{tall - 2}" text-anchor="middle">{at // 3600 % 24:02}:{at // 60 % 60:02}</text>'
        )
    for number, (top, ground) in enumerate(shapes):
        ink, over = INKS[number % len(INKS)], " ".join(spot(*one) for one in top)
        filled = " ".join(spot(*one) for one in ground)
        parts.append(f'<polygon points="{over} {filled}" fill="{ink}" opacity="{0.4 if is_stacked else 0.1}"/>')
        parts.append(f'<polyline points="{over}" fill="none" stroke="{ink}" stroke-width="1.3"/>')
    names = [
        f'<li style="--ink: {INKS[number % len(INKS)]}">{escape(line.name)}</li>'
        for number, line in enumerate(shown)
        if line.name
    ]
    return f'<svg viewBox="0 0 {wide} {tall}">{"".join(parts)}</svg><ul>{"".join(names)}</ul>'


def said(value: float, unit: str) -> str:
    """Write a number as Grafana does, nearly."""
    if unit == "currencyUSD":
        return f"${value:.2f}"
    if unit == "bytes":
        return f"{value / 2**20:.0f} MiB"
    if unit == "s" and 0 < value < 1:
        return f"{value * 1000:.0f} ms"
    number = f"{value / 1000:.1f} K" if value >= 1000 else f"{value:.3g}"
    return f"{number} s" if unit == "s" else number


async def make() -> bytes:
    """Ask, draw, and return the picture."""
    dashboard = orjson.loads(DASHBOARD.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        async with prometheus(Path(folder), await half_day()) as api, aiohttp.ClientSession() as session:
            panels = [drawn(panel, await lines_of(session, api, panel)) for panel in dashboard["panels"]]
        made = page_of(Path(folder), dashboard["title"], panels)
        async with a_tab() as tab:
            await tab.looks(WIDTH, "dark")
            await tab.goes(made)
            clip = {"x": 0, "y": 0, "width": WIDTH, "height": await tab.js("document.body.offsetHeight"), "scale": 1}
            shot = await tab.do("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
    return base64.b64decode(shot["data"])


def page_of(folder: Path, title: str, panels: Sequence[str]) -> str:
    """Lay the panels out, and return the address of that page."""
    note = "Last 6 hours of a made-up day; drawn from the file's panels, not by Grafana"
    body = f"<header><b>{escape(title)}</b><span>{note}</span></header><main>{''.join(panels)}</main>"
    path = folder / "dashboard.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{body}", encoding="utf-8")
    return path.as_uri()


def main() -> None:
    if not find_browser("") or not shutil.which("promtool"):
        sys.exit("Chromium or Prometheus is not installed: apt-get install chromium prometheus")
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pages", "dashboard.png")
    path.write_bytes(small(asyncio.run(make())))
    print(path, f"{path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
