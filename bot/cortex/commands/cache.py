"""Say how much of the last request, or of the one that is named, the provider could read from its cache."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place_or_record
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _cache(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.tracing.cache(talk)


CACHE = CortexCommand(
    "commands.cache",
    PageCommand("cache", place_or_record, "commands.title-cache", _cache),
)
