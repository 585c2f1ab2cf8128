"""Tell what Discord says a second time, or after what came later, where hearing it again would undo what is so now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Place(NamedTuple):
    """Where something stands in what a session is told."""

    session: str
    sequence: int


class Echoes:
    """Remembers which session a shard was greeted for, and the newest that was told of each guild.

    `place_of` says where in the stream of a guild's shard that stands which comes right now.
    """

    def __init__(self, place_of: Callable[[int], Place]) -> None:
        self._place_of = place_of
        self._greeted: dict[str, object] = {}
        self._guilds: dict[int, Place] = {}

    def has(self, name: str, data: Any) -> bool:
        """Say whether what comes right now was overtaken by what came before; note it if not."""
        if not isinstance(data, dict):
            return False
        if name == "READY":
            return self._is_greeted(data)
        number = str(data.get("id"))
        return name in {"GUILD_CREATE", "GUILD_DELETE"} and number.isdecimal() and self._is_overtaken(int(number))

    def _is_greeted(self, ready: dict[str, Any]) -> bool:
        # the library would forget every guild, and none shows itself a second time
        if not ready.get("session_id"):
            return False
        shard, session = str(ready.get("shard")), ready["session_id"]
        before, self._greeted[shard] = self._greeted.get(shard), session
        return bool(before == session)

    def _is_overtaken(self, guild: int) -> bool:
        # an outage that is over would begin again, and its end is told only once
        now, newest = self._place_of(guild), self._guilds.get(guild)
        if newest is not None and newest.session == now.session and 0 < now.sequence <= newest.sequence:
            return True
        self._guilds[guild] = now
        return False
