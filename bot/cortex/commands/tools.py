"""Say which tools a channel has, for whom, and why others are missing."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _tools(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(context.tools.page(talk.target))


TOOLS = CortexCommand(
    "commands.tools",
    PageCommand("tools", place, "commands.title-tools", _tools),
)
