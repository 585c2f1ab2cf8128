"""List the recorded turns that are kept as checks, keep another one, or no longer."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, HandleArgs, handle, place, place_or_record
from bot.cortex.commands.context import ContextArgs, named_context
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.proving.single_replay import WantedReplay
from bot.cortex.targets.session_context import SessionContext
from bot.domain.handles import HandleKind
from bot.errors import UserError
from bot.prompts import render

_REQUEST = handle(HandleKind.REQUEST)


async def _listed(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.checks.listed(talk)


async def _keep(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    row = await named_context(talk, ContextArgs(where=args.where, last=True), context)
    if not isinstance(row, int):
        recent = await context.store.journal.recent_requests(talk.target.key, 1)
        row = recent[0].id if recent else 0
    if not row:
        raise UserError(render("replay/bundle", kind="which"))
    return await context.checks.ask_what_is_right(talk, row)


async def _drop(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.checks.drop(talk, args.handle)


async def _run(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    check = await context.checks.named(talk, args.handle)
    await context.proving.check(talk.target)
    return await context.proving.single.offer(talk, check.request, WantedReplay(expected=check.expected))


CHECKS = CortexCommand(
    "commands.checks",
    PageCommand("checks", place, "commands.title-checks", _listed),
    PageCommand("checks keep", place_or_record, "commands.title-a-check", _keep),
    PageCommand("checks run", _REQUEST, "commands.title-a-check", _run),
    PageCommand("checks drop", _REQUEST, "commands.title-checks", _drop),
)
