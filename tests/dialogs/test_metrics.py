"""What an operator's monitor reads: the numbers are those of the records, and nobody can be told from them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.prometheus import create
from bot.app.bot import Bot
from bot.domain.ledger import LedgerStage, StageVerdict
from tests.dialogs.served import BOTS, Stage, a_stage
from tests.dialogs.stores import ask_behind
from tests.dialogs.test_log_lines import CANARY, WORDS
from tests.servers.model import Fails, Hangs, Says

NAMES = {
    "glassmind_inbound": "counter",
    "glassmind_gate": "counter",
    "glassmind_turn_seconds": "histogram",
    "glassmind_outbox_pending": "gauge",
    "glassmind_unanswered_age_seconds": "gauge",
    "glassmind_provider_errors": "counter",
    "glassmind_tokens": "counter",
    "glassmind_cost_dollars": "counter",
    "glassmind_loop_lag_seconds": "gauge",
    "glassmind_memory_bytes": "gauge",
    "glassmind_findings": "counter",
}
"""Every number, and of which kind it is; those that count end in `_total` where they are read."""


class Monitor:
    """Reads what the bot says of itself."""

    def __init__(self, exporter: Any) -> None:
        self._exporter = exporter

    async def get(self, path: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(f"http://{self._exporter.address}{path}") as found:
            return found.status, await found.text()

    async def families(self) -> dict[str, Any]:
        status, text = await self.get("/metrics")
        assert status == 200
        return {family.name: family for family in text_string_to_metric_families(text)}

    async def total(self, name: str) -> Counter[tuple[str, ...]]:
        """What was counted, by its labels in the order of their names."""
        samples = (await self.families())[name].samples
        found = Counter[tuple[str, ...]]()
        for sample in samples:
            if sample.name == f"{name}_total":
                found[tuple(sample.labels[label] for label in sorted(sample.labels))] = int(sample.value)
        return found

    async def turns(self) -> dict[str, float]:
        """How many of each part of a turn were measured."""
        samples = (await self.families())["glassmind_turn_seconds"].samples
        return {s.labels["part"]: s.value for s in samples if s.name.endswith("_count")}


@asynccontextmanager
async def watched(data, platform: str, **more: Any) -> AsyncIterator[tuple[Stage, Monitor]]:
    """A bot on a platform, and a monitor that reads it."""
    async with a_stage(data, platform, metered=True, **more) as it, read_by_monitor(it.bot.app) as monitor:
        yield it, monitor


@asynccontextmanager
async def read_by_monitor(app: Bot) -> AsyncIterator[Monitor]:
    """Serve a bot's numbers."""
    exporter = app.edges.exporter
    serving = asyncio.get_running_loop().create_task(exporter.serve(app.gauges.read))
    try:
        while exporter.address.endswith(":0"):  # noqa: ASYNC110 - nobody is called when it listens
            await asyncio.sleep(0.01)
        yield Monitor(exporter)
    finally:
        serving.cancel()
        await asyncio.wait([serving])


def ledger_of(data: Path) -> Counter[tuple[str, str]]:
    """How many messages came to each outcome, as it stands in the database."""
    sql = "SELECT outcome, adapter, count(*) FROM inbound WHERE outcome IS NOT NULL GROUP BY outcome, adapter"
    return Counter({(outcome, platform): count for outcome, platform, count in ask_behind(data, sql)})


async def stopped_by_gates(store: Any, inbounds: int) -> Counter[tuple[str]]:
    """How many messages each gate stopped, by their trails."""
    trails = [await store.ledger.trail(row) for row in range(1, inbounds + 1)]
    stages = (stage for trail in trails if trail is not None for stage in trail.stages)
    return Counter(
        (stage.reason,)
        for stage in stages
        if stage.stage == LedgerStage.GATES and stage.verdict == StageVerdict.STOPPED
    )


async def asked(it: Stage, times: int) -> None:
    for _ in range(times):
        await it.asks(f"tell me of {CANARY}")
        await it.bot.settled()


