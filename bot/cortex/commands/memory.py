"""List what is remembered, search it, say who caused it, and offer to forget or restore a memory."""

from __future__ import annotations

import re

from bot.cortex.commands.command import Command, CommandContext, Opening, Page
from bot.cortex.commands.forms import USER, Args, HandleArgs, Typed, handle, nothing, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets import texts
from bot.cortex.targets.talk import Talk
from bot.cortex.targets.targets import key_of
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.memory import Memory
from bot.errors import UserError

_USER = re.compile(USER)
_NAMED = handle(HandleKind.MEMORY)


class SearchArgs(Args):
    """Words that stand in a memory."""

    words: str


class PersonArgs(Args):
    """A person: a numeric id, a mention, or a name."""

    user: str


def _words(typed: Typed) -> SearchArgs | None:
    words = typed.rest.strip('"').strip()
    return SearchArgs(words=words) if words else None


def _person(typed: Typed) -> PersonArgs | None:
    return PersonArgs(user=typed.rest) if _USER.fullmatch(typed.rest) else None


async def _listed(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(await context.memories.listed(talk.caller.person, talk.target))


async def _search(talk: Talk, args: SearchArgs, context: CommandContext) -> Said:
    return Said(await context.memories.search(talk.caller.person, talk.target, args.words))


async def _by(talk: Talk, args: PersonArgs, context: CommandContext) -> Said:
    return Said(await context.memories.by(talk.caller.person, talk.target, args.user))


async def _forget(talk: Talk, args: HandleArgs, context: CommandContext) -> Said:
    return await context.offering.forget(talk.session, talk.target, await _memory(talk, args, context))


async def _restore(talk: Talk, args: HandleArgs, context: CommandContext) -> Said:
    return await context.offering.restore(talk.session, talk.target, await _memory(talk, args, context))


async def _memory(talk: Talk, args: HandleArgs, context: CommandContext) -> Memory:
    parsed = parse_handle(args.handle)
    memory = await context.store.memories.by_handle(parsed) if parsed else None
    targets = context.looking.targets
    source = await targets.of(key_of(memory.body.agent, memory.body.channel)) if memory else None
    if memory is None or source is None or not await targets.may_inspect(talk.caller.person, source):
        raise UserError(texts.NO_SUCH_RECORD)
    return memory


MEMORY = Command(
    "`memory list [#name] | search <words> | by <user> | show <id> | forget <id> | restore <id>`",
    Page("memory", nothing, "memory", _listed),
    Page("memory list", place, "memory", _listed),
    Page("memory search", _words, "memory", _search),
    Page("memory by", _person, "memory", _by),
    Opening("memory show", _NAMED),
    Opening("memory history", _NAMED),
    Page("memory forget", _NAMED, "forget a memory", _forget),
    Page("memory restore", _NAMED, "restore a memory", _restore),
    often=True,
)
