"""What the bot would find in its memory for some words, and why: the same search, with the parts of each score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.cortex.pages.memory_audit import MemoryAudit, cut_columns
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.quoting import quoted
from bot.domain.handles import HandleKind, handle
from bot.domain.memory import MemoryReach
from bot.memory.search import Recalled, RecallQuery, RecallWay, Searched, recall_scored
from bot.ports.clock import Clock
from bot.ports.embeddings import MeaningSearch
from bot.ports.memories import MemoryStore
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.markdown.tables import MAX_PHONE_COLUMNS
from bot.text.redaction import Redactor
from bot.text.text import excerpt

_MAX_QUOTED_CHARS = 3000
_WAYS = {
    RecallWay.WORDS: "memory_pages.recalled-by-words",
    RecallWay.MEANING: "memory_pages.recalled-by-meaning",
    RecallWay.TIME: "memory_pages.recalled-by-time",
    RecallWay.RECENCY: "memory_pages.recalled-by-recency",
    RecallWay.IMPORTANCE: "memory_pages.recalled-by-importance",
    RecallWay.RELATION: "memory_pages.recalled-by-relation",
}


@dataclass(frozen=True)
class MemoryRecallPages:
    """Searches as a conversation does, and shows what somebody may read of what it found; nothing counts as read."""

    memories: MemoryStore
    meaning: MeaningSearch
    audit: MemoryAudit
    clock: Clock
    redactor: Redactor

    async def page(self, talk: SessionContext, words: str) -> str:
        """List what would be found, best first, each with what put it there."""
        key, place = talk.target.key, channel_word(talk.target)
        reach = MemoryReach(agent=key.agent, channel=key.channel, guild_id=talk.target.place.guild_id)
        searched = Searched(self.memories, self.meaning, reach)
        found = await recall_scored(searched, RecallQuery(words=words), self.clock.now())
        learnt_in = dict.fromkeys(one.memory.body.channel for one in found)
        readable = await self.audit.readable(talk.caller.person, key.agent, learnt_in)
        shown = [one for one in found if one.memory.body.channel in readable]
        if not found:
            return say("memory_pages.recalls-nothing", place=place)
        lines = [row for number, one in enumerate(shown, 1) for row in _rows(number, one)]
        parts = [say("memory_pages.recalls", place=place, count=len(found))]
        parts += [quoted("\n".join(lines), self.redactor, _MAX_QUOTED_CHARS)] if lines else []
        if hidden := len(found) - len(shown):
            parts.append(say("memory_pages.recalls-hidden", count=hidden))
        return "\n".join((*parts, say("memory_pages.recalls-how")))


def _rows(number: int, found: Recalled) -> Iterator[str]:
    memory = found.memory
    rest = f" · {handle(HandleKind.MEMORY, memory.id)}"
    yield cut_columns(f"{number}. {excerpt(memory.body.content, 2 * MAX_PHONE_COLUMNS)}", MAX_PHONE_COLUMNS)
    yield f"   {say('memory_pages.recalled-score', score=decimal(1000 * found.score, 1))}{rest}"
    for part in found.parts:
        yield f"   {say(_WAYS[part.way], place=part.place, points=decimal(1000 * part.points, 1))}"
