"""Open tools that are not offered from the start."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated

from pydantic import Field, ValidationError

from bot.domain.messages import ToolCall
from bot.errors import ToolError
from bot.skills import SkillLibrary
from bot.text.text import excerpt
from bot.tools.list_all_tools import usable_tools
from bot.tools.runtime.effects import RequestedTools
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.runtime.toolbox import OPENING_KINDS, Toolbox

MAX_OPENED_TOOLS = 40
"""Opened in one turn: each stands in every further request of the conversation."""


class InjectArgs(ToolArgs):
    names: tuple[Annotated[str, Field(max_length=64)], ...] = Field(
        min_length=1, max_length=20, description="Names of tools."
    )


@tool(kinds=OPENING_KINDS, read_only=True, no_background=True)
async def request_tool_injection(args: InjectArgs, ctx: ToolContext, toolbox: Toolbox, skills: SkillLibrary) -> str:
    """Note names that exist and are allowed; they are offered from the next round on, while the history shows it."""
    allowed = [one.name for one in usable_tools(ctx, toolbox, skills)]
    has = {definition.name for definition in ctx.turn.snapshot.request.tools}
    names = list(dict.fromkeys(name.strip() for name in args.names))
    unknown = [name for name in names if name not in allowed]
    there = [name for name in names if name in has]
    fresh = [name for name in names if name in allowed and name not in has]
    taken = set(ctx.effects.injected) | set(ctx.effects.staged)
    if len(taken | set(fresh)) > MAX_OPENED_TOOLS:
        raise ToolError(
            f"Not opened: a turn may open {MAX_OPENED_TOOLS} tools, and has opened {len(taken)}. Choose fewer."
        )
    told = [_unknown(name, allowed) for name in unknown]
    told += [f"{', '.join(there)}: open already."] if there else []
    if not fresh:
        raise ToolError(" ".join(told))
    ctx.effects.add(RequestedTools(tuple(fresh)))
    return " ".join([f"From your next step on you can call {', '.join(fresh)}.", *told])


def opened_tools(calls: Iterable[ToolCall]) -> tuple[str, ...]:
    """Name what a conversation's calls opened or used, each once, in the order in which they first did."""
    return tuple(dict.fromkeys(name for call in calls for name in _named(call)))


def _named(call: ToolCall) -> tuple[str, ...]:
    if call.name != request_tool_injection.name:
        return (call.name,)
    try:
        return tuple(name.strip() for name in InjectArgs.model_validate_json(call.arguments).names)
    except ValidationError:
        # it was refused for that
        return ()


def _unknown(name: str, allowed: list[str]) -> str:
    near = get_close_matches(name, allowed, n=3)
    hint = f"Did you mean {', '.join(near)}?" if near else "list_all_tools says what there is."
    return f"{excerpt(name, 64)!r} is no tool that can be used here. {hint}"
