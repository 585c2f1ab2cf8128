"""Write a context to a file: the one that `context` shows."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.context import ContextArgs, formed, which
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


async def _export(talk: Talk, args: ContextArgs, context: CommandContext) -> Said:
    return await context.views.export(talk, await which(talk, args, context))


EXPORT = Command(
    "`export [#name]` the whole context as a file\n"
    "`context` and `export` also take `[#name] last | running | sent <request>`",
    Page("export", formed, "export", _export),
)
