"""MCP servers of other people as sources of tools: the reference servers, over pipes and over HTTP."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bot.config.tool_groups import McpConfig
from bot.domain.health import AdapterState
from bot.tools.mcp.foreign_server import ForeignServer
from tests.bot.tools.mcp.desk import Desk, desk
from tests.peers.processes import NODE_MODULES, a_peer, free_port


def table(**keys: Any) -> McpConfig:
    return McpConfig.model_validate({"enabled": True, "timeout": 20, **keys})


def everything() -> tuple[str, str]:
    node = shutil.which("node")
    program = NODE_MODULES / "@modelcontextprotocol/server-everything/dist/index.js"
    if node is None:
        pytest.skip("node is not installed (20 or newer is needed)")
    if not program.exists():
        pytest.skip(f"@modelcontextprotocol/server-everything is not in {NODE_MODULES}: run `make test-peers`")
    return node, str(program)


async def said(demo: Desk, name: str, **arguments: Any) -> str:
    record = await demo.call(f"mcp_demo_{name}", **arguments)
    assert record.success, record.result_output
    return record.result_output


async def test_the_time_in_another_place(tmp_path: Path) -> None:
    if find_spec("mcp_server_time") is None:
        pytest.skip("mcp-server-time is not installed: run `make test-peers`")
    arguments = ("-m", "mcp_server_time", "--local-timezone", "Europe/Paris")
    async with desk(tmp_path, table(command=sys.executable, args=arguments)) as demo:
        assert demo.names == ["mcp_demo_get_current_time", "mcp_demo_convert_time"]
        converted = await said(
            demo, "convert_time", source_timezone="Europe/Paris", time="12:30", target_timezone="Asia/Tokyo"
        )
        assert '"timezone": "Asia/Tokyo"' in converted
        assert "Asia/Tokyo" in await said(demo, "get_current_time", timezone="Asia/Tokyo")
        refused = await demo.call("mcp_demo_get_current_time", timezone="Nowhere")
        assert not refused.success and "Nowhere" in refused.result_output
        refused = await demo.call("mcp_demo_get_current_time")
        assert "was not run: 'timezone' is a required property" in refused.result_output


async def everything_of(demo: Desk) -> None:
    server: ForeignServer = demo.server
    assert server.health().detail.startswith("13 tools of mcp-servers/everything")
    assert "Echo: hi" in await said(demo, "echo", message="hi")
    assert "The sum of 1 and 2 is 3." in await said(demo, "get-sum", a=1, b=2)
    assert "[it returned a file (image/png, 4,033 bytes)" in await said(demo, "get-tiny-image")
    assert '"temperature"' in await said(demo, "get-structured-content", location="New York")
    assert "completed" in await said(demo, "trigger-long-running-operation", duration=0.2, steps=2)
    assert "demo://resource/dynamic/" in await said(demo, "get-resource-links")
    refused = await demo.call("mcp_demo_get-structured-content", location="Atlantis")
    assert "was not run: `location`: 'Atlantis' is not one of" in refused.result_output


async def test_everything_over_pipes(tmp_path: Path) -> None:
    node, program = everything()
    async with desk(tmp_path, table(command=node, args=(program, "stdio"))) as demo:
        await everything_of(demo)
        assert (await said(demo, "get-env")).splitlines()[2] == "{}", "nothing of ours is in its environment"


async def test_everything_over_http_and_back_after_it_was_away(tmp_path: Path) -> None:
    node, program = everything()
    port = free_port()
    command = ("/usr/bin/env", f"PORT={port}", node, program, "streamableHttp")
    async with desk(tmp_path, table(url=f"http://127.0.0.1:{port}/mcp"), AdapterState.DOWN) as demo:
        async with a_peer(*command, port=port):
            demo.clock.advance(1000)
            await demo.is_(AdapterState.UP)
            await everything_of(demo)
        record = await demo.call("mcp_demo_echo", message="hi")
        assert not record.success
        await demo.is_(AdapterState.DOWN)
        assert demo.names == []
        async with a_peer(*command, port=port):
            demo.clock.advance(1000)
            await demo.is_(AdapterState.UP)
            assert "Echo: again" in await said(demo, "echo", message="again")
