"""Have tools added that are not offered from the start."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

from pydantic import Field

from bot.domain.text import excerpt
from bot.errors import ToolError
from bot.skills import Skills
from bot.tools.effects import Injected
from bot.tools.list_all_tools import WORKING, usable_here
from bot.tools.tool import Args, ToolContext, tool
from bot.tools.toolbox import Toolbox

MOST = 40
"""Added to one turn: each stands in every further request of it."""


class InjectArgs(Args):
    """Which ones."""

    names: tuple[Annotated[str, Field(max_length=64)], ...] = Field(
        min_length=1, max_length=20, description="Names of tools, as list_all_tools writes them."
    )


@tool(kinds=WORKING, read_only=True, no_background=True)
async def request_tool_injection(args: InjectArgs, ctx: ToolContext, toolbox: Toolbox, skills: Skills) -> str:
    """Note names that exist and are allowed; they are offered from the next round on, for this turn only."""
    allowed = [one.name for one in usable_here(ctx, toolbox, skills)]
    has = {definition.name for definition in ctx.turn.snapshot.request.tools}
    names = list(dict.fromkeys(name.strip() for name in args.names))
    unknown = [name for name in names if name not in allowed]
    there = [name for name in names if name in has]
    fresh = [name for name in names if name in allowed and name not in has]
    taken = set(ctx.effects.injected) | set(ctx.effects.staged)
    if len(taken | set(fresh)) > MOST:
        raise ToolError(f"Not added: a turn may have {MOST} tools added, and has {len(taken)}. Choose fewer.")
    told = [_unknown(name, allowed) for name in unknown]
    told += [f"{', '.join(there)}: offered already."] if there else []
    if not fresh:
        raise ToolError(" ".join(told))
    ctx.effects.add(Injected(tuple(fresh)))
    return " ".join([f"From your next step on you can call {', '.join(fresh)}, in this turn only.", *told])


def _unknown(name: str, allowed: list[str]) -> str:
    near = get_close_matches(name, allowed, n=3)
    hint = f"Did you mean {', '.join(near)}?" if near else "list_all_tools says what there is."
    return f"{excerpt(name, 64)!r} is no tool that can be used here. {hint}"
