"""Say where some words, as they were typed, stand in what the model was told last and would be told next."""

from __future__ import annotations

import re

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, Typed, is_place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk
from bot.domain.handles import parse_handle

_QUOTED = re.compile(r"\"([^\"]+)\"(?:\s+(\S+))?")


class FindArgs(Args):
    """The words that are looked for."""

    text: str


def _quoted(typed: Typed) -> FindArgs | None:
    found = _QUOTED.fullmatch(typed.rest)
    if found is None or (found[2] and not is_place(found[2]) and not parse_handle(found[2])):
        return None
    # what is looked for is what somebody's phone wrote
    return FindArgs(text=typed.verbatim[found.start(1) : found.end(1)], where=found[2] or "")


async def _find(talk: Talk, args: FindArgs, context: CommandContext) -> Said:
    return await context.tracing.find(talk, args.text)


FIND = Command(
    '`find "<text>" [#name]` where a phrase stands, and which template, memory, message, file or key it comes from',
    Page("find", _quoted, "where it stands", _find),
)
