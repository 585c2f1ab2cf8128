"""List how the history of a channel was shortened, and offer to let what a compaction took out stand again."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Opening, Page
from bot.cortex.commands.forms import Args, HandleArgs, handle, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk
from bot.domain.handles import HandleKind

_NAMED = handle(HandleKind.COMPACTION)


async def _listed(talk: Talk, args: Args, context: CommandContext) -> Said:
    return await context.compactions.listed(talk.session, talk.target)


async def _undo(talk: Talk, args: HandleArgs, context: CommandContext) -> Said:
    stored, target = await context.compactions.find(talk.caller.person, args.handle)
    return await context.offering.uncompact(talk.session, target, stored.id)


COMPACTIONS = Command(
    "`compactions [#name]` how older talk was shortened · `compactions undo <id>`",
    Opening("compactions", _NAMED),
    Opening("compactions show", _NAMED),
    Page("compactions", place, "compactions", _listed),
    Page("compactions undo", _NAMED, "undo a compaction", _undo),
)
