"""What is remembered in a channel, the story of one memory, and any other record by its handle."""

from __future__ import annotations

from typing import Any

from bot.cortex.pages.memory_audit import AuditQuery, memory_value
from bot.cortex.targets.moderated import named_memory
from bot.cortex.targets.record_viewer import right_over_record
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.memory import MemoryFilter
from bot.errors import UserError
from bot.text.times import plain_times
from bot.window.talk import named
from bot.window.visit import Visit

_MAX_WORDS_CHARS = 300


async def memories(visit: Visit) -> dict[str, Any]:
    """List what is remembered in a channel and fits, forgotten ones too."""
    target = (await visit.channel(AccessRight.AUDIT)).target
    words = visit.query.get("q", "").strip()[:_MAX_WORDS_CHARS]
    query = AuditQuery(MemoryFilter(words=words) if words else MemoryFilter(), visit.page)
    found = await visit.sources.memories.page(visit.caller.person, target, query)
    return {
        "screen": "memories",
        "channel": named(target),
        "words": words,
        "total": found.total,
        "withheld": found.hidden,
        "page": visit.page,
        "pages": found.pages,
        "more": visit.page < found.pages,
        "memories": [memory_value(memory, visit.sources.redactor) for memory in found.memories],
    }


async def record(visit: Visit) -> dict[str, Any]:
    """Show a record in the words that `!cortex open` has for it."""
    text = await visit.sources.opener.open(visit.caller.person, visit.name)
    if text is None:
        raise UserError("There is no such record that you may open.")
    parsed = parse_handle(visit.name)
    kind = parsed.kind if parsed is not None else None
    return {
        "screen": "record",
        "handle": visit.name,
        "kind": kind.name.lower() if kind else None,
        "is_memory": kind is HandleKind.MEMORY,
        "right": right_over_record(visit.name).value,
        "text": plain_times(text),
        "pieces": pieces_of(plain_times(text)),
        "channel": None,
        "history": "",
        "history_pieces": [],
    }


async def memory(visit: Visit) -> dict[str, Any]:
    """Tell the story of a memory, and every version of it."""
    sources, person = visit.sources, visit.caller.person
    told = await record(visit)
    found, source = await named_memory(sources.store.memories, sources.targets, person, visit.name, AccessRight.AUDIT)
    history = plain_times(await sources.versions.history(person, found, source))
    return {**told, "channel": named(source), "history": history, "history_pieces": pieces_of(history)}


def pieces_of(text: str) -> list[dict[str, Any]]:
    """Take a text apart into what we say and what is quoted, which stands between fences."""
    found: list[dict[str, Any]] = []
    fence = ""
    for line in text.split("\n"):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if len(ticks) >= 3 and (ticks == fence if fence else True):
            fence = "" if fence else ticks
            found.append({"quoted": bool(fence), "lines": []})
        else:
            if not found:
                found.append({"quoted": False, "lines": []})
            found[-1]["lines"].append(line)
    return [{"quoted": one["quoted"], "text": "\n".join(one["lines"])} for one in found if any(one["lines"])]
