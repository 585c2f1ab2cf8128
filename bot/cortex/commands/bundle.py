"""Write a request, or a proof with its runs, into a file that anybody can check."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place_or_record
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _bundle(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.bundles.bundle(talk)


BUNDLE = CortexCommand(
    "commands.bundle",
    PageCommand("bundle", place_or_record, "commands.title-replay-bundle", _bundle),
)
