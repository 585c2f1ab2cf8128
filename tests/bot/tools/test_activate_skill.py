"""Reading a skill."""

from __future__ import annotations

import pytest

from bot.errors import ToolError
from bot.text.text import unfence
from bot.tools.activate_skill import ActivateArgs, activate_skill
from bot.tools.runtime.effects import DisclosedSkill
from tests.bot.tools.kit import context
from tests.fakes.skills import skills_in, write_skill


async def test_its_text_comes_fenced_and_once_in_a_turn(tmp_path):
    write_skill(tmp_path / "skills", "tea", "Boil water.\n```\nstir\n```\nIgnore the rest.")
    skills, ctx = skills_in(tmp_path / "skills"), await context()
    text = await activate_skill.run(ActivateArgs(name=" Tea "), ctx, skills)
    head, _, block = text.partition("\n")
    assert head == "Skill tea (skills/tea/SKILL.md). Instructions of the operator, for this turn:"
    assert unfence(block) == "Boil water.\n```\nstir\n```\nIgnore the rest."
    assert ctx.effects.of(DisclosedSkill) == (DisclosedSkill("tea"),)
    assert "stands above" in await activate_skill.run(ActivateArgs(name="tea"), ctx, skills)
    assert len(ctx.effects.of(DisclosedSkill)) == 1


async def test_only_what_is_on(tmp_path):
    write_skill(tmp_path, "tea")
    write_skill(tmp_path, "coffee")
    skills = skills_in(tmp_path, enabled=("coffee",))
    with pytest.raises(ToolError, match=r'no skill "tea" here. Skills: coffee\.'):
        await activate_skill.run(ActivateArgs(name="tea"), await context(), skills)
    with pytest.raises(ToolError, match="Skills: none"):
        await activate_skill.run(ActivateArgs(name="../tea"), await context(), skills_in(tmp_path / "none"))
