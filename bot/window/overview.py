"""The first screen: every channel that this person may look at, and how it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.cortex.doctor.heartbeat_status import is_alive
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.access import AccessRight, Authority
from bot.domain.ledger import InboundOutcome, InboundTrail, Outcome
from bot.ports.channels import KnownChannel
from bot.sentences import ENGLISH, later, said_in
from bot.text.text import one_line_name
from bot.window.channel_board import ChannelFacts
from bot.window.visit import Visit, address_of

CHANNELS_A_PAGE = 40
_MAX_ASKED = 200
"""Of so many channels a platform is asked at one look; the others are reached by the next page."""
GOOD = frozenset({Outcome.REPLIED, Outcome.COMMAND})
BAD = frozenset({Outcome.FAILED, Outcome.UNCERTAIN, Outcome.INTERRUPTED})
QUIET = frozenset({Outcome.STORED_ONLY, Outcome.SUPERSEDED})
_WAITING = "waiting"
_URGENCY = {"trouble": 0, "silent": 1, "paused": 2}


async def overview(visit: Visit) -> dict[str, Any]:
    """List the channels, the most recently used first.

    What is known of them is the same for everybody who looks at the same moment; who may see which is asked for each.
    """
    sources, board = visit.sources, visit.sources.board
    every = await board.channels()
    number = board.number
    # moderators look through memories, and at nothing else
    inspects = visit.caller.authority >= Authority.ADMIN
    right = AccessRight.INSPECT if inspects else AccessRight.AUDIT
    skip, asked = (visit.page - 1) * CHANNELS_A_PAGE, 0
    shown: list[KnownChannel] = []
    for channel in every[skip:]:
        if asked >= _MAX_ASKED or len(shown) >= CHANNELS_A_PAGE:
            break
        asked += 1
        target = TargetChannel(channel.key, channel.name, channel.place)
        if await sources.targets.may(right, visit.caller.person, target):
            shown.append(channel)
    rows = await board.rows(shown) if inspects else [_named(one, inspects=False) for one in shown]
    return {
        "screen": "overview",
        "bot": await _bot(visit),
        # what needs somebody comes first; the rest stays in the order of use
        "channels": sorted(rows, key=lambda row: _URGENCY.get(row.get("state", ""), len(_URGENCY))),
        "page": visit.page,
        "more": skip + asked < len(every),
        "board": number,
    }


async def _bot(visit: Visit) -> dict[str, Any]:
    beat, now = await visit.sources.store.heartbeat(), visit.sources.clock.now()
    return {
        "running": is_alive(beat, now),
        "version": beat.version if beat else None,
        "last_sign_at": beat.at if beat else None,
        "ended": one_line_name(beat.exit_reason, 120) if beat and beat.exit_reason else None,
        "platforms": [{"name": one.name, "state": one.state.value} for one in beat.adapters] if beat else [],
    }


def _named(channel: KnownChannel, *, inspects: bool) -> dict[str, Any]:
    return {
        "of": address_of(channel.key),
        # what is known of a channel is the same for all who look; the page says this in the language of each
        "name": said_in(ENGLISH, later("window.private-chat")) if channel.place.is_dm else one_line_name(channel.name),
        "id": str(channel.id),
        "agent": str(channel.agent),
        "private": channel.place.is_dm,
        "inspects": inspects,
    }


def channel_row(channel: KnownChannel, facts: ChannelFacts) -> dict[str, Any]:
    """Return what an overview shows of a channel to whoever may inspect it."""
    outcomes, settings = facts.outcomes, facts.settings
    return {
        **_named(channel, inspects=True),
        "state": _state(outcomes, paused=settings.pause is not None),
        "mode": "active" if channel.place.is_dm else settings.mode.value,
        "recorded": settings.unrecorded is None,
        "last_used_at": channel.last_at,
        "last_answer_at": next((one.at for one in outcomes if one.outcome is Outcome.REPLIED), None),
        "outcomes": [one.outcome.value if one.outcome else _WAITING for one in reversed(outcomes)],
        "waiting": sum(one.outcome is None for one in outcomes),
        # what has no price is stored as zero
        "cost_usd": round(facts.usage.cost_usd, 6) or None,
        "tokens": facts.usage.tokens,
    }


def _state(outcomes: Sequence[InboundOutcome], *, paused: bool) -> str:
    """Say in one word what somebody who is called at night has to know."""
    if paused:
        return "paused"
    meant = [one.outcome for one in outcomes if one.outcome not in QUIET]
    if not meant:
        return "idle"
    if meant[0] is None:
        return "working"
    return "trouble" if meant[0] in BAD else "well" if meant[0] in GOOD else "silent"


def outcome_of(trail: InboundTrail) -> str:
    """Return how a message ended, or that it has not."""
    return trail.inbound.outcome.value if trail.inbound.outcome else _WAITING
