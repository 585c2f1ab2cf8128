"""Put what somebody likes now in the place of what they liked before."""

from __future__ import annotations

from pydantic import Field

from bot.context.origin_tracer import WordOriginTracer
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.memory import Memory, MemoryType
from bot.errors import ToolError
from bot.memory.write import MemoryRules
from bot.ports.clock import Clock
from bot.ports.memories import MemoryStore
from bot.tools.memory_save import RelationArg, SaveArgs, memory_save
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class ReviseArgs(ToolArgs):
    memory: str = Field(min_length=5, max_length=8, description="The preference that holds no longer, like m27d4.")
    content: str = Field(min_length=1, max_length=10_000, description="What holds now, with whose preference it is.")


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH}, no_background=True, on_demand=True)
async def preference_revise(
    args: ReviseArgs,
    ctx: ToolContext,
    memories: MemoryStore,
    rules: MemoryRules,
    tracer: WordOriginTracer,
    clock: Clock,
) -> str:
    """Stage the new preference as an update of the old one, which stays on record."""
    await own_preference(args.memory, ctx, memories)
    update = RelationArg(kind="updates", memory=args.memory, weight=1.0)
    wish = SaveArgs(content=args.content, type="preference", importance=None, relations=(update,))
    return str(await memory_save.run(wish, ctx, memories, rules, tracer, clock))


async def own_preference(name: str, ctx: ToolContext, memories: MemoryStore) -> Memory:
    """Return a preference that the caller may change: their own, or as an admin anybody's; raise ToolError."""
    parsed = parse_handle(name)
    is_memory = parsed is not None and parsed.kind is HandleKind.MEMORY
    found = await memories.find(ctx.reach, parsed) if parsed and is_memory else None
    if found is None:
        raise ToolError(f"{name} is no memory of this channel, or is forgotten. `memory_recall` lists what there is.")
    if found.body.type is not MemoryType.PREFERENCE:
        raise ToolError(f"{name} is no preference but a {found.body.type}. Only preferences are changed this way.")
    said = found.body.provenance
    if ctx.caller.authority >= Authority.ADMIN:
        return found
    if said.by_admin or said.author != ctx.caller.person.user_id:
        whose = "an admin" if said.by_admin else "somebody else"
        raise ToolError(f"{name} was said by {whose}, and {ctx.caller.name} may change only preferences of their own.")
    return found
