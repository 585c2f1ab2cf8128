"""Show what the models have used for a channel, and what it cost."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _usage(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.views.usage(talk))


USAGE = CortexCommand(
    "commands.usage",
    PageCommand("usage", place, "commands.title-usage", _usage),
)
