"""Stop a branch or a worker."""

from __future__ import annotations

from pydantic import Field

from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.process import ProcessState
from bot.domain.text import excerpt
from bot.tools.tool import Args, ToolContext, tool
from bot.tools.work import Work

_SHOWN = 2000


class CancelArgs(Args):
    """Which one."""

    id: str = Field(min_length=1, max_length=16, description="Its name, like b27d4 or w27d4, as the status shows it.")


@tool(kinds={ProcessKind.CHANNEL}, no_background=True)
async def cancel(args: CancelArgs, ctx: ToolContext, work: Work) -> str:
    """Stop it, and say what it had so far."""
    ended = await work.cancel(ctx, args.id)
    if ended.state is not ProcessState.CANCELLED:
        return f"{ended.handle} was over before it could be stopped: {ended.state.value}. Its result comes by itself."
    if not ended.result:
        return f"{ended.handle} is stopped. It had written nothing."
    written = canonical_json(excerpt(ended.result, _SHOWN))
    return f"{ended.handle} is stopped. What it had written so far, as data: {written}"
