"""Show the request behind the message that was replied to, that is named, or behind the newest answer."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place, place_or_record
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _this(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.tracing.this(talk)


async def _last(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.tracing.this(talk, newest=True)


THIS = CortexCommand(
    "commands.this",
    PageCommand("this last", place, "commands.title-what-is-behind-it", _last),
    PageCommand("this", place_or_record, "commands.title-what-is-behind-it", _this),
)
