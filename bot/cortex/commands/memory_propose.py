"""How `memory propose` is read, and taken to the admins: forget a memory, with all that came of it, reword or join."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import HandleArgs, TypedLine
from bot.cortex.commands.cortex_command import CommandSources, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.moderated import named_memory
from bot.cortex.targets.session_context import SessionContext
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind, parse_handle

_FORGET = re.compile(r"(?P<what>forget|spread)\s+(?P<name>\w+)(?:\s+(?P<reason>.+))?", re.IGNORECASE | re.DOTALL)
_QUOTED = r"\"(?P<{}>[^\"]{{1,2000}})\""
_REWORD = re.compile(
    rf"(?:words|reword|correct|merge|join)\s+(?P<names>\w+(?:(?:\s*,\s*|\s+(?:and\s+)?)\w+)*)\s+"
    rf"{_QUOTED.format('words')}(?:\s+{_QUOTED.format('reason')})?",
    re.IGNORECASE,
)
_MERGE = re.compile(
    rf"(?:merge|join)\s+(?P<names>\w+(?:\s*,\s*|\s+(?:and\s+)?)\w+(?:(?:\s*,\s*|\s+(?:and\s+)?)\w+)*)"
    rf"(?:\s+{_QUOTED.format('reason')})?",
    re.IGNORECASE,
)
_MAX_MERGED = 5


class ProposeArgs(HandleArgs):
    """What is proposed for a memory: other `words` for it (and `others`); without any that it is forgotten.

    With `others` and no words: that it stands for them, in its own. `spread`: with all that came of it.
    """

    others: tuple[str, ...] = ()
    spread: bool = False
    words: str = ""
    reason: str = ""


def _proposal(typed: TypedLine) -> ProposeArgs | None:
    """Read `forget m27d4 "why"`, `spread …`, `words m27d4 "new" "why"`, `merge m27d4 m9x1k ["words"] "why"`."""
    found = _FORGET.fullmatch(typed.rest)
    if found is not None and _is_memory(found["name"]):
        start = found.start("reason")
        reason = typed.verbatim[start : found.end("reason")] if found["reason"] else ""
        spread = found["what"].casefold() == "spread"
        return ProposeArgs(handle=found["name"].lower(), reason=_bare(reason), spread=spread)
    if (found := _MERGE.fullmatch(typed.rest)) is not None:
        first, *others = named_memories(found["names"]) or ("",)
        reason = typed.verbatim[found.start("reason") : found.end("reason")] if found["reason"] else ""
        return ProposeArgs(handle=first, others=tuple(others), reason=reason) if others else None
    found = _REWORD.fullmatch(typed.rest)
    names = named_memories(found["names"]) if found else ()
    if found is None or not names:
        return None
    first, *others = names
    words = typed.verbatim[found.start("words") : found.end("words")]
    reason = typed.verbatim[found.start("reason") : found.end("reason")] if found["reason"] else ""
    return ProposeArgs(handle=first, others=tuple(others), words=words, reason=reason)


async def _propose(talk: SessionContext, args: ProposeArgs, context: CommandSources) -> ThreadReply:
    targets, person = context.looking.targets, talk.caller.person
    names = (args.handle, *args.others)
    found = [await named_memory(context.store.memories, targets, person, name, AccessRight.AUDIT) for name in names]
    memories = [memory for memory, _ in found]
    if args.others and not args.words:
        return await context.suggesting.merge(talk, memories, args.reason)
    if args.spread:
        return await context.suggesting.take_back(talk, memories[0], args.reason, context.spreads)
    if not args.words:
        return await context.suggesting.forget(talk, memories[0], args.reason)
    return await context.suggesting.reword(talk, memories, args.words, args.reason)


def named_memories(names: str) -> tuple[str, ...]:
    """Read the names of memories, each once; () where one of them is none, or where there are too many."""
    found = [name.lower() for name in re.findall(r"\w+", names) if name.casefold() != "and"]
    return tuple(dict.fromkeys(found)) if len(found) <= _MAX_MERGED and all(map(_is_memory, found)) else ()


def _is_memory(name: str) -> bool:
    parsed = parse_handle(name)
    return parsed is not None and parsed.kind is HandleKind.MEMORY


def _bare(reason: str) -> str:
    """Take the quotes off, which phones write in many ways."""
    return reason.strip().strip("\"'“”„«»‘’").strip()


MEMORY_PROPOSE = PageCommand(
    "memory propose", _proposal, "commands.title-a-proposal", _propose, right=AccessRight.AUDIT
)
