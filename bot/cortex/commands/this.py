"""Show the request behind the message that was replied to, or that is named."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, place_or_record
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


async def _this(talk: Talk, args: Args, context: CommandContext) -> Said:
    return await context.tracing.this(talk)


THIS = Command(
    "`this` in reply to a message: the request behind it, or why it got no answer",
    Page("this", place_or_record, "what is behind it", _this),
)
