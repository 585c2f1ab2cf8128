"""What may be remembered, how much of it, and whom it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.access import Authority, Caller
from bot.domain.ids import ChannelKey, UserId
from bot.domain.memory import DEFAULT_IMPORTANCE, MAX_CONTENT_BYTES, MemoryScope, MemoryType, NewMemory, Provenance
from bot.domain.text import clean
from bot.errors import ToolError
from bot.ports.memories import Memories

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class MemoryRules:
    """The configured caps: importance of what non-admins cause, and memories per person and day (0: no limit)."""

    importance_cap: float
    per_user_per_day: int


class Wish(NamedTuple):
    """What somebody wants remembered; `importance` None means the type's own."""

    content: str
    type: MemoryType
    importance: float | None = None


class Cause(NamedTuple):
    """Who and what caused a memory."""

    key: ChannelKey
    caller: Caller
    provenance: Provenance
    people: Mapping[UserId, str]
    at: int


async def check_daily_limit(memories: Memories, rules: MemoryRules, cause: Cause, staged: int) -> None:
    """Raise ToolError when this person has caused enough for one day; `staged` are those not stored yet."""
    if not rules.per_user_per_day:
        return
    author = cause.caller.person.user_id
    stored = await memories.by_author_since(cause.key.agent, author, cause.at - DAY_MS)
    if stored + staged >= rules.per_user_per_day:
        raise ToolError(
            f"Not saved: {cause.caller.name} has caused {stored + staged} memories in 24 hours, and the limit is "
            f"{rules.per_user_per_day}. Answer without saving."
        )


def draft(wish: Wish, cause: Cause, rules: MemoryRules) -> NewMemory:
    """Return the memory as it will be stored: cleaned, capped, with its subjects and its cause."""
    content = clean(wish.content).text.strip()
    if not content:
        raise ToolError("Not saved: there is no text. Give the content in one or two sentences.")
    if (size := len(content.encode())) > MAX_CONTENT_BYTES:
        raise ToolError(f"Not saved: {size} bytes are too many, {MAX_CONTENT_BYTES} fit. Save a summary.")
    importance = DEFAULT_IMPORTANCE[wish.type] if wish.importance is None else wish.importance
    is_admin = cause.caller.authority >= Authority.ADMIN
    return NewMemory(
        agent=cause.key.agent,
        content=content,
        type=wish.type,
        importance=importance if is_admin else min(importance, rules.importance_cap),
        scope=MemoryScope.CHANNEL,
        scope_id=cause.key.channel,
        channel=cause.key.channel,
        subjects=subjects(content, cause.people),
        provenance=cause.provenance.replace(by_admin=is_admin),
        created_at=cause.at,
    )


def subjects(content: str, people: Mapping[UserId, str]) -> tuple[UserId, ...]:
    """Return the ids of the participants that a text names, by id or by name, in the order of `people`."""
    return tuple(user for user, name in people.items() if _mentions(content, user) or _mentions(content, name))


def _mentions(content: str, word: str) -> bool:
    if not word.strip():
        return False
    return re.search(rf"(?<!\w){re.escape(word.strip())}(?!\w)", content, re.IGNORECASE) is not None
