"""Propose to forget something; people decide."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.memory import Memory
from bot.errors import ToolError
from bot.ports.memories import MemoryStore
from bot.tools.runtime.effects import ProposedForgetting
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_PROPOSALS = 5
"""How many deletions may be proposed in one turn."""


class DeleteArgs(ToolArgs):
    """What to forget, and why."""

    memory: str = Field(min_length=5, max_length=8, description="The memory's name, like m27d4.")
    reason: str = Field(min_length=1, max_length=300, description="Why it should be forgotten.")


@tool(kinds={ProcessKind.BRANCH, ProcessKind.CORTEX})
async def memory_delete(args: DeleteArgs, ctx: ToolContext, memories: MemoryStore) -> str:
    """Stage a proposal; it goes to those who may decide when the turn ends. Nothing is forgotten here."""
    memory = await _seen(args.memory, ctx, memories)
    name, proposed = handle(HandleKind.MEMORY, memory.id), ctx.effects.of(ProposedForgetting)
    if any(earlier.memory == memory.id for earlier in proposed):
        return f"That {name} be forgotten is proposed already."
    if len(proposed) >= MAX_PROPOSALS:
        raise ToolError(
            f"{MAX_PROPOSALS} proposals are made already, as many as one branch may make. Name the rest instead."
        )
    ctx.effects.add(ProposedForgetting(memory.id, memory.version, args.reason))
    return f"It will be proposed to the admins, in private, that {name} be forgotten. Until one confirms, it stays."


async def _seen(name: str, ctx: ToolContext, memories: MemoryStore) -> Memory:
    parsed = parse_handle(name)
    if parsed is None or parsed.kind is not HandleKind.MEMORY:
        raise ToolError(f'"{name}" is no name of a memory. `memory_recall` shows them, like m27d4.')
    found = await memories.find(ctx.reach, parsed)
    if found is None:
        raise ToolError(f"{name} is no memory of this channel, or is forgotten. `memory_recall` lists what there is.")
    return found
