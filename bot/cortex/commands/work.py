"""List the branches and workers of a channel, and offer to stop one."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Opening, Page
from bot.cortex.commands.forms import Args, HandleArgs, handle, nothing, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets import texts
from bot.cortex.targets.talk import Talk
from bot.cortex.targets.tool_page import work_page
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.record_access import may_read, of_process
from bot.errors import UserError

_NAMED = handle(HandleKind.BRANCH, HandleKind.WORKER)


async def _listed(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(await work_page(context.store.processes, talk.target, context.clock, talk.caller.person))


async def _cancel(talk: Talk, args: HandleArgs, context: CommandContext) -> Said:
    parsed = parse_handle(args.handle)
    process = await context.store.processes.by_handle(parsed) if parsed else None
    targets = context.looking.targets
    target = await targets.of(process.key) if process else None
    reader = await targets.reader(talk.caller.person, target, *([process.key] if process else []))
    if process is None or target is None or not may_read(reader, of_process(process)):
        raise UserError(texts.NO_SUCH_RECORD)
    return await context.offering.cancel(talk.session, target, process)


WORK = Command(
    "`work [#name]` its branches and workers · `work <id>` what one did · `cancel <id>` stop it",
    Opening("work", _NAMED),
    Page("work", place, "branches and workers", _listed),
    Page("cancel", _NAMED, "stop a piece of work", _cancel),
    # without a name: what there is to stop, with its names
    Page("cancel", nothing, "branches and workers", _listed),
)
