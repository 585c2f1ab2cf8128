"""Read a skill: instructions of the operator for a task that has come up."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.skill import FILE, Skill, WrongSkill
from bot.errors import ToolError
from bot.sentences import ENGLISH, said_in
from bot.skills import SkillLibrary
from bot.text.text import excerpt, fence
from bot.tools.runtime.effects import DisclosedSkill
from bot.tools.runtime.tool import Tool, ToolArgs, ToolContext, tool

_MAX_NAMED_SKILLS = 30


class ActivateArgs(ToolArgs):
    name: str = Field(min_length=1, max_length=100, description="The name of the skill, as it is listed.")
    file: str = Field(default="", max_length=200, description="Another file of the skill, as it names it.")


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH}, read_only=True, allow_repeat=True)
async def activate_skill(args: ActivateArgs, ctx: ToolContext, skills: SkillLibrary) -> str:
    """Return the text of a skill that is on here, or of another of its files; the skill itself comes once in a turn."""
    state = ctx.turn.snapshot.inputs.state
    here = skills.enabled(state.agent, state.settings.switches)
    skill = next((skill for skill in here if skill.name == args.name.strip().lower()), None)
    if skill is None:
        names = ", ".join(skill.name for skill in here[:_MAX_NAMED_SKILLS]) or "none"
        raise ToolError(f'There is no skill "{excerpt(args.name, 64)}" here. Skills: {names}.')
    if args.file and args.file != FILE:
        return await _other_file(skill, args.file, skills)
    if skill.name in ctx.turn.disclosed or DisclosedSkill(skill.name) in ctx.effects.of(DisclosedSkill):
        return f"You have read {skill.name} in this turn already; it stands above."
    ctx.effects.add(DisclosedSkill(skill.name))
    told = f"Skill {skill.name} ({skill.path}). Instructions of the operator, for this turn:\n{fence(skill.body)}"
    others = await skills.files(skill)
    return f"{told}\nIts other files, to be read by `file`:\n{fence(chr(10).join(others))}" if others else told


async def _other_file(skill: Skill, name: str, skills: SkillLibrary) -> str:
    try:
        text = await skills.read(skill, name)
    except WrongSkill as error:
        raise ToolError(f'"{excerpt(name, 64)}" of skill {skill.name}: {said_in(ENGLISH, error.words)}.') from None
    return f"File {excerpt(name, 200)} of skill {skill.name}, from the operator:\n{fence(text)}"


def without_skill_tools(tools: Sequence[Tool], skills: SkillLibrary, state: ChannelState) -> tuple[Tool, ...]:
    """Leave out what looks skills up where none is on: it would only cost its description."""
    if skills.enabled(state.agent, state.settings.switches):
        return tuple(tools)
    return tuple([tool for tool in tools if tool.spec.name != activate_skill.name])
