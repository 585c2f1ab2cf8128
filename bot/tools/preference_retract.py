"""Take a preference back at the wish of whoever has it."""

from __future__ import annotations

from pydantic import Field

from bot.context.asked_for import is_spoken_of
from bot.context.whose_words import whose_words
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.memory import Memory, MemoryType, RelationKind
from bot.errors import ToolError
from bot.ports.memories import MemoryStore
from bot.tools.preference_revise import own_preference
from bot.tools.runtime.effects import RetractedPreference
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class RetractArgs(ToolArgs):
    memory: str = Field(min_length=5, max_length=8, description="The preference, like m27d4.")


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH}, no_background=True, on_demand=True)
async def preference_retract(args: RetractArgs, ctx: ToolContext, memories: MemoryStore) -> str:
    """Stage that a preference is forgotten when the turn ends, with the older ones that it had taken the place of.

    Only what people themselves speak of in this turn: nothing that they read may take away what they like.
    """
    kept = await own_preference(args.memory, ctx, memories)
    words = whose_words(ctx.turn.snapshot, ctx.caller.person.user_id, ctx.origin.rows)
    if not is_spoken_of(f"{args.memory} {kept.body.content}", words, (ctx.caller.name, ctx.caller.person.user_id)):
        raise ToolError(
            f"Not taken back: {ctx.caller.name} did not speak of it. Ask them, and name in your question what you "
            "would take back; once they say yes, call this again."
        )
    for one in (kept, *await _replaced(kept, ctx, memories)):
        effect = RetractedPreference(one.id, one.version)
        if effect not in ctx.effects.of(RetractedPreference):
            ctx.effects.add(effect)
    return f"{handle(HandleKind.MEMORY, kept.id)} will be forgotten when this turn ends. Admins can bring it back."


async def _replaced(kept: Memory, ctx: ToolContext, memories: MemoryStore) -> list[Memory]:
    """Return the older preferences that one has replaced: without it they would hold again."""
    found: dict[int, Memory] = {kept.id: kept}
    newest = [kept.id]
    while newest:
        edges = await memories.edges(newest, ctx.reach)
        older = [edge.target for edge in edges if edge.kind is RelationKind.UPDATES and edge.source in newest]
        some = await memories.several([row for row in dict.fromkeys(older) if row not in found])
        mine = [m for m in some if m.body.type is MemoryType.PREFERENCE and not m.forgotten_at]
        mine = [m for m in mine if m.body.provenance.author == kept.body.provenance.author]
        found.update({one.id: one for one in mine})
        newest = [one.id for one in mine]
    return list(found.values())[1:]
