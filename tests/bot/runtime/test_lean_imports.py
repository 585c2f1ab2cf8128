"""What a start leaves out: it is timed by tests/bench, and here is said what must not come back."""

from __future__ import annotations

import asyncio
import gc
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from bot.runtime.lean_imports import lean_imports
from tests.bot.cli.process import surroundings

STARTED = """
import asyncio, sys
from bot.config import parse_config
from bot.app.adapters import machine, open_edges
from bot.app.bot import Bot

async def start():
    loaded = parse_config('[bot]\\nlog_level = "error"\\n[platforms.console]\\nowner_ids = [1]', {})
    async with open_edges(loaded, machine()) as edges:
        await Bot(edges, loaded).start()
        print(*sys.modules)

asyncio.run(start())
"""
UNUSED = {"telegram", "discord", "aiohttp", "httpx", "jinja2", "tiktoken", "PIL"}
LATER = {"bot.app.cortex", "bot.cortex.service.cortex", "bot.diagnostics.diagnose"}
LATER |= {"adapters.bubblewrap", "adapters.workspaces"}
LATER |= {
    "bot.app.agent",
    "bot.agent.turn.turn",
    "bot.tools.runtime.tool",
    "bot.context.builder",
    "bot.cortex.fixes.chunk_resender",
}
LATER |= {"bot.api", "bot.plugins.installed", "bot.plugins.loading", "bot.plugins.guard"}
LATER |= {"bot.diagnostics.evidence.evidence", "adapters.simulated.responder"}


def test_imports_hide_what_is_for_terminals_and_collect_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "rich", raising=False)
    with lean_imports():
        assert not gc.isenabled()
        with pytest.raises(ImportError):
            import rich  # noqa: F401
    assert gc.isenabled()
    assert "rich" not in sys.modules


def test_more_is_hidden_where_somebody_can_do_without(monkeypatch):
    monkeypatch.delitem(sys.modules, "rich", raising=False)
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    with lean_imports("wave"):
        for name in ("rich", "wave"):
            with pytest.raises(ImportError):
                __import__(name)
    import wave  # noqa: F401


def test_what_is_there_already_stays(monkeypatch):
    there = type(sys)("click")
    monkeypatch.setitem(sys.modules, "click", there)
    with lean_imports():
        assert sys.modules["click"] is there
    assert sys.modules["click"] is there


def test_inside_another_the_outer_one_ends_it():
    with lean_imports():
        with lean_imports():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_failed_import_leaves_nothing_behind():
    with pytest.raises(ModuleNotFoundError), lean_imports():
        import_it()
    assert gc.isenabled()
    assert sys.modules.get("rich", sys) is not None


async def test_telegram_is_loaded_without_the_secrets_of_its_passport():
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import sys, adapters.telegram; print(*sys.modules)", env=surroundings(), stdout=PIPE
    )
    out, _ = await process.communicate()
    loaded = set(out.decode().split())
    assert "telegram" in loaded
    assert {name for name in loaded if name.startswith("cryptography")} == set()


async def test_a_start_on_a_terminal_loads_no_platform_of_another_kind_and_nothing_that_only_looks(tmp_path: Path):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STARTED, cwd=tmp_path, env=surroundings(), stdout=PIPE, stderr=PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    loaded = set(out.decode().split())
    assert "bot.messaging.intake.manager" in loaded
    assert loaded & LATER == set()
    assert {name.partition(".")[0] for name in loaded} & UNUSED == set()


def import_it() -> None:
    import glassmind_has_no_such_module  # noqa: F401


async def test_the_help_of_the_command_line_loads_nothing_to_be_said():
    asked = "import sys, bot.cli.command_line as c; c.build_parser().format_help(); print(*sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", asked, env=surroundings(), stdout=PIPE)
    modules = (await process.communicate())[0].decode().split()
    assert "bot.sentences" in modules and not {"fluent", "babel", "jinja2", "importlib.resources"} & set(modules)
