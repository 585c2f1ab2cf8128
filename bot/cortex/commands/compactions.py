"""List how the history of a channel was shortened, and offer to let what a compaction took out stand again."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, HandleArgs, handle, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand, RecordCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.fixes.rule_fixes import FixKind
from bot.cortex.targets.session_context import SessionContext
from bot.domain.handles import HandleKind

_COMPACTION_HANDLE = handle(HandleKind.COMPACTION)


async def _listed(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.compactions.listed(talk.session, talk.target)


async def _undo(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    stored, target = await context.compactions.find(talk.caller.person, args.handle)
    return await context.offering.uncompact(talk.session, target, stored.id)


async def _compact(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.offer(FixKind.COMPACT, talk.session, talk.target, talk.caller, 0)


COMPACTIONS = CortexCommand(
    "commands.compactions",
    PageCommand("compact", place, "commands.title-shorten-the-history", _compact),
    RecordCommand("compactions", _COMPACTION_HANDLE),
    RecordCommand("compactions show", _COMPACTION_HANDLE),
    PageCommand("compactions", place, "commands.title-compactions", _listed),
    PageCommand("compactions undo", _COMPACTION_HANDLE, "commands.title-undo-a-compaction", _undo),
)
