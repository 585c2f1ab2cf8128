"""Remember something about this channel."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bot.context.asked_for import NEEDS_ASKING, needs_asking
from bot.context.origin_tracer import WordOriginTracer
from bot.context.transcript import quoted_by, utc
from bot.context.whose_words import WhoseWords, whose_words
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import UserId
from bot.domain.memory import Memory, MemoryProvenance, MemoryType, RelationKind
from bot.domain.messages import AuthorKind
from bot.errors import ToolError
from bot.memory.write import (
    MemoryCause,
    MemoryRules,
    MemoryWish,
    RelationWish,
    check_daily_limit,
    draft,
    find_near,
    resolve_relations,
    same_memory,
    says_same,
)
from bot.mind.fact_links import fact_links
from bot.mind.treatment import treatments
from bot.ports.clock import Clock
from bot.ports.memories import MemoryStore
from bot.text.silencing import silencing
from bot.tools.runtime.effects import ConfirmedMemory, SavedMemory, SuggestedMemory
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

TypeName = Literal["identity", "goal", "human", "decision", "todo", "preference", "fact", "event", "observation"]


class RelationArg(ToolArgs):
    """What the new memory is to an older one."""

    kind: Literal["related_to", "updates", "contradicts", "caused_by", "result_of", "part_of"] = Field(
        description="`updates` puts the new one in its place."
    )
    memory: str = Field(min_length=5, max_length=8, description="Its name, like m27d4.")
    weight: float = Field(1.0, ge=0, le=1)


class SaveArgs(ToolArgs):
    content: str = Field(
        min_length=1,
        max_length=10_000,
        description="One or two sentences that stand on their own.",
    )
    type: TypeName = Field()
    importance: float | None = Field(None, ge=0, le=1, description="Leave it out for the usual of the type.")
    relations: tuple[RelationArg, ...] = Field((), max_length=5, description="What it is to older memories.")


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.CORTEX}, no_background=True)
async def memory_save(
    args: SaveArgs,
    ctx: ToolContext,
    memories: MemoryStore,
    rules: MemoryRules,
    tracer: WordOriginTracer,
    clock: Clock,
) -> str:
    """Stage a memory; it is stored when the turn ends, together with everything else that the turn did."""
    words = whose_words(ctx.turn.snapshot, ctx.caller.person.user_id, ctx.origin.rows)
    origins = tracer.of_saying(args.content, words.asked, ctx.turn.snapshot, ctx.caller.authority)
    provenance = _provenance(ctx).replace(origins=origins if origins.sources else None)
    cause = MemoryCause(ctx.origin.key, ctx.caller, provenance, people(ctx), clock.now())
    wishes = [RelationWish(RelationKind(wish.kind), wish.memory, wish.weight) for wish in args.relations]
    relations = await resolve_relations(memories, ctx.reach, wishes, cause.authority)
    memory = draft(MemoryWish(args.content, MemoryType(args.type), args.importance), cause, rules)
    rules.check_subjects(memory, ctx.caller.person.platform)
    memory = memory.replace(relations=relations)
    _check_asked(memory.content, words, ctx)
    staged = ctx.effects.of(SavedMemory)
    if any(says_same(earlier.memory, memory) for earlier in staged):
        return "This is remembered already; nothing was added."
    near = await find_near(memories, ctx.reach, memory)
    if (old := same_memory(near, memory)) is not None:
        return _confirmed(old, ctx)
    await check_daily_limit(memories, rules, cause, len(staged))
    linked = fact_links(memory, near)
    memory = memory.replace(relations=(*relations, *linked))
    if ctx.turn.kind is ProcessKind.CORTEX:
        # a talk about a channel changes nothing there before the admin has confirmed it
        ctx.effects.add(SuggestedMemory(memory))
        return "It is proposed to the admin: they see it with a button, and nothing is remembered before they press it."
    silences = silencing(memory.content, cause.people.values())
    if cause.authority < Authority.ADMIN:
        memory = memory.replace(treatment=treatments(memory.content, cause.people.values(), ctx.caller.name))
    ctx.effects.add(SavedMemory(memory, silences))
    told = " The admins are told, because it asks you to be silent." if silences else ""
    if memory.treatment and not silences:
        told = f" The admins are told, because of what it says about others: {', '.join(memory.treatment)}."
    count = len(relations)
    told += f" It has {count} relation{'s' * (count != 1)} to older memories." if count else ""
    disputed = [handle(HandleKind.MEMORY, one.target) for one in linked if one.kind is RelationKind.CONTRADICTS]
    told += f" It contradicts {', '.join(disputed)}: both stand until somebody says which is right." if disputed else ""
    return f"It will be remembered in this channel when this turn ends, with importance {memory.importance:.2f}.{told}"


def _check_asked(content: str, words: WhoseWords, ctx: ToolContext) -> None:
    """Raise ToolError where others' words are to be remembered that nobody asked for.

    A branch is a copy of the conversation that sent it out, and is judged by what was asked there. Of a talk with an
    admin nothing is saved before they press a button, and workers save nothing.
    """
    if ctx.turn.kind is ProcessKind.CORTEX:
        return
    if needs_asking(content, words, (ctx.caller.name, ctx.caller.person.user_id)):
        raise ToolError(NEEDS_ASKING)


def _confirmed(old: Memory, ctx: ToolContext) -> str:
    """Note that something is known, once a turn; nobody who only looks counts."""
    name, body = handle(HandleKind.MEMORY, old.id), old.body
    since = f"This was known already: {name}, since {utc(body.created_at)[:10]}"
    if ctx.turn.kind is ProcessKind.CORTEX:
        return f"{since}. Nothing was proposed."
    is_new = all(one.memory != old.id for one in ctx.effects.of(ConfirmedMemory))
    if is_new:
        ctx.effects.add(ConfirmedMemory(old.id))
    return f"{since}. It is confirmed, {body.confirmed + 1} times by now, and nothing was added."


def people(ctx: ToolContext) -> dict[UserId, str]:
    """Return everybody who speaks in the conversation or is quoted in it, newest name last."""
    inputs = ctx.turn.snapshot.inputs
    found: dict[UserId, str] = {}
    for message in (*inputs.state.history, *inputs.trigger.messages):
        if message.author is not None and message.author.kind is not AuthorKind.SELF:
            # who is only quoted never took part, and is somebody all the same
            for one in quoted_by(message):
                if one.user_id:
                    found.setdefault(UserId(one.user_id), one.name)
            found[message.author.user_id] = message.author.name
    return found


def _provenance(ctx: ToolContext) -> MemoryProvenance:
    return MemoryProvenance(
        author=ctx.caller.person.user_id,
        author_name=ctx.caller.name,
        inbound=ctx.origin.inbound,
        message_id=ctx.origin.message_id,
        turn=ctx.turn.number,
        process=ctx.turn.kind,
        model=str(ctx.turn.snapshot.request.model),
    )
