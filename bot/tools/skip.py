"""Decide to say nothing, and say why."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.tools.effects import Said, SkipCategory, Skipped
from bot.tools.tool import Args, ToolContext, tool

WHEN_ADDRESSED = frozenset({"instructed", "declined"})


class SkipArgs(Args):
    """Why nothing is said."""

    reason: str = Field(
        min_length=3,
        max_length=300,
        description="One sentence. Name the instruction or the memory (like m27d4) behind it.",
    )
    category: SkipCategory


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, allow_repeat=True)
async def skip(args: SkipArgs, ctx: ToolContext) -> str:
    """End the turn without an answer; whoever speaks to the bot directly is skipped only for cause."""
    if ctx.effects.of(Said) or ctx.effects.sent:
        raise ToolError("You have answered already in this turn; finish it with a short text.")
    if ctx.origin.is_direct and args.category not in WHEN_ADDRESSED:
        where = "in a direct message" if ctx.origin.is_dm else "by name"
        raise ToolError(
            f"You were addressed {where}, so {args.category} is no reason for silence: answer in a few words. "
            "Skip only with `instructed` (name the instruction) or `declined`."
        )
    ctx.effects.add(Skipped(args.reason.strip(), args.category))
    return "Nothing will be said in this turn."
