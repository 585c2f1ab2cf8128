"""Arize Phoenix, a viewer of traces that runs offline, shows what the bot did: asked by its own API."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.dialogs.served import a_stage
from tests.peers.processes import a_peer, free_port
from tests.servers.model import Calls, Fails, Says

PHOENIX = Path(os.environ.get("PEERS_PHOENIX", Path(sys.prefix, "peers/phoenix")), "bin/phoenix")
pytestmark = [
    pytest.mark.skipif(not PHOENIX.exists(), reason=f"arize-phoenix is not in {PHOENIX.parents[1]}: make phoenix"),
    pytest.mark.timeout(900),
]
STARTS = 600.0
"""Seconds until it is well: it makes its database first, which takes minutes where the machine has other work."""
SHOWN = 120.0
"""Seconds that it may take until a batch is in its database."""


@asynccontextmanager
async def phoenix(directory: Path) -> AsyncIterator[str]:
    port = free_port()
    settings = {
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_WORKING_DIR": str(directory),
        "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
    }
    named = [f"{name}={value}" for name, value in settings.items()]
    async with a_peer("/usr/bin/env", *named, str(PHOENIX), "serve", port=port, patience=STARTS) as address:
        await is_well(address)
        yield address


async def is_well(address: str) -> None:
    """Wait until it says so itself: it answers before its database is there."""
    async with aiohttp.ClientSession() as session, asyncio.timeout(STARTS):
        while True:
            async with session.get(f"{address}/readyz") as answer:
                if answer.status == 200:
                    return
            await asyncio.sleep(0.5)


async def spans_of(address: str, project: str, least: int) -> list[dict[str, Any]]:
    """What it shows of a project, once so many spans are there."""
    url = f"{address}/v1/projects/{project}/spans?limit=100"
    async with aiohttp.ClientSession() as session, asyncio.timeout(SHOWN):
        while True:
            async with session.get(url) as answer:
                found: list[dict[str, Any]] = (await answer.json())["data"] if answer.status == 200 else []
            if len(found) >= least:
                return found
            await asyncio.sleep(0.2)


async def test_it_shows_turn_request_tool_memory_and_verdict(tmp_path):
    async with phoenix(tmp_path / "phoenix") as address:
        traced = {"endpoint": address, "version": "1", "input_messages": True, "output_messages": True}
        async with a_stage(tmp_path / "data", "telegram", traced=traced) as it:
            it.server.script += [
                Calls([("memory_save", '{"content": "ann likes tea", "type": "fact"}')]),
                Says("Noted."),
                Fails(401),
            ]
            for words in ("I like tea", "and?"):
                await it.asks(words)
                await it.bot.settled()
            await it.told("why")
            await it.bot.settled()
            # a viewer in a process of its own works while nothing here does
            it.bot.clock.is_busy = lambda: True
            await it.bot.app.edges.traces.hand_over()
            assert not it.bot.app.edges.traces.health().fault
        shown = await spans_of(address, "default", 8)
    by_name = {span["name"]: span for span in shown}
    turns = [span for span in shown if span["name"] == "invoke_agent main"]
    assert len(turns) == 2 and all(not span["parent_id"] for span in turns)
    good, bad = sorted(turns, key=lambda span: span["start_time"])
    request = next(span for span in shown if span["name"].startswith("chat ") and span["parent_id"] == _id(good))
    assert request["attributes"]["gen_ai.usage.input_tokens"] > 0
    assert "tea" in request["attributes"]["gen_ai.input.messages"]
    tool, memory = by_name["execute_tool memory_save"], by_name["create_memory"]
    assert tool["parent_id"] == memory["parent_id"] == _id(good)
    verdict = next(span for span in shown if span["name"].startswith("evaluate "))
    assert verdict["parent_id"] == _id(bad) and bad["status_code"] == "ERROR"
    assert verdict["attributes"]["gen_ai.evaluation.score.label"] in {"confirmed", "likely"}
    assert {event["name"] for event in verdict["events"]} == {"gen_ai.evaluation.result"}


def _id(span: dict[str, Any]) -> str:
    found: str = span["context"]["span_id"]
    return found
