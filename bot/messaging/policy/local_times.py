"""What time it is where people talk, and for whom: by the configuration, and by what they said themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.config.schema import Config
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import ChannelId, PersonKey, platform_of
from bot.domain.messages import Author, AuthorKind
from bot.domain.snapshot import LocalTime
from bot.ports.bookkeeping import ChoiceStore
from bot.runtime import time_zones
from bot.text.text import one_line_name

_MAX_PEOPLE = 3
"""Of so many people who are answered together their time is told."""


class LocalTimes:
    """Knows the zone of every channel, and of every person who said theirs."""

    def __init__(self, config: Config, zones: ChoiceStore, moves: Callable[[], ChannelMoves]) -> None:
        self._config = config
        self._zones = zones
        self._moves = moves
        self._own: dict[PersonKey, str] = {}

    async def load(self) -> None:
        """Read what people said, once, at start."""
        self._own = dict(await self._zones.all())

    def zone_of(self, channel: ChannelId) -> str:
        """Return the zone that holds in a channel."""
        return self._config.channel(channel, self._moves().former_ids(channel)).timezone or self._config.bot.timezone

    def own(self, person: PersonKey) -> str:
        """Return the zone that somebody said is theirs; empty: none."""
        return self._own.get(person, "")

    async def set(self, person: PersonKey, zone: str) -> None:
        """Let a zone be somebody's from now on; an empty one takes it back."""
        await self._zones.choose(person, zone)
        if zone:
            self._own[person] = zone
        else:
            self._own.pop(person, None)

    def forget(self, person: PersonKey) -> None:
        """Forget the zone of somebody who was forgotten in the store."""
        self._own.pop(person, None)

    def at(self, at: int, channel: ChannelId, authors: Sequence[Author | None]) -> tuple[LocalTime, ...]:
        """Return what time it is there and for those who ask, where it is not told by UTC already."""
        here, found = self.zone_of(channel), []
        if here != time_zones.UTC_NAME and (written := time_zones.local_time(at, here)):
            found.append(LocalTime(zone=here, written=written))
        platform = platform_of(channel)
        people = {one.user_id: one for one in authors if one is not None and one.kind is AuthorKind.PERSON}
        for author in list(people.values())[-_MAX_PEOPLE:]:
            own = self.own(PersonKey(platform, author.user_id))
            if own and own != here and (written := time_zones.local_time(at, own)):
                found.append(LocalTime(zone=own, written=written, whose=one_line_name(author.name)))
        return tuple(found)
