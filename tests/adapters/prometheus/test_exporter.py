"""The pages of a monitor, asked over a loopback socket; and what is refused."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from adapters.prometheus import create
from bot.config import parse_config
from bot.errors import ConfigError
from bot.ports.metrics import PlatformHearing, ProcessGauges, TurnPart
from tests.fakes.clock import FakeClock

WELL = ProcessGauges(True, "", (PlatformHearing("telegram", True, "up"),), 2, 3.5, 0.25, 1000)


@asynccontextmanager
async def serving(now: list[ProcessGauges]) -> AsyncIterator[Any]:
    exporter: Any = create({"listen": "127.0.0.1:0"}, FakeClock())

    async def read() -> ProcessGauges:
        return now[-1]

    task = asyncio.get_running_loop().create_task(exporter.serve(read))
    while exporter.address.endswith(":0"):  # noqa: ASYNC110 - nobody is called when it listens
        await asyncio.sleep(0.005)
    try:
        yield exporter
    finally:
        task.cancel()
        await asyncio.wait([task])


async def got(exporter: Any, path: str, **more: Any) -> tuple[int, str]:
    method = more.pop("method", "GET")
    url = f"http://{exporter.address}{path}"
    async with aiohttp.ClientSession() as session, session.request(method, url, **more) as found:
        return found.status, await found.text()


async def test_the_gauges_are_those_of_the_moment():
    now = [WELL]
    async with serving(now) as exporter:
        exporter.took(TurnPart.WHOLE, 0.3)
        exporter.took(TurnPart.WHOLE, -5)
        _, text = await got(exporter, "/metrics")
        assert "glassmind_outbox_pending 2.0" in text and "glassmind_unanswered_age_seconds 3.5" in text
        assert 'glassmind_turn_seconds_bucket{le="0.005",part="whole"} 1.0' in text
        now.append(WELL._replace(pending=0))
        assert "glassmind_outbox_pending 0.0" in (await got(exporter, "/metrics"))[1]


async def test_health_is_of_the_store_and_readiness_of_every_ear():
    now = [WELL]
    async with serving(now) as exporter:
        assert [(await got(exporter, path))[0] for path in ("/healthz", "/readyz")] == [200, 200]
        now.append(WELL._replace(is_ready=False, hearing=(PlatformHearing("telegram", False, "down", "network"),)))
        assert [(await got(exporter, path))[0] for path in ("/healthz", "/readyz")] == [200, 503]
        assert '"code": "network"' in (await got(exporter, "/healthz"))[1]
        now.append(WELL._replace(is_ready=False, store_fault="it failed"))
        status, text = await got(exporter, "/healthz")
        assert status == 503 and '"store": "it failed"' in text


async def test_nothing_else_is_answered():
    async with serving([WELL]) as exporter:
        assert (await got(exporter, "/"))[0] == 404
        assert (await got(exporter, "/metrics", method="POST", data=b"x" * 9000))[0] == 405
        assert (await got(exporter, "/metrics", headers={"X-Long": "x" * 20_000}))[0] == 400


@pytest.mark.parametrize("listen", ["0.0.0.0:9464", "[::]:9464", "192.168.1.4:9464", "example.org:9464", ":9464"])
def test_an_address_that_others_reach_has_to_be_said_twice(listen):
    if listen != ":9464":
        config = parse_config(f'[metrics]\nlisten = "{listen}"\nbeyond_loopback = true\n', {}).config
        assert config.metrics.listen == listen
    with pytest.raises(ConfigError):
        parse_config(f'[metrics]\nlisten = "{listen}"\n', {})


@pytest.mark.parametrize("listen", ["", "127.0.0.1:9464", "localhost:9464", "[::1]:9464", "127.8.0.1:0"])
def test_addresses_of_this_machine_are_taken(listen):
    assert parse_config(f'[metrics]\nlisten = "{listen}"\n', {}).config.metrics.listen == listen


@pytest.mark.parametrize("listen", ["127.0.0.1", "127.0.0.1:99999", "http://127.0.0.1:1", "127.0.0.1:port"])
def test_what_is_no_address_is_refused(listen):
    with pytest.raises(ConfigError):
        parse_config(f'[metrics]\nlisten = "{listen}"\n', {})


async def test_where_nobody_asks_nothing_of_it_is_imported():
    code = (
        "import sys\n"
        "import adapters.prometheus, bot.app.bot, bot.app.adapters, adapters.sqlite\n"
        "assert 'prometheus_client' not in sys.modules and 'aiohttp.web' not in sys.modules\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await process.wait() == 0
