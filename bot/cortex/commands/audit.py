"""Show what was done and read, and offer to take back what was done."""

from __future__ import annotations

from collections.abc import Sequence

from bot.cortex.commands.command_arguments import CommandArgs, HandleArgs, handle, no_arguments
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.words.audit_lines import audit_line
from bot.domain.access import Authority, Caller
from bot.domain.finding import AuditRow
from bot.domain.handles import HandleKind, parse_handle
from bot.errors import UserError
from bot.ports.governance import AuditTrail
from bot.sentences import say

_MAX_AUDIT_ROWS = 20


async def audited_rows(audit: AuditTrail, caller: Caller, limit: int) -> tuple[Sequence[AuditRow], bool]:
    """Return the newest entries that somebody may see, and whether those are everybody's or their own."""
    everyone = caller.authority is Authority.OWNER
    return await audit.newest(None if everyone else caller.person, limit), everyone


async def _audit(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    rows, everyone = await audited_rows(context.store.audit, talk.caller, _MAX_AUDIT_ROWS)
    head = say("commands.entries-by-all" if everyone else "commands.entries-by-you", count=len(rows))
    return ThreadReply("\n".join((head, *(audit_line(row) for row in rows))))


async def _undo(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    parsed = parse_handle(args.handle)
    row = await context.store.audit.by_handle(parsed) if parsed else None
    if row is None or (row.body.platform, row.body.actor) != talk.caller.person:
        raise UserError(say("fixes.nothing-to-undo"))
    return await context.offering.offer_undo(talk.session, row)


async def _undo_newest(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    for row in await context.store.audit.newest(talk.caller.person, _MAX_AUDIT_ROWS):
        if row.body.undo is not None and not row.undone_by and not row.body.action.startswith("undo"):
            return await context.offering.offer_undo(talk.session, row)
    raise UserError(say("commands.nothing-to-undo"))


async def _send_again(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.offering.send_again(talk.session, talk.target, args.handle)


AUDIT = CortexCommand(
    "commands.undo",
    PageCommand("undo", no_arguments, "commands.title-undo", _undo_newest),
    PageCommand("undo", handle(HandleKind.AUDIT), "commands.title-undo", _undo),
    # what was left out of requests has no row of the audit: the bot did it by itself
    PageCommand(
        "undo", handle(HandleKind.INBOUND, HandleKind.TURN), "commands.title-show-a-message-again", _send_again
    ),
    PageCommand("audit", no_arguments, "commands.title-audit", _audit),
)
