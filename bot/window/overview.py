"""The first screen: every channel that this person may look at, and how it is."""

from __future__ import annotations

from typing import Any

from bot.cortex.doctor.heartbeat_status import is_alive
from bot.cortex.pages.ledger_page import newest
from bot.cortex.targets.target_resolver import TargetChannel
from bot.diagnostics.collect.lookup import every_channel
from bot.domain.access import AccessRight
from bot.domain.ledger import InboundTrail, Outcome
from bot.ports.channels import KnownChannel
from bot.text.text import one_line_name
from bot.window.visit import Visit, address_of

CHANNELS_A_PAGE = 40
_MAX_ASKED = 200
"""Of so many channels a platform is asked at one look; the others are reached by the next page."""
ROW_SECONDS = 0.95
"""For so long a row is shared: when there is something new, all whose page is open look at once."""
_DAY_MS = 86_400_000
_SPARKS = 24
GOOD = frozenset({Outcome.REPLIED, Outcome.COMMAND})
BAD = frozenset({Outcome.FAILED, Outcome.UNCERTAIN, Outcome.INTERRUPTED})
QUIET = frozenset({Outcome.STORED_ONLY, Outcome.SUPERSEDED})
_URGENCY = {"trouble": 0, "silent": 1, "paused": 2}


async def overview(visit: Visit) -> dict[str, Any]:
    """List the channels, the most recently used first."""
    sources = visit.sources
    every = await every_channel(sources.store, sources.targets.agents.names, 0)
    every.sort(key=lambda one: -one.last_at)
    rows: list[dict[str, Any]] = []
    skip, asked = (visit.page - 1) * CHANNELS_A_PAGE, 0
    for channel in every[skip:]:
        if asked >= _MAX_ASKED or len(rows) >= CHANNELS_A_PAGE:
            break
        asked += 1
        target = TargetChannel(channel.key, channel.name, channel.place)
        if not await sources.targets.may(AccessRight.AUDIT, visit.caller.person, target):
            continue
        inspects = await sources.targets.may_inspect(visit.caller.person, target)
        rows.append(await _shared_row(visit, channel) if inspects else _named(channel, inspects=False))
    return {
        "screen": "overview",
        "bot": await _bot(visit),
        # what needs somebody comes first; the rest stays in the order of use
        "channels": sorted(rows, key=lambda row: _URGENCY.get(row.get("state", ""), len(_URGENCY))),
        "page": visit.page,
        "more": skip + asked < len(every),
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
        "name": "a private chat" if channel.place.is_dm else one_line_name(channel.name),
        "id": str(channel.id),
        "agent": str(channel.agent),
        "private": channel.place.is_dm,
        "inspects": inspects,
    }


async def _shared_row(visit: Visit, channel: KnownChannel) -> dict[str, Any]:
    """Return a row, the same for everybody who may inspect the channel and looks at the same moment."""
    now, rows = visit.sources.clock.monotonic(), visit.sources.rows
    known = rows.get(channel.key)
    if known is not None and known[0] <= now < known[0] + ROW_SECONDS:
        return known[1]
    row = await _row(visit, channel)
    rows.put(channel.key, (now, row))
    return row


async def _row(visit: Visit, channel: KnownChannel) -> dict[str, Any]:
    store, since = visit.sources.store, visit.sources.clock.now() - _DAY_MS
    state = await store.channels.load(channel.key)
    settings = state.settings if state is not None else visit.sources.looking.settings(channel.key)
    trails = await newest(store.ledger, channel.key, _SPARKS)
    usage = await store.meter.usage(channel.key, since)
    answered = next((one.inbound for one in trails if one.inbound.outcome is Outcome.REPLIED), None)
    return {
        **_named(channel, inspects=True),
        "state": _state(trails, paused=settings.pause is not None),
        "mode": "active" if channel.place.is_dm else settings.mode.value,
        "recorded": settings.unrecorded is None,
        "last_used_at": channel.last_at,
        "last_answer_at": answered.outcome_at if answered else None,
        "outcomes": [outcome_of(one) for one in reversed(trails)],
        "waiting": sum(one.inbound.outcome is None for one in trails),
        # what has no price is stored as zero
        "cost_usd": round(sum(row.cost_usd for row in usage), 6) or None,
        "tokens": sum(row.input + row.output for row in usage),
    }


def _state(trails: tuple[InboundTrail, ...], *, paused: bool) -> str:
    """Say in one word what somebody who is called at night has to know."""
    if paused:
        return "paused"
    meant = [one.inbound.outcome for one in trails if one.inbound.outcome not in QUIET]
    if not meant:
        return "idle"
    if meant[0] is None:
        return "working"
    return "trouble" if meant[0] in BAD else "well" if meant[0] in GOOD else "silent"


def outcome_of(trail: InboundTrail) -> str:
    """Return how a message ended, or that it has not."""
    return trail.inbound.outcome.value if trail.inbound.outcome else "waiting"
