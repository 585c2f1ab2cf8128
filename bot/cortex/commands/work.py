"""List the branches and workers of a channel, and offer to stop one."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, HandleArgs, handle, no_arguments, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand, RecordCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.tool_page import work_page
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.record_access import may_read, of_process
from bot.errors import UserError
from bot.sentences import say

_WORK_HANDLE = handle(HandleKind.BRANCH, HandleKind.WORKER)


async def _listed(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await work_page(context.store.processes, talk.target, context.clock, talk.caller.person))


async def _cancel(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    parsed = parse_handle(args.handle)
    process = await context.store.processes.by_handle(parsed) if parsed else None
    targets = context.looking.targets
    target = await targets.of(process.key) if process else None
    reader = await targets.reader(talk.caller.person, target, *([process.key] if process else []))
    if process is None or target is None or not may_read(reader, of_process(process)):
        raise UserError(say("cortex.no-such-record"))
    return await context.offering.cancel(talk.session, target, process)


WORK = CortexCommand(
    "commands.work",
    RecordCommand("work", _WORK_HANDLE),
    PageCommand("work", place, "commands.title-branches-and-workers", _listed),
    PageCommand("cancel", _WORK_HANDLE, "commands.title-stop-a-piece-of-work", _cancel),
    # without a name: what there is to stop, with its names
    PageCommand("cancel", no_arguments, "commands.title-branches-and-workers", _listed),
)