@pytest.mark.parametrize("platform", BOTS)
async def test_the_numbers_are_those_of_the_records(tmp_path, platform):
    async with watched(tmp_path / "data", platform) as (it, monitor):
        it.server.script += [Says("hello"), Says("hello"), Fails(401)]
        await asked(it, 3)
        bot, store = it.bot, it.bot.store
        if platform == "telegram":
            bot.say(bot.ann, "only talk")
        else:
            await bot.says(bot.ann, "only talk")
        await bot.settled()
        await it.told("why")
        await bot.settled()
        recorded = ledger_of(tmp_path / "data")
        assert await monitor.total("glassmind_inbound") == recorded
        assert recorded["replied", platform] == 2 and recorded["failed", platform] == 1
        assert await monitor.total("glassmind_gate") == await stopped_by_gates(store, sum(recorded.values()))
        assert (await monitor.total("glassmind_provider_errors"))["auth", "openai"] == 1
        used = await store.meter.usage(None, 0)
        tokens = await monitor.total("glassmind_tokens")
        assert sum(n for (kind, _), n in tokens.items() if kind == "input") == sum(row.input for row in used) > 0
        assert sum(n for (kind, _), n in tokens.items() if kind == "output") == sum(row.output for row in used) > 0
        turns = await monitor.turns()
        assert turns["whole"] == turns["queue"] == 3 and turns["send"] == 2 and turns["model"] == 2
        assert turns["assemble"] == 3 and turns["store"] >= 3
        assert sum((await monitor.total("glassmind_findings")).values()) == 1
        families = await monitor.families()
        assert families["glassmind_memory_bytes"].samples[0].value > 10_000_000
        assert families["glassmind_outbox_pending"].samples[0].value == 0


@pytest.mark.parametrize("platform", BOTS)
async def test_nobody_can_be_told_from_them(tmp_path, platform):
    async with watched(tmp_path / "data", platform) as (it, monitor):
        setattr(it.bot.ann, "first_name" if platform == "telegram" else "display", f"Ann {CANARY}")
        it.server.script += WORDS
        await asked(it, 9)
        for question in ("why", f"why is {CANARY} so"):
            await it.told(question)
            await it.bot.settled()
        _, text = await monitor.get("/metrics")
        families = {family.name: family.type for family in text_string_to_metric_families(text)}
        assert families == NAMES
        assert CANARY not in text and str(it.bot.ann.id) not in text and str(it.bot.kitchen.id) not in text
        labels = {name for f in text_string_to_metric_families(text) for s in f.samples for name in s.labels}
        assert labels <= {"platform", "outcome", "gate", "part", "le", "provider", "fault", "model", "kind", "cause"}
        for path in ("/healthz", "/readyz"):
            assert CANARY not in (await monitor.get(path))[1]


async def test_what_waits_has_its_age(tmp_path):
    async with watched(tmp_path / "data", "telegram") as (it, monitor):
        it.server.script += [Hangs()]
        await it.asks()
        while not await it.bot.store.ledger.unsettled():  # noqa: ASYNC110 - nobody is called when it is stored
            await asyncio.sleep(0.01)
        await it.passes(30)
        families = await monitor.families()
        assert families["glassmind_unanswered_age_seconds"].samples[0].value >= 30


@pytest.mark.parametrize("platform", BOTS)
async def test_a_monitor_is_told_whether_the_bot_hears(tmp_path, platform):
    async with watched(tmp_path / "data", platform) as (it, monitor):
        await asked(it, 1)
        status, text = await monitor.get("/readyz")
        assert status == 200 and f'"{platform}": {{"hears": true' in text
        assert (await monitor.get("/healthz"))[0] == 200
        assert (await monitor.get("/nothing"))[0] == 404


async def test_an_address_that_somebody_has_is_waited_for(tmp_path):
    async with watched(tmp_path / "data", "telegram") as (it, monitor):
        later = create({"listen": it.bot.app.edges.exporter.address}, it.bot.clock)
        serving = asyncio.get_running_loop().create_task(later.serve(it.bot.app.gauges.read))
        await it.passes(1)
        assert not serving.done() and (await monitor.get("/healthz"))[0] == 200
        serving.cancel()
        await asyncio.wait([serving])
