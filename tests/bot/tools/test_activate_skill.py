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


@pytest.fixture
def kettle(tmp_path):
    folder = tmp_path / "skills"
    write_skill(folder, "tea", "See times.md.")
    (folder / "tea" / "times.md").write_text("Green: 2 minutes.")
    (folder / "tea" / "cups").mkdir()
    (folder / "tea" / "cups" / "list.txt").write_text("blue, white")
    (folder / "tea" / "photo.png").write_bytes(b"\x89PNG\xff\xfe")
    (folder / "tea" / ".key").write_text("hidden")
    (tmp_path / "outside.txt").write_text("a secret")
    (folder / "tea" / "way_out").symlink_to(tmp_path / "outside.txt")
    (folder / "tea" / "huge.md").write_text("x" * 200_000)
    return skills_in(folder)


async def test_other_files_of_a_skill_are_named_and_read(kettle):
    ctx = await context()
    text = await activate_skill.run(ActivateArgs(name="tea"), ctx, kettle)
    assert "huge.md\nphoto.png\ntimes.md\nway_out\ncups/list.txt" in text and ".key" not in text
    times = await activate_skill.run(ActivateArgs(name="tea", file="times.md"), ctx, kettle)
    assert times.startswith("File times.md of skill tea") and "Green: 2 minutes." in times
    assert "blue, white" in await activate_skill.run(ActivateArgs(name="tea", file="cups/list.txt"), ctx, kettle)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../outside.txt", "not a file of this skill"),
        ("way_out", "not a file of this skill"),
        (".key", "not a file of this skill"),
        ("/etc/passwd", "not a file of this skill"),
        ("none.md", "there is no such file. Its files: "),
        ("cups", "cannot be read|not an ordinary file"),
        ("photo.png", "not text"),
        ("huge.md", "larger than"),
    ],
)
async def test_nothing_but_texts_of_its_own_folder(kettle, name, why):
    with pytest.raises(ToolError, match=why):
        await activate_skill.run(ActivateArgs(name="tea", file=name), await context(), kettle)
