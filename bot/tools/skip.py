"""Decide to say nothing, and say why."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.tools.runtime.effects import SentMessage, SkipCategory, SkippedTurn
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

ADDRESSED_CATEGORIES = frozenset({"instructed", "declined"})


class SkipArgs(ToolArgs):
    reason: str = Field(
        min_length=3,
        max_length=300,
        description="One sentence. Name the instruction or the memory (like m27d4) behind it.",
    )
    category: SkipCategory


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, allow_repeat=True)
async def skip(args: SkipArgs, ctx: ToolContext) -> str:
    """End the turn with nothing more said; whoever speaks to the bot directly gets no answer only for cause."""
    if ctx.effects.of(SentMessage) or ctx.effects.sent:
        ctx.effects.add(SkippedTurn(args.reason.strip(), args.category))
        return "What you sent is the answer. The turn ends here."
    if ctx.origin.is_direct and args.category not in ADDRESSED_CATEGORIES:
        where = "in a direct message" if ctx.origin.is_dm else "by name"
        # no word of the other categories: a small model takes the one that it reads last
        raise ToolError(
            f"You were addressed {where}, and whoever asked still waits: {args.category} is no reason for silence. "
            "Write your answer to them now, as plain text; if you have done what they wanted, say so."
        )
    ctx.effects.add(SkippedTurn(args.reason.strip(), args.category))
    return "Nothing will be said in this turn."
