"""Say which tools a channel has, for whom, and why others are missing; look at them again; say where the bot is."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, no_arguments, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.fixes.tool_reload import offer_reload
from bot.cortex.targets.session_context import SessionContext


async def _tools(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(context.tools.page(talk.target))


async def _reload(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await offer_reload(context.offering, talk.session, talk.target)


async def _servers(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.servers.page(talk.caller.person))


TOOLS = CortexCommand(
    "commands.tools",
    PageCommand("tools", place, "commands.title-tools", _tools),
    PageCommand("tools reload", no_arguments, "commands.title-tools", _reload),
    PageCommand("servers", no_arguments, "commands.title-servers", _servers),
)
