"""Write a context to a file: the one that `context` shows."""

from __future__ import annotations

from bot.cortex.commands.context import ContextArgs, named_context, read_context_args
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _export(talk: SessionContext, args: ContextArgs, context: CommandSources) -> ThreadReply:
    return await context.views.export(talk, await named_context(talk, args, context))


async def _markdown(talk: SessionContext, args: ContextArgs, context: CommandSources) -> ThreadReply:
    return await context.views.export(talk, await named_context(talk, args, context), as_markdown=True)


EXPORT = CortexCommand(
    "commands.export",
    PageCommand("export markdown", read_context_args, "commands.title-export", _markdown),
    PageCommand("export", read_context_args, "commands.title-export", _export),
)
