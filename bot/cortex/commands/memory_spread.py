"""Show what came of a memory, of what somebody had remembered, or of all that was remembered lately."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import USER, CommandArgs, TypedLine, handle
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.memory_spread_page import SpreadMode, SpreadSubject
from bot.cortex.targets.session_context import SessionContext
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind
from bot.errors import UserError
from bot.sentences import say

_SPAN = r"(?P<count>\d{1,4})\s*(?P<unit>m|h|d)[a-z]*"
_BY = re.compile(rf"by\s+(?P<user>{USER})(?:\s+(?:since\s+)?{_SPAN})?", re.IGNORECASE)
_SINCE = re.compile(rf"since\s+{_SPAN}", re.IGNORECASE)
_DRAWN = re.compile(r"(?P<rest>(?!by\s+chart$).*\S)\s+chart", re.IGNORECASE)
_MEMORY = handle(HandleKind.MEMORY)
_UNITS_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
_TITLE = "commands.title-what-came-of-it"


class SpreadArgs(CommandArgs):
    """Of whose memories, for how long back (0: from the beginning); an empty `user` is everybody.

    Of one alone where its `handle` is there. `draws`: as a picture, too.
    """

    handle: str = ""
    user: str = ""
    span_ms: int = 0
    draws: bool = False


def _span(found: re.Match[str]) -> int:
    return int(found["count"]) * _UNITS_MS[found["unit"].casefold()] if found["count"] else 0


def _one(typed: TypedLine) -> SpreadArgs | None:
    rest, draws = _without_chart(typed.rest)
    found = _MEMORY(typed._replace(rest=rest))
    return SpreadArgs(handle=found.handle, draws=draws) if found else None


def _by(typed: TypedLine) -> SpreadArgs | None:
    rest, draws = _without_chart(typed.rest)
    found = _BY.fullmatch(rest)
    return SpreadArgs(user=found["user"], span_ms=_span(found), draws=draws) if found else None


def _since(typed: TypedLine) -> SpreadArgs | None:
    rest, draws = _without_chart(typed.rest)
    found = _SINCE.fullmatch(rest)
    return SpreadArgs(span_ms=_span(found), draws=draws) if found else None


def _without_chart(rest: str) -> tuple[str, bool]:
    """Take the word off that asks for a picture; somebody may be called so."""
    found = _DRAWN.fullmatch(rest)
    return (found["rest"], True) if found else (rest, False)


async def _of_one(talk: SessionContext, args: SpreadArgs, context: CommandSources) -> ThreadReply:
    return await context.spreads.of_one(talk, args.handle, draws=args.draws)


async def _of_person(talk: SessionContext, args: SpreadArgs, context: CommandSources) -> ThreadReply:
    since = context.clock.now() - args.span_ms if args.span_ms else 0
    found = await context.memories.caused_by(talk.target, args.user, since)
    allowed = await context.spreads.allowed(talk.caller, found)
    if len({memory.body.provenance.author for memory in allowed}) > 1:
        raise UserError(say("commands.several-people"))
    if not allowed:
        raise UserError(say("commands.nothing-in-that-time"))
    return await context.spreads.counts(talk, SpreadSubject(SpreadMode.PERSON, allowed), draws=args.draws)


async def _of_time(talk: SessionContext, args: SpreadArgs, context: CommandSources) -> ThreadReply:
    return await context.spreads.since(talk, context.clock.now() - args.span_ms, draws=args.draws)


MEMORY_SPREAD = CortexCommand(
    "commands.memory-spread",
    PageCommand("memory spread", _one, _TITLE, _of_one, right=AccessRight.AUDIT),
    PageCommand("memory spread", _by, _TITLE, _of_person, right=AccessRight.AUDIT),
    PageCommand("memory spread", _since, _TITLE, _of_time, right=AccessRight.AUDIT),
)
