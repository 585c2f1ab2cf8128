"""Read what the model is or was told, in pages: all parts, a section, the history, the tools, what came back."""

from __future__ import annotations

import re

from bot.context.sections import ORDER
from bot.cortex.commands.command_arguments import TypedLine
from bot.cortex.commands.context import ContextArgs, named_context, read_context_args
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.part_reading import WantedReading
from bot.cortex.targets.session_context import SessionContext
from bot.domain.channel import ProcessKind

_SECTIONS = "|".join(section.name for section in ORDER[ProcessKind.CHANNEL])
_PART = re.compile(
    r"(?:section\s+(?P<section>[a-z][\w-]{0,63})|history(?:\s+(?P<first>\d{1,5})(?:\s*-\s*(?P<last>\d{1,5}))?)?"
    r"|tool\s+(?P<tool>[\w.-]{1,64})|(?P<name>tools|memory|answer|" + _SECTIONS + r"))(?=\s|$)",
    re.IGNORECASE,
)
_ALIASES = {"memory": "section:memory_bulletin", "tools": "tools", "answer": "answer"}


class ReadArgs(ContextArgs):
    """Which context, and which part of it: empty for the list of parts."""

    part: str = ""
    first: int = 0
    last_message: int = 0


def read_args(typed: TypedLine) -> ReadArgs | None:
    """Read a part, then which context it is of."""
    found = _PART.match(typed.rest)
    rest = typed.rest[found.end() :].strip() if found else typed.rest
    which = read_context_args(TypedLine(typed.line, rest, typed.verbatim))
    if which is None:
        return None
    first = int(found["first"] or 0) if found else 0
    return ReadArgs(
        where=which.where,
        question=which.question,
        last=which.last,
        running=which.running,
        part=_part(found) if found else "",
        first=first,
        last_message=int(found["last"] or first) if found else 0,
    )


def _part(found: re.Match[str]) -> str:
    if found["section"]:
        return f"section:{found['section'].lower()}"
    if found["tool"]:
        return f"tool:{found['tool']}"
    name = (found["name"] or "history").lower()
    return name if name == "history" else _ALIASES.get(name, f"section:{name}")


async def _read(talk: SessionContext, args: ReadArgs, context: CommandSources) -> ThreadReply:
    which = await named_context(talk, args, context)
    wanted = WantedReading(args.part, args.first, args.last_message)
    return await context.reading.read(talk.session, talk.caller, talk.target, which, wanted)


READ = CortexCommand(
    "commands.read",
    PageCommand("read", read_args, "commands.title-what-the-model-is-told", _read),
)
"""Its buttons lead from page to page; see `bot.cortex.pages.reading_place`."""
