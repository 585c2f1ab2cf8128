"""Say which tools a channel has, for whom, and why others are missing."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


async def _tools(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(context.tools.page(talk.target))


TOOLS = Command(
    "`tools [#name]` which tools are offered there, for whom, and why others are not",
    Page("tools", place, "tools", _tools),
)
