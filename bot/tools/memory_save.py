"""Remember something about this channel."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.directive import silencing
from bot.domain.ids import UserId
from bot.domain.memory import MemoryType, Provenance
from bot.domain.messages import AuthorKind
from bot.memory.write import Cause, MemoryRules, Wish, check_daily_limit, draft
from bot.ports.clock import Clock
from bot.ports.memories import Memories
from bot.tools.effects import Remembered
from bot.tools.tool import Args, ToolContext, tool

TypeName = Literal["identity", "goal", "human", "decision", "todo", "preference", "fact", "event", "observation"]


class SaveArgs(Args):
    """What to remember."""

    content: str = Field(
        min_length=1,
        max_length=10_000,
        description="One or two sentences that stand on their own, with the names of the people they are about.",
    )
    type: TypeName = Field(description="What kind of thing it is; it decides how important it is unless you say so.")
    importance: float | None = Field(None, ge=0, le=1, description="0 to 1; leave it out for the usual of the type.")


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH})
async def memory_save(args: SaveArgs, ctx: ToolContext, memories: Memories, rules: MemoryRules, clock: Clock) -> str:
    """Stage a memory; it is stored when the turn ends, together with everything else that the turn did."""
    cause = Cause(ctx.origin.key, ctx.caller, _provenance(ctx), people(ctx), clock.now())
    staged = ctx.effects.of(Remembered)
    await check_daily_limit(memories, rules, cause, len(staged))
    memory = draft(Wish(args.content, MemoryType(args.type), args.importance), cause, rules)
    if any(earlier.memory.content == memory.content for earlier in staged):
        return "This is remembered already; nothing was added."
    silences = silencing(memory.content, cause.people.values())
    ctx.effects.add(Remembered(memory, silences))
    told = " The admins are told, because it asks you to be silent." if silences else ""
    return f"It will be remembered in this channel when this turn ends, with importance {memory.importance:.2f}.{told}"


def people(ctx: ToolContext) -> dict[UserId, str]:
    """Return everybody who speaks in the conversation, newest name last."""
    inputs = ctx.turn.snapshot.inputs
    authors = [message.author for message in (*inputs.state.history, *inputs.trigger.messages) if message.author]
    return {author.user_id: author.name for author in authors if author.kind is not AuthorKind.SELF}


def _provenance(ctx: ToolContext) -> Provenance:
    return Provenance(
        author=ctx.caller.person.user_id,
        author_name=ctx.caller.name,
        inbound=ctx.origin.inbound,
        message_id=ctx.origin.message_id,
        turn=ctx.turn.number,
        process=ctx.turn.kind,
        model=str(ctx.turn.snapshot.request.model),
    )
