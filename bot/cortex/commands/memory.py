"""List what is remembered, search it, say who caused it, and offer to forget or restore a memory."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import USER, CommandArgs, HandleArgs, TypedLine, handle
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand, RecordCommand
from bot.cortex.commands.memory_filters import MemoryListArgs, memory_by, memory_list, memory_search
from bot.cortex.commands.memory_propose import MEMORY_PROPOSE, named_memories
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.moderated import named_memory
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import key_of
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind
from bot.domain.ids import UserId
from bot.domain.memory import Memory
from bot.errors import UserError
from bot.sentences import say

_FORGET_BY = re.compile(rf"by\s+(?P<user>{USER})(?:\s+(?P<count>\d{{1,4}})\s*(?P<unit>h|d)[a-z]*)?", re.IGNORECASE)
_UNITS_MS = {"h": 3_600_000, "d": 86_400_000}
_MEMORY_HANDLE = handle(HandleKind.MEMORY)


class RecallWordsArgs(CommandArgs):
    """Words to look for, as a conversation would."""

    words: str


class MergeArgs(HandleArgs):
    """Memories that say the same; the first one stays."""

    others: tuple[str, ...] = ()


class ForgetByArgs(CommandArgs):
    """A person by numeric id, mention or name, and for how long back (0: from the beginning)."""

    user: str
    span_ms: int = 0


def _by_in_time(typed: TypedLine) -> ForgetByArgs | None:
    found = _FORGET_BY.fullmatch(typed.rest)
    if found is None:
        return None
    span = int(found["count"]) * _UNITS_MS[found["unit"].casefold()] if found["count"] else 0
    return ForgetByArgs(user=found["user"], span_ms=span)


def _words(typed: TypedLine) -> RecallWordsArgs | None:
    words = typed.rest.strip().strip('"')
    return RecallWordsArgs(words=words) if words else None


def _all(typed: TypedLine) -> MemoryListArgs | None:
    return MemoryListArgs() if not typed.rest else None


async def _listed(talk: SessionContext, args: MemoryListArgs, context: CommandSources) -> ThreadReply:
    return await context.memories.listed(talk, args.query)


async def _recalled(talk: SessionContext, args: RecallWordsArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.memory_recall.page(talk, args.words))


async def _forget(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.offering.forget(talk.session, talk.target, await _memory(talk, args, context))


async def _forget_all(talk: SessionContext, args: ForgetByArgs, context: CommandSources) -> ThreadReply:
    since = context.clock.now() - args.span_ms if args.span_ms else 0
    found = await context.memories.caused_by(talk.target, args.user, since)
    authors = {memory.body.provenance.author for memory in found}
    if len(authors) > 1:
        raise UserError(say("commands.several-people"))
    targets, allowed = context.looking.targets, list[Memory]()
    for memory in found:
        source = await targets.of(key_of(memory.body.agent, memory.body.channel))
        if source is not None and await targets.may_inspect(talk.caller.person, source):
            allowed.append(memory)
    user = next(iter(authors), UserId(""))
    return await context.menu.forget_all(talk.session, talk.target, allowed, user, since)


def _several(typed: TypedLine) -> MergeArgs | None:
    first, *others = named_memories(typed.rest) or ("",)
    return MergeArgs(handle=first, others=tuple(others)) if others else None


async def _merge(talk: SessionContext, args: MergeArgs, context: CommandSources) -> ThreadReply:
    names = (args.handle, *args.others)
    found = [await _memory(talk, args.replace(handle=name), context) for name in names]
    return await context.offering.merge(talk.session, talk.target, found)


async def _restore(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.offering.restore(talk.session, talk.target, await _memory(talk, args, context))


async def _memory(talk: SessionContext, args: HandleArgs, context: CommandSources) -> Memory:
    memories, targets, person = context.store.memories, context.looking.targets, talk.caller.person
    return (await named_memory(memories, targets, person, args.handle, AccessRight.INSPECT))[0]


MEMORY = CortexCommand(
    "commands.memory",
    PageCommand("memory", _all, "commands.title-memory", _listed, right=AccessRight.AUDIT),
    PageCommand("memory list", memory_list, "commands.title-memory", _listed, right=AccessRight.AUDIT),
    PageCommand("memory search", memory_search, "commands.title-memory", _listed, right=AccessRight.AUDIT),
    PageCommand("memory recall", _words, "commands.title-memory", _recalled),
    PageCommand("memory by", memory_by, "commands.title-memory", _listed, right=AccessRight.AUDIT),
    RecordCommand("memory show", _MEMORY_HANDLE),
    MEMORY_PROPOSE,
    PageCommand("memory forget", _MEMORY_HANDLE, "commands.title-forget-a-memory", _forget),
    PageCommand("memory forget", _by_in_time, "commands.title-forget-memories", _forget_all),
    PageCommand("memory merge", _several, "commands.title-merge-memories", _merge),
    PageCommand("memory restore", _MEMORY_HANDLE, "commands.title-restore-a-memory", _restore),
    often=True,
)
