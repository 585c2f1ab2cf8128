"""Ask for more rounds in this turn."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.tools.runtime.effects import ExtendedRounds
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

USUAL_ROUNDS = 5


class ExtendArgs(ToolArgs):
    rounds: int = Field(USUAL_ROUNDS, ge=1, le=20, description="How many more rounds.")


@tool(kinds={ProcessKind.CHANNEL}, read_only=True, no_background=True, allow_repeat=True, on_demand=True)
async def extend_tool_loop(args: ExtendArgs, ctx: ToolContext) -> str:
    """Add rounds to the turn's own box, up to what a turn may have at all."""
    box = ctx.turn.rounds
    given = box.extend(args.rounds) if box is not None else 0
    if box is None or not given:
        most = f" It may have {box.most} rounds, which it has." if box is not None else ""
        raise ToolError(f"This turn gets no more rounds.{most} Answer with what you have.")
    ctx.effects.add(ExtendedRounds(given))
    less = f", which is all it can have, not {args.rounds} more" if given < args.rounds else ""
    return f"{given} more rounds: this turn may have {box.limit} in all{less}. Its time does not grow with them."
