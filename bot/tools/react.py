"""Put a reaction under the message that is being answered."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.ports.delivery import Delivery
from bot.tools.runtime.effects import AddedReaction
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class ReactArgs(ToolArgs):
    emoji: str = Field(min_length=1, max_length=64)


@tool(kinds={ProcessKind.CHANNEL}, no_background=True)
async def react(args: ReactArgs, ctx: ToolContext, delivery: Delivery) -> str:
    """React to the newest message of the trigger, where the platform can."""
    if not ctx.origin.message_id:
        raise ToolError("There is no message to react to.")
    if not delivery.capabilities(ctx.origin.platform).reactions:
        raise ToolError("This platform has no reactions. Answer with words, or not at all.")
    if not await delivery.react(ctx.origin.key.channel, ctx.origin.message_id, args.emoji):
        raise ToolError(f"The platform did not take {args.emoji} as a reaction. A common emoji such as 👍 may work.")
    ctx.effects.add(AddedReaction(args.emoji))
    return f"{args.emoji} stands under the message."
