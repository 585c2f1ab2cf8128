"""Offer to take one person out of everything that is kept."""

from __future__ import annotations

import re

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, Typed
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk
from bot.domain.ids import UserId

_NUMBER = re.compile(r"<@!?(\d{1,20})>|(\d{1,20})")


class ForgetUserArgs(Args):
    """A person by their numeric id."""

    user: str


def _number(typed: Typed) -> ForgetUserArgs | None:
    found = _NUMBER.fullmatch(typed.rest)
    return ForgetUserArgs(user=found[1] or found[2]) if found else None


async def _forget(talk: Talk, args: ForgetUserArgs, context: CommandContext) -> Said:
    return await context.privacy.forget_user(talk, UserId(args.user))


FORGET_USER = Command(
    "`forget user <id>` take one person out of everything that is kept, for good",
    Page("forget user", _number, "forget a person", _forget),
)
