"""Tell what became of memories and settings, what was remembered at a time, and offer to go back to one."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import USER, CommandArgs, HandleArgs, TypedLine, handle, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.version_pages import RollbackWish
from bot.cortex.targets.moderated import named_memory
from bot.cortex.targets.session_context import SessionContext
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind
from bot.errors import UserError
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.time_words import is_written_as_time, read_time

_ROLLBACK = re.compile(
    rf"(?P<time>\S+(?:\s+\S+){{0,3}}?)(?:\s+by\s+(?P<user>{USER}))?(?:\s+(?P<where>channel|server|here))?",
    re.IGNORECASE,
)


class MemoryTimeArgs(CommandArgs):
    """A time in words."""

    time: str


class RollbackArgs(MemoryTimeArgs):
    """A time in words, whose part (empty: everybody's), and whether everywhere on the server."""

    user: str = ""
    everywhere: bool = False


def _time(typed: TypedLine) -> MemoryTimeArgs | None:
    rest, _, last = typed.rest.rpartition(" ")
    if rest and is_place(last) and not last[0].isdigit():
        return MemoryTimeArgs(time=rest, where=last.strip('"')) if is_written_as_time(rest) else None
    return MemoryTimeArgs(time=typed.rest) if is_written_as_time(typed.rest) else None


def _rollback(typed: TypedLine) -> RollbackArgs | None:
    found = _ROLLBACK.fullmatch(typed.rest)
    if found is None or not is_written_as_time(found["time"]):
        return None
    everywhere = (found["where"] or "").lower() == "server"
    return RollbackArgs(time=found["time"], user=found["user"] or "", everywhere=everywhere)


def _at(args: MemoryTimeArgs, context: CommandSources) -> int:
    at = read_time(args.time, context.clock.now())
    if at is None:
        raise UserError(say("commands.no-time", words=quote_line(args.time, 40)))
    return at


async def _history(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    memories, targets, person = context.store.memories, context.looking.targets, talk.caller.person
    memory, source = await named_memory(memories, targets, person, args.handle, AccessRight.AUDIT)
    return ThreadReply(await context.versions.history(person, memory, source))


async def _diff(talk: SessionContext, args: MemoryTimeArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.versions.diff(talk.caller.person, talk.target, _at(args, context)))


async def _as_of(talk: SessionContext, args: MemoryTimeArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.versions.as_of(talk.caller.person, talk.target, _at(args, context)))


async def _roll_back(talk: SessionContext, args: RollbackArgs, context: CommandSources) -> ThreadReply:
    wanted = RollbackWish(_at(args, context), args.user, args.everywhere)
    return await context.versions.rollback(talk, wanted)


_MEMORY = handle(HandleKind.MEMORY)
MEMORY_HISTORY = CortexCommand(
    "commands.memory-history",
    PageCommand(
        "memory history",
        handle(HandleKind.MEMORY),
        "commands.title-what-became-of-a-memory",
        _history,
        right=AccessRight.AUDIT,
    ),
    PageCommand("memory diff", _time, "commands.title-what-has-changed", _diff, right=AccessRight.AUDIT),
    PageCommand("memory as-of", _time, "commands.title-what-was-remembered", _as_of, right=AccessRight.AUDIT),
    PageCommand("memory rollback", _rollback, "commands.title-go-back", _roll_back),
)
