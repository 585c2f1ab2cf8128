"""Find the conversations beside one that begins: its parent, and the other threads in which the same person asked."""

from __future__ import annotations

from collections.abc import Sequence

from bot.diagnostics.evidence.evidence import SiblingThread, TurnEvidence
from bot.domain.ids import platform_of
from bot.domain.ledger import Outcome, StoredInbound
from bot.ports.channels import KnownChannel
from bot.ports.store import Store

SIBLING_WINDOW_MS = 1_800_000
"""How old what was said elsewhere may be for somebody to speak as if it had been said here."""
_MAX_SIBLINGS = 6
_MAX_MESSAGES = 5


def begins_conversation(turn: TurnEvidence) -> bool:
    """Say whether the turn's request held nothing but its own messages: no earlier turn, and none left out."""
    first = turn.requests[0].record if turn.requests else None
    if first is None or first.dropped_turns:
        return False
    own = set(turn.turn.inbounds)
    return all(message.inbound in own for message in first.request.messages)


async def siblings_of(
    store: Store, about: StoredInbound | None, turn: TurnEvidence | None
) -> tuple[SiblingThread, ...]:
    """Return where the author was answered shortly before, nearest first; asked only where a conversation begins."""
    if about is None:
        return ()
    parents = about.inbound.place.parents
    if not parents or about.inbound.place.is_dm or turn is None or not begins_conversation(turn):
        return ()
    known = await store.channels.known(about.agent)
    # channels of one category are strangers to each other: nobody ever speaks in a category
    is_thread = len(parents) > 1 or any(_is_parent(one, about) for one in known)
    beside = [one for one in known if is_thread and one.id != about.key.channel and _lies(one, about)]
    found = [await _sibling(store, one, about) for one in beside[:_MAX_SIBLINGS]]
    return tuple(one for one in found if one is not None)


def _lies(one: KnownChannel, about: StoredInbound) -> bool:
    return _is_parent(one, about) or (_is_near(one, about) and one.place.parents == about.inbound.place.parents)


def _is_parent(one: KnownChannel, about: StoredInbound) -> bool:
    return _is_near(one, about) and one.id.rpartition(":")[2] == about.inbound.place.parents[0]


def _is_near(one: KnownChannel, about: StoredInbound) -> bool:
    return platform_of(one.id) == platform_of(about.key.channel)


async def _sibling(store: Store, one: KnownChannel, about: StoredInbound) -> SiblingThread | None:
    recent = await store.ledger.recent(one.key, _MAX_MESSAGES)
    theirs = _answered(recent, about)
    if not theirs:
        return None
    return SiblingThread(
        channel=one.id,
        name=one.name,
        is_parent=_is_parent(one, about),
        inbound=theirs[0].id,
        at=theirs[0].arrived_at,
        count=len(theirs),
    )


def _answered(recent: Sequence[StoredInbound], about: StoredInbound) -> list[StoredInbound]:
    author, before = about.inbound.author.user_id, about.arrived_at
    return [
        stored
        for stored in recent
        if stored.inbound.author.user_id == author
        and stored.outcome is Outcome.REPLIED
        and before - SIBLING_WINDOW_MS <= stored.arrived_at < before
    ]
