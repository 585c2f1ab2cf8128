"""Without the extra nothing breaks: it is said what to install."""

from __future__ import annotations

import pytest

import adapters.mcp
from bot.cli.main import run
from bot.domain.health import AdapterState
from tests.bot.tools.mcp.desk import desk, program


@pytest.fixture(autouse=True)
def without(monkeypatch):
    monkeypatch.setattr(adapters.mcp, "find_spec", lambda name: None)


async def test_a_bot_goes_on_without_those_tools(tmp_path):
    async with desk(tmp_path, program(), AdapterState.DOWN) as demo:
        assert demo.names == [] and "pip install 'glassmind[mcp]'" in demo.detail


def test_the_inspector_is_not_served(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["mcp"]) == 2
    assert "mcp: the extra for MCP is not installed: run pip install 'glassmind[mcp]'" in capsys.readouterr().err
