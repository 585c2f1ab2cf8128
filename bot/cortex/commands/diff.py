"""Say what differs between two contexts and why: such as `last` and `next`, or records; bare: what is usual."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.capture_comparer import CONTEXTS, named_pair
from bot.cortex.targets.session_context import SessionContext
from bot.domain.handles import has_digit, parse_handle


class DiffArgs(CommandArgs):
    """Two contexts. Where handles alone say which channel is meant, the first of them is `where`."""

    before: str = ""
    after: str = ""


def _contexts(typed: TypedLine) -> DiffArgs | None:
    """Read up to two contexts and a place behind them; one alone is compared with what is usual for it."""
    names: list[str] = []
    words = typed.rest.split()
    while words and len(names) < 2 and (words[0].casefold() in CONTEXTS or parse_handle(words[0])):
        names.append(words.pop(0).lower())
    place = " ".join(words)
    if place and not is_place(place):
        return None
    handles = [name for name in names if name not in CONTEXTS]
    before, after = named_pair(*names)
    where = place.strip('"') or next(iter(handles), "")
    question = "" if not handles or has_digit("".join(handles)) else typed.line
    return DiffArgs(before=before, after=after, where=where, question=question)


async def _diff(talk: SessionContext, args: DiffArgs, context: CommandSources) -> ThreadReply:
    return await context.tracing.diff(talk, args.before, args.after)


DIFF = CortexCommand(
    "commands.diff",
    PageCommand("diff", _contexts, "commands.title-what-changed", _diff),
)
