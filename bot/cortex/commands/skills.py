"""List the skills with their files, what is on in a channel, and what is left out and why."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


async def _skills(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(await context.skills.page(talk.target))


SKILLS = Command(
    "`skills [#name]` what can be looked up there, from which file, and what is wrong with the others",
    Page("skills", place, "cortex", _skills),
)
