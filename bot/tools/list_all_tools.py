"""Say which tools there are, those that are not offered yet too."""

from __future__ import annotations

import re
from functools import lru_cache

from pydantic import Field

from bot.skills import SkillLibrary
from bot.text.text import excerpt, visible
from bot.tools.activate_skill import without_skill_tools
from bot.tools.runtime.tool import Tool, ToolArgs, ToolContext, tool
from bot.tools.runtime.toolbox import OPENING_KINDS, Toolbox

_PAGE_TOOLS = 50
_MAX_DESCRIPTION_CHARS = 160
_MAX_SUMMARY_CHARS = 80
_SENTENCE_END = re.compile(r"(?<=[.:;])\s|\n")


class ListArgs(ToolArgs):
    query: str = Field("", max_length=100, description="Words that name or description hold; empty for every tool.")
    offset: int = Field(0, ge=0, le=10_000, description="How many to pass over, for a long list.")


@tool(kinds=OPENING_KINDS, read_only=True, no_background=True, on_demand=True)
async def list_all_tools(args: ListArgs, ctx: ToolContext, toolbox: Toolbox, skills: SkillLibrary) -> str:
    """List the tools that the caller may use here: one line each, in the order in which models see them."""
    words = args.query.casefold().split()
    every = usable_tools(ctx, toolbox, skills)
    found = [one for one in every if all(word in _text(one) for word in words)]
    if not found:
        return f"No tool fits {excerpt(args.query, 60)!r}. There are {len(every)} in all."
    has = {definition.name for definition in ctx.turn.snapshot.request.tools}
    lines = [_line(one, one.name in has) for one in found[args.offset : args.offset + _PAGE_TOOLS]]
    left = len(found) - args.offset - len(lines)
    more = [f"{left} more: offset={args.offset + len(lines)}"] if left > 0 else []
    return "\n".join([f"{len(found)} of {len(every)} tools:", *lines, *more])


def usable_tools(ctx: ToolContext, toolbox: Toolbox, skills: SkillLibrary) -> tuple[Tool, ...]:
    """Return every tool that a call's process has, or may have added, and that is of use there."""
    every = toolbox.catalogue(ctx.turn.kind, ctx.caller.authority, ctx.origin.key)
    return without_skill_tools(every, skills, ctx.turn.snapshot.inputs.state)


def _text(one: Tool) -> str:
    return f"{one.name} {one.spec.group} {one.definition.description}".casefold()


def first_sentence(one: Tool) -> tuple[str, str]:
    """Return the name of a tool and the first sentence of its description, or as much of it as a line holds."""
    return one.name, _summary(one.definition.description)


@lru_cache(1024)
def _summary(description: str) -> str:
    first = _SENTENCE_END.split(description, maxsplit=1)[0].rstrip(".:; ")
    # the descriptions of a foreign server are data
    return excerpt(visible(first), _MAX_SUMMARY_CHARS)


def _line(one: Tool, is_offered: bool) -> str:
    state = "open" if is_offered else "on demand: request_tool_injection opens it"
    group = f" · {one.spec.group}" if one.spec.group else ""
    first = one.definition.description.split("\n", 1)[0]
    # the descriptions of a foreign server are data
    return f"- {one.name} ({state}{group}): {excerpt(visible(first), _MAX_DESCRIPTION_CHARS)}"
