"""Skills through the front door: listed, looked up, switched, edited while the bot runs, and seen by its admins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Role
from bot.domain.snapshot import SectionFate
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.skills import write_skill
from tests.golden.golden import matches

MODEL = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
"""
NOTES = ("release-notes", "Group by component.\nNever mention ticket numbers.", "Write the notes of a release.")


class Skilled:
    """A bot with two good skills and a broken one, on a model that follows a script."""

    def __init__(self, bot: Bot, model: ScriptedProvider, folder: Path) -> None:
        self.bot, self.model, self.folder = bot, model, folder

    def system(self, at: int = -1) -> str:
        return self.model.requests[at].system_text

    def offered(self, at: int = -1) -> list[str]:
        return [tool.name for tool in self.model.requests[at].tools]


@pytest.fixture
async def skilled(tmp_path: Path) -> AsyncIterator[Skilled]:
    data, model = tmp_path / "data", ScriptedProvider(says("ok"))
    folder = data / "skills"
    write_skill(folder, *NOTES)
    write_skill(folder, "tea", description="Make tea for guests.")
    (folder / "old").mkdir()
    (folder / "old" / "SKILL.md").write_text("no head")
    more = f'{MODEL}[skills]\nenabled = ["release-notes"]\n'
    async with a_bot(data, providers={"scripted": model}, more=more) as bot:
        yield Skilled(bot, model, folder)


async def test_a_skill_is_listed_looked_up_and_stands_in_the_history(skilled):
    bot, model = skilled.bot, skilled.model
    model.script = [calls(("activate_skill", {"name": "release-notes"})), says("By component, no tickets.")]
    await bot.says("ann", "@glassmind write the notes")
    assert "- release-notes: Write the notes of a release." in skilled.system(0)
    assert "- tea:" not in skilled.system(0) and "Group by component" not in skilled.system(0)
    (result,) = [part for message in model.requests[1].messages for part in message.results]
    assert result.ok and "Group by component.\nNever mention" in result.text
    state = bot.app.registry.get(GENERAL)
    assert any(message.role is Role.TOOL for message in state.history)
    found = "\n".join(await bot.says("root", '!cortex find "Never mention" #general'))
    assert "skill release-notes, skills/release-notes/SKILL.md" in found
    found = "\n".join(await bot.says("root", '!cortex find "notes of a release" #general'))
    assert "skill release-notes, skills/release-notes/SKILL.md" in found


async def test_the_prompt_stays_the_same_until_a_file_changes(skilled):
    bot, model = skilled.bot, skilled.model
    model.script = [says("1"), says("2"), says("3"), says("4")]
    await bot.says("ann", "@glassmind one")
    await bot.says("ann", "@glassmind two")
    assert skilled.system(0) == skilled.system(1) and model.requests[0].tools == model.requests[1].tools
    write_skill(skilled.folder, "release-notes", "Be short.", "Say what is new.")
    bot.clock.advance(11)
    await bot.says("ann", "@glassmind three")
    assert "- release-notes: Say what is new." in skilled.system()
    newest, _, oldest = await bot.store.journal.recent_requests(GENERAL, 3)
    names = " ".join(handle(HandleKind.REQUEST, row.id) for row in (oldest, newest))
    told = "\n".join(await bot.says("root", f"!cortex diff {names}"))
    assert "skill" in told and "release-notes changed: skills/release-notes/SKILL.md" in told


async def test_a_channel_switches_its_skills_and_remembers_that(skilled):
    bot, model = skilled.bot, skilled.model
    model.script = [says(str(n)) for n in range(8)]
    await bot.says("root", "/skills enable tea")
    await bot.says("ann", "@glassmind hello")
    assert "- tea: Make tea for guests." in skilled.system()
    await bot.says("ann", "@glassmind elsewhere", "#random")
    assert "- tea:" not in skilled.system()
    await bot.restart()
    await bot.says("ann", "@glassmind again")
    assert "- tea: Make tea for guests." in skilled.system()
    await bot.says("root", "/skills disable tea")
    await bot.says("root", "/skills disable release-notes")
    await bot.says("ann", "@glassmind nothing left")
    assert "# Skills" not in skilled.system() and "activate_skill" not in skilled.offered()
    snapshot = (await bot.app.inspector.inspect(GENERAL)).snapshot
    (trace,) = [trace for trace in snapshot.sections if trace.name == "skills"]
    assert trace.fate is SectionFate.ABSENT and trace.reason == "none of 2 skills is on in this channel"
    await bot.says("root", "/skills enable release-notes")
    settings = bot.app.registry.get(GENERAL).settings
    assert settings.skills == ()


async def test_what_people_read(skilled, pytestconfig):
    bot = skilled.bot
    for who, line in (
        ("root", "/skills"),
        ("root", "/skills enable tea"),
        ("root", "/skills enable tea"),
        ("root", "/skills"),
        ("root", "/skills disable nothing-here"),
        ("root", "/skills enable"),
        ("root", "!cortex skills"),
        ("root", "/language de"),
        ("root", "!cortex skills"),
    ):
        await bot.says(who, line)
    assert matches(pytestconfig, "skills/dialog", "\n".join(bot.lines))
    (refused,) = await bot.says("ann", "/skills")
    assert "/skills is for moderators and above" in refused


async def test_the_doctor_names_what_is_left_out(skilled):
    told = "\n".join(await skilled.bot.says("root", "!cortex doctor"))
    assert "✓ skills: 2 can be looked up: release-notes, tea" in told
    assert "! skill skills/old/SKILL.md: it has no head: put `---`" in told


async def test_without_skills_nothing_is_offered_or_said(tmp_path):
    model = ScriptedProvider(says("ok"))
    async with a_bot(tmp_path, providers={"scripted": model}, more=MODEL) as bot:
        await bot.says("ann", "@glassmind hello")
        assert "activate_skill" not in [tool.name for tool in model.requests[0].tools]
        assert "# Skills" not in model.requests[0].system_text
        assert "no skills" in "\n".join(await bot.says("root", "/skills"))
        assert "skill" not in "\n".join(await bot.says("root", "!cortex doctor")).replace(str(tmp_path), "")


async def test_on_telegram_and_discord(tmp_path):
    for name, opens in (("telegram", a_telegram_bot), ("discord", a_discord_bot)):
        data, model = tmp_path / name, ScriptedProvider(calls(("activate_skill", {"name": "tea"})), says("done"))
        write_skill(data / "skills", "tea", "Boil water.")
        async with opens(data, model=model) as bot:
            await bot.hears(bot.root, "/skills")
            assert "✓ tea (on): Use it when it fits." in "\n".join(bot.texts())
            at = getattr(bot, "at", AT)
            await bot.hears(bot.ann, f"{at} tea please")
            assert "Boil water." in model.requests[1].messages[-1].results[0].text
            await bot.hears(bot.root, "/skills disable tea")
            assert "tea is off in this channel from now on" in "\n".join(bot.texts())
            assert bot.app.registry.get(bot.key()).settings.switches == {"tea": False}
