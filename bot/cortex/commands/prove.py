"""Offer to prove which part of what a model was told made it decide so: its price first, then a button."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.domain.handles import HandleKind, has_digit, parse_handle

_WORDS = re.compile(r"\"([^\"]{1,80})\"")
_PART = re.compile(r"(?:section|message|tool):[\w.:-]{1,80}", re.IGNORECASE)
_MAX_WORDS = 3


class ProveArgs(CommandArgs):
    """What is to be proven: `part` is the one that is tried first, `words` those of an answer that are in question."""

    part: str = ""
    words: str = ""


def _proof(typed: TypedLine) -> ProveArgs | None:
    """Read a message or a channel, a part, and quoted words, in any order; each at most once."""
    quoted = _WORDS.findall(typed.rest)
    rest = _WORDS.sub(" ", typed.rest).split()
    if len(quoted) > 1 or len(rest) > _MAX_WORDS:
        return None
    where, part = "", ""
    for word in rest:
        found = parse_handle(word)
        if _PART.fullmatch(word) or (found is not None and found.kind is HandleKind.MEMORY):
            if part:
                return None
            part = word
        elif not where and (found is not None or is_place(word)):
            where = word.lower() if found is not None else word
        else:
            return None
    unsure = [one for one in (where, part) if one and parse_handle(one) is not None and not has_digit(one)]
    question = typed.line if unsure else ""
    return ProveArgs(where=where, part=part, words=quoted[0] if quoted else "", question=question)


async def _prove(talk: SessionContext, args: ProveArgs, context: CommandSources) -> ThreadReply:
    return await context.proving.offer(talk, args.part, args.words)


PROVE = CortexCommand(
    "commands.prove",
    PageCommand("prove", _proof, "commands.title-a-proof", _prove),
)
"""A part is a memory by its handle, `section:<name>`, `message:<number>` or `tool:<name>`."""
