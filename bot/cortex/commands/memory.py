"""List what is remembered, search it, say who caused it, and offer to forget or restore a memory."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import USER, CommandArgs, HandleArgs, TypedLine, handle, no_arguments, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand, RecordCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import key_of
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.ids import UserId
from bot.domain.memory import Memory
from bot.errors import UserError

_USER = re.compile(USER)
_FORGET_BY = re.compile(rf"by\s+(?P<user>{USER})(?:\s+(?P<count>\d{{1,4}})\s*(?P<unit>h|d)[a-z]*)?", re.IGNORECASE)
_UNITS_MS = {"h": 3_600_000, "d": 86_400_000}
_MEMORY_HANDLE = handle(HandleKind.MEMORY)


class MemorySearchArgs(CommandArgs):
    """Words that stand in a memory."""

    words: str


class MemoryPersonArgs(CommandArgs):
    """A person: a numeric id, a mention, or a name."""

    user: str


class ForgetByArgs(MemoryPersonArgs):
    """A person by numeric id or mention, and for how long back (0: from the beginning)."""

    span_ms: int = 0


def _by_in_time(typed: TypedLine) -> ForgetByArgs | None:
    found = _FORGET_BY.fullmatch(typed.rest)
    if found is None:
        return None
    span = int(found["count"]) * _UNITS_MS[found["unit"].casefold()] if found["count"] else 0
    return ForgetByArgs(user=found["user"], span_ms=span)


def _words(typed: TypedLine) -> MemorySearchArgs | None:
    words = typed.rest.strip('"').strip()
    return MemorySearchArgs(words=words) if words else None


def _person(typed: TypedLine) -> MemoryPersonArgs | None:
    return MemoryPersonArgs(user=typed.rest) if _USER.fullmatch(typed.rest) else None


async def _listed(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.memories.listed(talk.caller.person, talk.target))


async def _search(talk: SessionContext, args: MemorySearchArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.memories.search(talk.caller.person, talk.target, args.words))


async def _by(talk: SessionContext, args: MemoryPersonArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.memories.by(talk.caller.person, talk.target, args.user))


async def _forget(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.offering.forget(talk.session, talk.target, await _memory(talk, args, context))


async def _forget_all(talk: SessionContext, args: ForgetByArgs, context: CommandSources) -> ThreadReply:
    since = context.clock.now() - args.span_ms if args.span_ms else 0
    found = await context.memories.caused_by(talk.target, args.user, since)
    authors = {memory.body.provenance.author for memory in found}
    if len(authors) > 1:
        raise UserError("Several people have that name there: write the numeric id. `memory by <user>` lists theirs.")
    targets, allowed = context.looking.targets, list[Memory]()
    for memory in found:
        source = await targets.of(key_of(memory.body.agent, memory.body.channel))
        if source is not None and await targets.may_inspect(talk.caller.person, source):
            allowed.append(memory)
    user = next(iter(authors), UserId(""))
    return await context.menu.forget_all(talk.session, talk.target, allowed, user, since)


async def _restore(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.offering.restore(talk.session, talk.target, await _memory(talk, args, context))


async def _memory(talk: SessionContext, args: HandleArgs, context: CommandSources) -> Memory:
    parsed = parse_handle(args.handle)
    memory = await context.store.memories.by_handle(parsed) if parsed else None
    targets = context.looking.targets
    source = await targets.of(key_of(memory.body.agent, memory.body.channel)) if memory else None
    if memory is None or source is None or not await targets.may_inspect(talk.caller.person, source):
        raise UserError(texts.NO_SUCH_RECORD)
    return memory


MEMORY = CortexCommand(
    "`memory list [#name] | search <words> | by <user> | show <id> | forget <id> | forget by <user> [24h] | "
    "restore <id>`",
    PageCommand("memory", no_arguments, "memory", _listed),
    PageCommand("memory list", place, "memory", _listed),
    PageCommand("memory search", _words, "memory", _search),
    PageCommand("memory by", _person, "memory", _by),
    RecordCommand("memory show", _MEMORY_HANDLE),
    PageCommand("memory forget", _MEMORY_HANDLE, "forget a memory", _forget),
    PageCommand("memory forget", _by_in_time, "forget memories", _forget_all),
    PageCommand("memory restore", _MEMORY_HANDLE, "restore a memory", _restore),
    often=True,
)
