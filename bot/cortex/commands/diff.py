"""Say what differs between two contexts and why: such as `last` and `next`, or records; bare: what is usual."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, Typed, is_place, is_sure
from bot.cortex.fixes.offers import Said
from bot.cortex.pages.comparing import CONTEXTS, pair
from bot.cortex.targets.talk import Talk
from bot.domain.handles import parse_handle


class DiffArgs(Args):
    """Two contexts. Where handles alone say which channel is meant, the first of them is `where`."""

    before: str = ""
    after: str = ""


def _contexts(typed: Typed) -> DiffArgs | None:
    """Read up to two contexts and a place behind them; one alone is compared with what is usual for it."""
    names: list[str] = []
    words = typed.rest.split()
    while words and len(names) < 2 and (words[0].casefold() in CONTEXTS or parse_handle(words[0])):
        names.append(words.pop(0).lower())
    place = " ".join(words)
    if place and not is_place(place):
        return None
    handles = [name for name in names if name not in CONTEXTS]
    before, after = pair(*names)
    where = place.strip('"') or next(iter(handles), "")
    question = "" if not handles or is_sure("".join(handles)) else typed.line
    return DiffArgs(before=before, after=after, where=where, question=question)


async def _diff(talk: Talk, args: DiffArgs, context: CommandContext) -> Said:
    return await context.tracing.diff(talk, args.before, args.after)


DIFF = Command(
    "`diff [#name]` what changed and why: what worked against the last, or the last against the next\n"
    "`diff <request> <request>` any two · `diff last next` · `diff worked last`",
    Page("diff", _contexts, "what changed", _diff),
)
