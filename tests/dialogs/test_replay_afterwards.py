"""A request is asked again when what it was made of is gone: model, service, tools, skills, the way it was written."""

from __future__ import annotations

import asyncio
import shutil

from bot.runtime.tasks import TaskSupervisor
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.test_proofs import pressed
from tests.dialogs.test_skills import MODEL, NOTES
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.skills import write_skill
from tests.faults.hostile.house import Served4Nobody

SERVER = '[tools.mcp.house]\ncommand = "house"\nenabled = true\nkinds = ["channel"]\nauthority = "owner"\n'
RICH = f'{MODEL}[skills]\nenabled = ["release-notes"]\n{SERVER}'
POOR = """
[providers.other]
kind = "simulated"
[model]
name = "other/other-1"
context_window = 128000
"""
WIPES = calls(("mcp_house_wipe", {}))


async def a_rich_turn(bot, model):
    """Answer the owner with a skill and a foreign tool at hand."""
    model.script = [calls(("activate_skill", {"name": "release-notes"})), says("By component.")]
    await bot.says("root", "@glassmind write the notes")
    model.script = [calls(("request_tool_injection", {"names": ["mcp_house_wipe"]})), says("By component, as ever.")]
    await bot.says("root", "@glassmind and again")
    assert "mcp_house_wipe" in {tool.name for tool in model.requests[-1].tools}


async def test_each_thing_that_is_gone_is_said_before_anything_is_asked_and_nothing_is_done(tmp_path):
    model, other = ScriptedProvider(says("ok")), ScriptedProvider(WIPES)
    server, folder = Served4Nobody(), tmp_path / "data" / "skills"
    write_skill(folder, *NOTES)
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=POOR.replace("other", "scripted")) as bot:
        bot.tool_servers, bot.more = server, RICH
        await bot.restart()
        tasks = TaskSupervisor()
        bot.app.foreign.start(tasks)
        async with asyncio.timeout(20):
            while not bot.app.foreign.tools():  # noqa: ASYNC110 - it connects beside the bot
                await asyncio.sleep(0.005)
        await a_rich_turn(bot, model)
        await tasks.close()
        asked = len(model.requests)
        bot.providers, bot.more, bot.tool_servers = {"other": other}, POOR, None
        shutil.rmtree(folder)
        await bot.restart()
        state = await bot.app.edges.store.channels.load(GENERAL)
        shown = "\n".join(await bot.says("root", "!cortex replay"))
        assert "scripted/scripted-1 is not configured any more. other/other-1 was asked instead." in shown, shown
        assert "No longer there: mcp_house_" in shown and "The record of them was used." in shown
        assert "Skills no longer there: release-notes. Their recorded words were used." in shown
        assert not other.requests and len(model.requests) == asked
        public = list(bot.public())
        told = "\n".join(await bot.types(pressed(shown, "Ask it again")))
        assert len(other.requests) == 1 and "Now: it calls mcp_house_wipe" in told, told
        assert "mcp_house_wipe" in {tool.name for tool in other.requests[0].tools} and not server.called
        assert bot.public() == public and await bot.app.edges.store.channels.load(GENERAL) == state


async def test_a_service_that_is_written_to_in_another_way_is_said(tmp_path):
    model, today = ScriptedProvider(says("ok")), ScriptedProvider(says("ok"))
    today.encoder = "scripted/2"
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=MODEL) as bot:
        await bot.says("ann", "@glassmind hello")
        bot.providers = {"scripted": today}
        await bot.restart()
        shown = "\n".join(await bot.says("root", "!cortex replay"))
        assert "The service is written to in another way today. The words are the same." in shown, shown
        assert not today.requests
        told = "\n".join(await bot.types(pressed(shown, "Ask it again")))
        assert "Now: it answers as well." in told and len(today.requests) == 1
