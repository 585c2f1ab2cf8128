"""Show what was done and read, and offer to take back what was done."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, HandleArgs, handle, nothing
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.records import audit_line
from bot.cortex.targets.talk import Talk
from bot.domain.access import Authority
from bot.domain.handles import HandleKind, parse_handle
from bot.errors import UserError

_AUDITED = 20


async def _audit(talk: Talk, args: Args, context: CommandContext) -> Said:
    everyone = talk.caller.authority is Authority.OWNER
    rows = await context.store.audit.newest(None if everyone else talk.caller.person, _AUDITED)
    whose = "by everybody" if everyone else "by you"
    return Said("\n".join((f"The newest {len(rows)} entries {whose} (UTC)", *(audit_line(row) for row in rows))))


async def _undo(talk: Talk, args: HandleArgs, context: CommandContext) -> Said:
    parsed = parse_handle(args.handle)
    row = await context.store.audit.by_handle(parsed) if parsed else None
    if row is None or (row.body.platform, row.body.actor) != talk.caller.person:
        raise UserError("There is nothing of yours to undo there.")
    return await context.offering.offer_undo(talk.session, row)


async def _undo_newest(talk: Talk, args: Args, context: CommandContext) -> Said:
    for row in await context.store.audit.newest(talk.caller.person, _AUDITED):
        if row.body.undo is not None and not row.undone_by and not row.body.action.startswith("undo"):
            return await context.offering.offer_undo(talk.session, row)
    raise UserError("There is nothing to undo.")


async def _send_again(talk: Talk, args: HandleArgs, context: CommandContext) -> Said:
    return await context.offering.send_again(talk.session, talk.target, args.handle)


AUDIT = Command(
    "`undo [<id>]` take back what was done · `audit` what was done",
    Page("undo", nothing, "undo", _undo_newest),
    Page("undo", handle(HandleKind.AUDIT), "undo", _undo),
    # what was left out of requests has no row of the audit: the bot did it by itself
    Page("undo", handle(HandleKind.INBOUND, HandleKind.TURN), "show a message again", _send_again),
    Page("audit", nothing, "audit", _audit),
)
