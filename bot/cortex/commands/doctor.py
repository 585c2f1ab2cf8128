"""Probe everything that can be probed."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.doctor import examination
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext

_PUBLIC_NAME = re.compile(r"@[a-z]\w{3,31}", re.ASCII | re.IGNORECASE)


def _place(typed: TypedLine) -> CommandArgs | None:
    """Read a place, and a public name too: a chat that nothing ever came from has no other on some platforms."""
    return CommandArgs(where=typed.rest) if _PUBLIC_NAME.fullmatch(typed.rest) else place(typed)


async def _doctor(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(examination.as_text(await examination.examine(context.patients, talk.target.key.channel)))


DOCTOR = CortexCommand(
    "commands.doctor",
    PageCommand("doctor", _place, "commands.title-doctor", _doctor, unheard="targets.not-shown"),
    often=True,
)
