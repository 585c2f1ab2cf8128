"""Ask a model once more what it was asked, with a change; its price first, and nothing reaches the channel."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.proving.single_replay import WantedReplay
from bot.cortex.targets.session_context import SessionContext
from bot.domain.handles import HandleKind, handle_pattern, has_digit, parse_handle

_PART = rf"(?:(?:section|message|tool):[\w.:-]{{1,80}}|{handle_pattern(HandleKind.MEMORY)})"
_FORM = re.compile(
    rf"(?:(?P<where>(?!without\b|with\b|on\b)\S+)(?:\s+|$))?"
    rf"(?:without\s+(?P<without>{_PART}(?:\s*,\s*{_PART})*)(?:\s+|$))?"
    rf"(?:with\s+(?P<part>{_PART})\s*=?\s*\"(?P<words>[^\"]{{1,2000}})\"(?:\s+|$))?"
    r"(?:on\s+(?P<model>[\w./:-]{1,120}))?",
    re.IGNORECASE,
)


class ReplayArgs(CommandArgs):
    """What is to be changed: parts by memory or name, a part with other words, another model."""

    left_out: tuple[str, ...] = ()
    part: str = ""
    words: str = ""
    model: str = ""


def _changes(typed: TypedLine) -> ReplayArgs | None:
    found = _FORM.fullmatch(typed.rest)
    where = (found["where"] or "") if found else ""
    named = parse_handle(where) if where else None
    if found is None or (where and named is None and not is_place(where)):
        return None
    return ReplayArgs(
        where=where.lower() if named is not None else where,
        question=typed.line if named is not None and not has_digit(where) else "",
        left_out=tuple(one.strip() for one in found["without"].split(",")) if found["without"] else (),
        part=found["part"] or "",
        words=found["words"] or "",
        model=found["model"] or "",
    )


async def _replay(talk: SessionContext, args: ReplayArgs, context: CommandSources) -> ThreadReply:
    return await context.proving.once(talk, WantedReplay(args.left_out, args.part, args.words, args.model))


REPLAY = CortexCommand(
    "commands.replay",
    PageCommand("replay", _changes, "commands.title-a-replay", _replay),
    PageCommand("fork", _changes, "commands.title-a-replay", _replay),
)
"""Parts are named as for `prove`."""
