"""What the bot remembers here: the weightiest memories, as data with author and date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.context.section import SectionSources, absent_section, loaded_section, section_values
from bot.context.transcript import utc
from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelState
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import AgentId
from bot.domain.memory import Memory, MemoryReach, MemoryType
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.domain.word_origins import WordOrigins
from bot.prompts import render
from bot.text.text import one_line_name, visible

MAX_MEMORY_CHARS = 400
"""A longer memory is shown by its beginning; `memory_recall` shows all of it."""
_MAX_SOURCES = 3
"""So many of those whose words a memory may hold are named in its line, the least first."""
_MIN_MEMORY_TOKENS = 11
"""What a memory of one word costs: no more than so many times fewer are shown."""
_MAX_PASSED_OVER = 200
"""How many that do not fit any more are passed over for shorter ones behind them."""
_TYPES = {kind: rank for rank, kind in enumerate(MemoryType)}


class MemoryBulletinSection:
    """The memory digest, without what newer memories update: the same for every request until a memory changes."""

    name = "memory_bulletin"
    stability = SectionStability.EPOCH
    priority = 40

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Choose the memories that are shown."""
        words = sources.facts.bulletin_words
        if words <= 0:
            return absent_section(self.name, "switched off: memory.bulletin_words is 0")
        reach = MemoryReach(agent=AgentId(state.agent), channel=state.id, guild_id=state.place.guild_id, user_id=None)
        candidates, known = await sources.memories.weightiest(reach, words // _MIN_MEMORY_TOKENS + _MAX_PASSED_OVER)
        if not known:
            return absent_section(self.name, "nothing is remembered here")
        shown = choose(candidates, words)
        if not shown:
            return absent_section(self.name, f"none of {known} memories fits into {words} words")
        lines = [line_of(memory) for memory in shown]
        data = {"lines": lines, "shown": len(shown), "total": known}
        return loaded_section(self.name, data, *(f"memory:{line['handle']}" for line in lines))

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/memory_bulletin", **section_values(data))


def choose(memories: Sequence[Memory], words: int) -> tuple[Memory, ...]:
    """Take the most important memories that fit, by importance, type and number; no clock, so no drift."""
    ranked = sorted(memories, key=lambda m: (-m.body.importance, _TYPES[m.body.type], m.id))
    chosen: list[Memory] = []
    for memory in ranked:
        cost = _words(memory)
        if cost <= words:
            chosen.append(memory)
            words -= cost
    return tuple(chosen)


def line_of(memory: Memory) -> dict[str, Any]:
    """Say what the template shows of a memory; every free text is on one line."""
    body = memory.body
    return {
        "handle": handle(HandleKind.MEMORY, memory.id),
        "type": body.type.value,
        "importance": f"{body.importance:.2f}",
        "author": one_line_name(body.provenance.author_name or "someone"),
        "author_id": body.provenance.author,
        "date": utc(body.created_at)[:10],
        "content": canonical_json(visible(_cut(body.content))),
        **({"whose": whose} if (whose := whose_words_line(body.provenance.origins)) else {}),
        # read by `bot.context.whose_words` and `bot.context.origin_tracer`, and no part of the line
        **({"by_admin": True} if body.provenance.by_admin else {}),
        **({"origins": origins.model_dump(mode="json")} if (origins := body.provenance.origins) is not None else {}),
    }


def whose_words_line(origins: WordOrigins | None) -> str:
    """Name, as data, whose words a memory may be made of beside its author's; empty where of none."""
    return "" if origins is None else visible(f"words of {origins.cut(_MAX_SOURCES).described}")


def _cut(content: str) -> str:
    if len(content) <= MAX_MEMORY_CHARS:
        return content
    return f"{content[:MAX_MEMORY_CHARS].rstrip()}… ({len(content):,} characters in all)"


def _words(memory: Memory) -> int:
    # the frame of a line (handle, type, importance, author, date) is about ten words
    whose = whose_words_line(memory.body.provenance.origins)
    return 10 + len(whose.split()) + len(_cut(memory.body.content).split())
