"""Memories and channels for somebody who may look through what is remembered: what is closed to them does not exist."""

from __future__ import annotations

from bot.cortex.targets import texts
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver, key_of
from bot.domain.access import AccessRight
from bot.domain.handles import parse_handle
from bot.domain.ids import PersonKey
from bot.domain.memory import Memory
from bot.errors import UserError
from bot.ports.memories import MemoryStore
from bot.prompts import render
from bot.sentences import say

_MAX_NAMED = 4


async def named_memory(
    memories: MemoryStore, targets: TargetResolver, person: PersonKey, name: str, right: AccessRight
) -> tuple[Memory, TargetChannel]:
    """Return the memory of a handle and the channel where it was learnt, over which somebody has the right; UserError.

    The right is asked for now.
    """
    parsed = parse_handle(name)
    memory = await memories.by_handle(parsed) if parsed is not None else None
    source = await targets.of(key_of(memory.body.agent, memory.body.channel)) if memory is not None else None
    if memory is None or source is None or not await targets.may(right, person, source):
        raise UserError(say("cortex.no-such-record"))
    return memory, source


async def which_channel(targets: TargetResolver, person: PersonKey, reason: str = "") -> str:
    """Ask a moderator for a channel, with those that they may name; `reason` says why the one they meant is none."""
    moderated = await targets.audited(person)
    names = [texts.typed_channel(one) for one in moderated[:_MAX_NAMED]]
    return render("cortex/moderated_where", reason=reason, channels=names).strip()
