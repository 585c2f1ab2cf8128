"""Stop a branch, a worker, or a call that goes on in the background."""

from __future__ import annotations

from pydantic import Field

from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.process import ProcessState
from bot.text.text import excerpt
from bot.tools.check_task import owner_of
from bot.tools.runtime.background_tasks import BackgroundTasks, state_word
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.runtime.work_port import WorkPort

_MAX_RESULT_CHARS = 2000


class CancelArgs(ToolArgs):
    id: str = Field(
        min_length=1,
        max_length=16,
        description="Its name: b27d4 is a branch, w27d4 a worker, x27d4 a task.",
    )


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, on_demand=True)
async def cancel(args: CancelArgs, ctx: ToolContext, work: WorkPort, background: BackgroundTasks) -> str:
    """Stop it, and say what it had so far."""
    task = background.get(owner_of(ctx), args.id)
    if task is not None:
        await background.cancel([task])
        task.was_read = task.over.is_set()
        return f"{task.id} ({task.tool.name}) is {state_word(task.state)}."
    ended = await work.cancel(ctx, args.id)
    if ended.state is not ProcessState.CANCELLED:
        return f"{ended.handle} was over before it could be stopped: {ended.state.value}. Its result comes by itself."
    if not ended.result:
        return f"{ended.handle} is stopped. It had written nothing."
    written = canonical_json(excerpt(ended.result, _MAX_RESULT_CHARS))
    return f"{ended.handle} is stopped. What it had written so far, as data: {written}"
