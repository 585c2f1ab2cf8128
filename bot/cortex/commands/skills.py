"""List the skills with their files, what is on in a channel, and what is left out and why."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


async def _skills(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(await context.skills.page(talk.target))


SKILLS = CortexCommand(
    "commands.skills",
    PageCommand("skills", place, "commands.title-cortex", _skills),
)
