"""Looking at what MCP servers offer, and approving of it, from the host."""

from __future__ import annotations

import os
import sys

import orjson
import pytest

from bot.cli.main import run
from tests.bot.tools.mcp.desk import PROGRAM

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GLASSMIND_CONFIG", raising=False)
    before = os.umask(0o077)
    configure(tmp_path)
    yield tmp_path
    os.umask(before)


def configure(home, *manners, deny=()):
    args = ["-S", "-E", str(PROGRAM), f"state={home / 'state'}", *manners]
    (home / "config.toml").write_text(
        "[platforms.console]\nowner_ids = [1]\n"
        f'[tools.mcp.demo]\nenabled = true\ncommand = "{sys.executable}"\nargs = {args}\ndeny = {list(deny)}\n'
        '[tools.mcp.none]\ncommand = "/nowhere/at-all"\n'
    )


def states(capsys) -> dict[str, str]:
    return {row["tool"]: row["state"] for row in orjson.loads(capsys.readouterr().out)}


def test_what_has_changed_is_listed_and_approved_of(home, capsys, monkeypatch):
    assert run(["mcp", "approve", "demo", "--json"]) == 0
    assert states(capsys) == dict.fromkeys(("echo", "environment", "pid", "turn_coat", "fail"), "approved")
    (home / "state").write_text("turned")
    assert run(["mcp", "tools", "demo", "--json"]) == 1
    changed = states(capsys)
    assert (changed["echo"], changed["extra"], changed["pid"]) == ("changed", "new", "approved")
    assert run(["doctor"]) == 1
    assert "! MCP server demo: it answers; not offered: echo, extra" in capsys.readouterr().out
    assert run(["mcp", "approve", "demo"]) == 0
    assert "demo · extra · approved" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(["mcp", "tools", "none"]) == 1
    assert "none · nicht erreichbar · /nowhere/at-all" in capsys.readouterr().out
    assert run(["mcp", "tools", "demo"]) == 0
    assert "demo · extra · freigegeben" in capsys.readouterr().out
    configure(home, deny=("extra",))
    assert run(["mcp", "tools", "demo", "--json"]) == 0
    assert states(capsys)["extra"] == "denied"


def test_what_cannot_be_looked_at_is_said(home, capsys):
    assert run(["mcp", "tools", "none"]) == 1
    assert "none · unreachable · /nowhere/at-all could not be started: No such file" in capsys.readouterr().out
    assert run(["mcp", "tools", "other"]) == 2
    assert "There is no [tools.mcp.other]. Configured: demo, none." in capsys.readouterr().err
    assert run(["mcp", "approve"]) == 2
    assert "Name the server to approve" in capsys.readouterr().err
