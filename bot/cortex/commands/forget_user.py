"""Offer to take one person out of everything that is kept."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.domain.ids import UserId

_NUMBER = re.compile(r"<@!?(\d{1,20})>|(\d{1,20})")


class ForgetUserArgs(CommandArgs):
    """A person by their numeric id."""

    user: str


def _number(typed: TypedLine) -> ForgetUserArgs | None:
    found = _NUMBER.fullmatch(typed.rest)
    return ForgetUserArgs(user=found[1] or found[2]) if found else None


async def _forget(talk: SessionContext, args: ForgetUserArgs, context: CommandSources) -> ThreadReply:
    return await context.privacy.forget_user(talk, UserId(args.user))


FORGET_USER = CortexCommand(
    "commands.forget-user",
    PageCommand("forget user", _number, "commands.title-forget-a-person", _forget),
)
