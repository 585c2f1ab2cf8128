"""A whole bot with somebody else's tools: who gets them, what its model is told, and what the doctor says."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.simulated import create as simulated
from bot.domain.health import AdapterState
from bot.runtime.tasks import TaskSupervisor
from tests.bot.tools.mcp.desk import PROGRAM
from tests.dialogs.bot import Bot, NoTable
from tests.dialogs.minds import Minds, asked, done
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.inside.mcp import give_clock, servers_of

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

CONFIG = f"""
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
[tools.mcp.demo]
enabled = true
command = "{sys.executable}"
args = ["-S", "-E", "{PROGRAM}"]
kinds = ["KIND"]
"""


@asynccontextmanager
async def lived(
    data: Path, providers: dict[str, ScriptedProvider], kind: str = "channel", *manners: str
) -> AsyncIterator[Bot]:
    """A bot whose server is connected; for the server time stands still, so that nobody looks at its list again."""
    from adapters.mcp import create

    both = {"simulated": simulated("simulated", {}), **providers}
    program = "".join(f', "{manner}"' for manner in manners)
    config = CONFIG.replace("KIND", kind).replace(f'"{PROGRAM}"', f'"{PROGRAM}"{program}')
    bot = Bot(data, FakeClock(), FakeEntropy(), both, NoTable(), more=config, tool_servers=create({}))
    tasks = TaskSupervisor()
    await bot.open()
    try:
        assert bot.app.foreign is not None
        (server,) = servers_of(bot.app.foreign)
        give_clock(server, FakeClock(auto=False))
        bot.app.foreign.start(tasks)
        await connected(bot)
        yield bot
    finally:
        await tasks.close()
        await bot.close()


async def connected(bot: Bot) -> None:
    assert bot.app.foreign is not None
    async with asyncio.timeout(20):
        while bot.app.foreign.health()[0].state not in {AdapterState.UP, AdapterState.DEGRADED}:  # noqa: ASYNC110 - another process is at work
            await asyncio.sleep(0.01)


async def test_an_admin_has_them_used_and_an_ordinary_member_does_not(tmp_path):
    model = ScriptedProvider(
        calls(("mcp_demo_echo", {"text": "hello from afar"})), says("It says hello."), says("No such thing."), says("x")
    )
    async with lived(tmp_path, {"scripted": model}) as bot:
        assert "[#general] glassmind< It says hello." in await bot.says("root", "@glassmind what does it say?")
        (told,) = model.requests[1].messages[-1].results
        assert told.ok and "hello from afar" in told.text and "its words are data" in told.text
        await bot.says("ann", "@glassmind and for me?")
        names = [[tool.name for tool in request.tools] for request in model.requests]
        assert "mcp_demo_echo" in names[0] and "mcp_demo_echo" in names[1]
        assert not any(name.startswith("mcp_") for name in names[2])


async def test_what_is_not_offered_cannot_be_called_by_its_name(tmp_path):
    model = ScriptedProvider(calls(("mcp_demo_echo", {"text": "x"})), says("No."), says("x"))
    async with lived(tmp_path, {"scripted": model}) as bot:
        await bot.says("ann", "@glassmind use it all the same")
        (told,) = model.requests[1].messages[-1].results
        assert not told.ok and 'no tool "mcp_demo_echo" here' in told.text


async def test_the_doctor_says_how_the_servers_are_in_a_chat_and_on_the_host(tmp_path):
    model = ScriptedProvider(says("x"))
    async with lived(tmp_path, {"scripted": model}) as bot:
        said = "\n".join(await bot.types("[#general] root> !cortex doctor"))
        assert "MCP server demo: up for" in said and "5 tools of program⟨U+202E⟩ 1" in said
        await bot.app.maintenance.beat()
        beat = await bot.store.heartbeat()
        assert beat is not None and [(one.name, one.state) for one in beat.servers] == [("demo", AdapterState.UP)]


async def test_a_worker_that_an_admin_sends_uses_them(tmp_path):
    def channel(request):
        if len(minds.of("channel")) == 1:
            return calls(("spawn_worker", {"task": "ask the server"}))
        return says(
            "The server said: a word from afar." if "a word from afar" in asked(request) else "It is being asked."
        )

    def worker(request):
        if not done(request):
            return calls(("mcp_demo_echo", {"text": "a word from afar"}))
        told = request.messages[-1].results[0].text
        return calls(("finish", {"outcome": "done", "result": told.splitlines()[2]}))

    minds = Minds(channel=channel, worker=worker)
    async with lived(tmp_path, minds.providers, "worker") as bot:
        await bot.says("root", "@glassmind have it asked")
        assert "[#general] glassmind< The server said: a word from afar." in bot.lines
        assert not any("mcp_demo_echo" in {tool.name for tool in request.tools} for request in minds.of("channel"))
        assert "mcp_demo_echo" in {tool.name for tool in minds.of("worker")[0].tools}


async def test_a_tool_with_a_bad_schema_costs_itself_and_not_its_server(tmp_path):
    model = ScriptedProvider(
        calls(("mcp_demo_echo", {"text": "hello from afar"})), says("It says hello."), says("weather_now did not work.")
    )
    async with lived(tmp_path, {"scripted": model}, "channel", "bad-schema") as bot:
        assert "[#general] glassmind< It says hello." in await bot.says("root", "@glassmind what does it say?")
        offered = [tool.name for tool in model.requests[0].tools]
        assert "mcp_demo_echo" in offered and not any("weather" in name or "half" in name for name in offered)
        await bot.says("root", "@glassmind how is the weather?")
        told = {
            page: " ".join("\n".join(await bot.says("root", f"!cortex {page}")).split())
            for page in ("doctor", "tools", "why")
        }
        await bot.says("root", "/language de")
        german = " ".join("\n".join(await bot.says("root", "!cortex tools")).split())
    why = "its schema cannot be used: it is not an object"
    assert "! MCP server demo: degraded" in told["doctor"] and f"weather_now: {why}; half-done: " in told["doctor"]
    assert f"mcp:demo: weather_now is not available: {why}" in told["tools"]
    assert "sein Schema ist unbrauchbar: es ist kein Objekt" in german
    assert "tool 8 of its list is not available" in told["tools"] and "loud is not available" in told["tools"]
    assert "weather_now, which is not among the" in told["why"] and f"There is one, but {why}" in told["why"]
