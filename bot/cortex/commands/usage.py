"""Show what the models have used for a channel, and what it cost."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


async def _usage(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(await context.views.usage(talk))


USAGE = Command(
    "`usage [#name]` what the models have used, and what it cost",
    Page("usage", place, "usage", _usage),
)
