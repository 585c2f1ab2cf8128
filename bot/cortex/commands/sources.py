"""Say what an answer was made of: the one that was replied to, that is named, or the newest."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place_or_record
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _sources(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.tracing.sources(talk)


SOURCES = CortexCommand(
    "commands.sources",
    PageCommand("sources", place_or_record, "cortex.made-of", _sources),
)
