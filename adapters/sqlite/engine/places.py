"""From which channel something was done: what belongs to a talk of an admin, from their private chat."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from bot.domain.ids import ChannelId

IN_CHANNELS = "channel IN (SELECT value FROM json_each(?))"
"""Holds for rows of some channels; takes `names_of` them."""


def done_from(table: str) -> str:
    """Return what holds for rows that name a turn which ran from one of some channels; takes `names_of` them twice."""
    talk = "(SELECT id FROM session WHERE dm_channel IN (SELECT value FROM json_each(?)))"
    place = f"session = 0 AND {IN_CHANNELS} OR session > 0 AND session IN {talk}"
    return f"EXISTS (SELECT 1 FROM turn WHERE turn.id = {table}.turn AND ({place}))"  # noqa: S608 - a name of ours


def names_of(channels: Collection[ChannelId]) -> str:
    """Write channels as a statement takes them."""
    return orjson.dumps(sorted(channels)).decode()
