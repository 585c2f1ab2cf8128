"""What is remembered in a channel, the story of one memory, and any other record by its handle."""

from __future__ import annotations

from typing import Any

from bot.cortex.pages.memory_audit import AuditQuery, memory_value
from bot.cortex.targets.moderated import named_memory
from bot.cortex.targets.record_viewer import right_over_record
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.memory import MemoryFilter
from bot.errors import UserError
from bot.ports.revisions import PastMemory
from bot.sentences import say
from bot.text.times import plain_times
from bot.window.talk import named
from bot.window.visit import Visit

MINUTE_MS = 60_000
_MAX_WORDS_CHARS = 300
_MAX_PAST = 100
_MAX_RECORDS = 200


async def memories(visit: Visit) -> dict[str, Any]:
    """List what is remembered in a channel and fits, forgotten ones too; or what was remembered at a time."""
    target = (await visit.channel(AccessRight.AUDIT)).target
    if at := _time_asked(visit):
        return await _memories_at(visit, target, at)
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
        **await _slider(visit, target, visit.sources.clock.now()),
        "at": None,
    }


def _time_asked(visit: Visit) -> int:
    said = visit.query.get("at", "")
    at = int(said) if said.isascii() and said.isdigit() and len(said) < 15 else 0
    # the far end of the slider is now
    return at if at < visit.sources.clock.now() - MINUTE_MS else 0


async def _slider(visit: Visit, target: TargetChannel, at: int) -> dict[str, Any]:
    """Return from when to when what was remembered can be looked at."""
    now, sources = visit.sources.clock.now(), visit.sources
    first = await sources.memories.page(visit.caller.person, target, AuditQuery())
    last = await sources.memories.page(visit.caller.person, target, AuditQuery(page=first.pages))
    oldest = min((one.body.created_at for one in last.memories), default=now)
    begin = max(await sources.store.revisions.since(), oldest)
    return {"slider": {"first": min(begin, now), "now": now, "at": at}}


async def _memories_at(visit: Visit, target: TargetChannel, at: int) -> dict[str, Any]:
    """List what was remembered from a channel at a time, as `memory as-of` does."""
    found, reads = await visit.sources.versions.remembered_at(visit.caller.person, target, at)
    shown = found[:_MAX_PAST]
    return {
        "screen": "memories",
        "channel": named(target),
        "words": "",
        "total": len(found),
        "withheld": 0 if reads else len(found),
        "page": 1,
        "pages": 1,
        "more": len(found) > len(shown),
        "memories": [_past_value(one, visit) for one in shown] if reads else [],
        **await _slider(visit, target, at),
        "at": at,
    }


def _past_value(one: PastMemory, visit: Visit) -> dict[str, Any]:
    """Return a memory as it was then, in the words that it still has."""
    then = one.then.memory
    value = memory_value(one.now, visit.sources.redactor)
    return {**value, "type": then.body.type.value, "importance": then.body.importance} if then is not None else value


async def spread(visit: Visit) -> dict[str, Any]:
    """Draw what came of a memory: what held it, what came of that, and where."""
    sources, person = visit.sources, visit.caller.person
    memory, source = await named_memory(sources.store.memories, sources.targets, person, visit.name, AccessRight.AUDIT)
    chart, records = await sources.spreads.drawn(visit.caller, memory)
    return {
        "screen": "spread",
        "channel": named(source),
        "handle": visit.name,
        "title": chart.title,
        "subtitle": chart.subtitle,
        "layers": [{"name": one.name, "direct": one.direct, "derived": one.derived} for one in chart.layers],
        "places": [{"name": one.name, "counts": [*one.counts]} for one in chart.places],
        "notes": [*chart.notes],
        "total": len(records),
        "records": [
            {
                "kind": one.item.kind.value,
                "handle": one.handle,
                "at": one.item.at,
                "where": one.where,
                "direct": one.item.is_direct,
            }
            for one in records[:_MAX_RECORDS]
        ],
    }


async def record(visit: Visit) -> dict[str, Any]:
    """Show a record in the words that `!cortex open` has for it."""
    text = await visit.sources.opener.open(visit.caller.person, visit.name)
    if text is None:
        raise UserError(say("cortex.no-such-record"))
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
