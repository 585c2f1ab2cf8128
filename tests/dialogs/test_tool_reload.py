"""An admin has tools, skills and MCP servers looked at again from a chat, and sees where the bot is active."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bot.cortex.chat import OWNER, chat
from tests.dialogs.bot import a_bot
from tests.dialogs.test_mcp import lived
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.skills import write_skill

SCRIPTED = '[providers.scripted]\nkind = "simulated"\n[model]\nname = "scripted/scripted-1"\ncontext_window = 128000\n'


async def test_skills_that_came_went_and_failed_are_named_after_a_button_was_pressed(tmp_path: Path) -> None:
    data, model = tmp_path / "data", ScriptedProvider(says("ok"))
    folder = data / "skills"
    for name in ("tea", "coffee"):
        write_skill(folder, name, description="Make it.")
    async with a_bot(data, providers={"scripted": model}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        shutil.rmtree(folder / "coffee")
        write_skill(folder, "cocoa", description="Make it.")
        write_skill(folder, "tea", "With milk.", "Make it.")
        (folder / "old").mkdir()
        (folder / "old" / "SKILL.md").write_text("no head")
        offered = "\n".join(await bot.says("root", "!cortex tools reload"))
        assert "This is for all channels." in offered and "new skill" not in offered
        said = "\n".join(await bot.types("/press Reload tools"))
        await bot.app.settled()
        said = "\n".join(bot.lines)
        assert "1 new skill: cocoa" in said and "1 skill is gone: coffee" in said
        assert "1 skill has changed: tea" in said and "✗ skills/old/SKILL.md: it has no head" in said
        # nobody but an admin hears of it
        before = len(bot.lines)
        await bot.says("ann", "!cortex tools reload")
        await bot.says("ann", "!cortex servers")
        assert not any("Reload" in line or "active" in line for line in bot.lines[before:])


async def test_a_talk_with_the_cortex_proposes_it_and_says_where_the_bot_is(tmp_path: Path) -> None:
    async with chat(tmp_path, says("yes"), says('{"findings":[],"summary":"All is well."}')) as bot:
        await bot.hears("are you there?")
        await bot.hears("!cortex why isn't this responding", OWNER)
        bot.provider.script[:] = [calls(("list_active_servers", {}), ("reload_tools", {})), says("I proposed it.")]
        await bot.dm("what keeps it silent, and what can I do?")
        listed, proposed = (result.text for result in bot.provider.requests[-1].messages[-1].results)
        assert "connected, for" in listed and "general" in listed and "MCP servers: none" in listed
        assert proposed.startswith("It is proposed to the admin")
        await bot.presses("Reload tools")
        await bot.settled()
        assert "Nothing has changed:" in bot.last
        await bot.hears("!cortex servers", OWNER)
        assert "Where I am active:" in bot.last and "general" in bot.last


async def test_a_server_is_asked_for_its_list_at_once_and_what_it_changed_is_not_offered(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    state, model = tmp_path / "changed", ScriptedProvider(says("x"))
    async with lived(tmp_path / "data", {"scripted": model}, "channel", f"state={state}") as bot:
        # its description is another one from now on, and it would be asked in minutes
        state.touch()
        await bot.says("root", "!cortex tools reload")
        await bot.types("/press Reload tools")
        await bot.app.settled()
        assert "1 tool is gone: mcp_demo_echo" in "\n".join(bot.lines)
