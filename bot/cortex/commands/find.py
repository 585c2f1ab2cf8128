"""Say where some words, as they were typed, stand in what the model was told last and would be told next."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.domain.access import AccessRight
from bot.domain.handles import parse_handle

_QUOTED = re.compile(r"\"([^\"]+)\"(?:\s+(\S+))?")


class FindArgs(CommandArgs):
    """The words that are looked for."""

    text: str


def _quoted(typed: TypedLine) -> FindArgs | None:
    found = _QUOTED.fullmatch(typed.rest)
    if found is None or (found[2] and not is_place(found[2]) and not parse_handle(found[2])):
        return None
    # what is looked for is what somebody's phone wrote
    return FindArgs(text=typed.verbatim[found.start(1) : found.end(1)], where=found[2] or "")


async def _find(talk: SessionContext, args: FindArgs, context: CommandSources) -> ThreadReply:
    return await context.tracing.find(talk, args.text)


FIND = CortexCommand(
    "commands.find",
    PageCommand("find", _quoted, "commands.title-where-it-stands", _find, right=AccessRight.AUDIT),
)
