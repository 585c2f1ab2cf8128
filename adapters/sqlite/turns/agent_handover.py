"""Let other agents have channels: the one that had it keeps what was said, the one that has it now begins anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from itertools import groupby

from adapters.sqlite.engine.sealed_rows import amend, insert, intact
from bot.domain.channel import ChannelSettings
from bot.domain.ids import MAIN, AgentId, ChannelId
from bot.domain.messages import Place
from bot.ports.channels import HandedOver

_HAS_OTHERS = (
    "SELECT EXISTS (SELECT 1 FROM channel WHERE agent < ?1) OR EXISTS (SELECT 1 FROM channel WHERE agent > ?1)"
)
Owner = Callable[[ChannelId, Place], AgentId]


def has_others(connection: sqlite3.Connection) -> bool:
    """Say whether another agent than `main` ever had a channel; two looks into an index."""
    return bool(connection.execute(_HAS_OTHERS, (MAIN,)).fetchone()[0])


def hand_over(connection: sqlite3.Connection, owner: Owner, at: int) -> list[HandedOver]:
    """Give every channel to whom it belongs now; part of one unit."""
    rows = intact(connection, "channel", "ORDER BY channel, last_at DESC, id DESC", ())
    found = (_given(connection, list(rows), owner, at) for _, rows in groupby(rows, key=lambda row: row["channel"]))
    return [given for given in found if given is not None]


def _given(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row], owner: Owner, at: int) -> HandedOver | None:
    held = [row for row in rows if not _settings(row).left_to]
    if not held:
        return None
    newest = held[0]
    channel, agent = ChannelId(newest["channel"]), owner(newest["channel"], Place.model_validate_json(newest["place"]))
    if any(row["agent"] == agent for row in held):
        return None
    was = _settings(newest)
    # who speaks in a channel changes, and not what its people decided: when it is answered, and what is kept of it
    kept = {name: getattr(was, name) for name in ("mode", "mode_by", "mode_at", "pause", "unrecorded")}
    for row in held:
        amend(connection, "channel", row, settings=_settings(row).replace(left_to=agent).model_dump_json())
    own = next((row for row in rows if row["agent"] == agent), None)
    if own is None:
        settings = ChannelSettings(**kept, came_from=newest["agent"]).model_dump_json()
        same = {name: newest[name] for name in ("channel", "name", "place")}
        insert(connection, "channel", agent=agent, **same, settings=settings, epoch=0, last=None, last_at=at)
    else:
        settings = _settings(own).replace(**kept, left_to="", came_from=newest["agent"]).model_dump_json()
        amend(connection, "channel", own, settings=settings, epoch=own["epoch"] + 1, last=None, last_at=at)
    return HandedOver(channel=channel, former=AgentId(newest["agent"]), agent=agent)


def _settings(row: sqlite3.Row) -> ChannelSettings:
    return ChannelSettings.model_validate_json(row["settings"])
