"""Say how much of the last request, or of the one that is named, the provider could read from its cache."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, place_or_record
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


async def _cache(talk: Talk, args: Args, context: CommandContext) -> Said:
    return await context.tracing.cache(talk)


CACHE = Command(
    "`cache [#name]` what the provider could read from its cache, and what broke it",
    Page("cache", place_or_record, "cache", _cache),
)
