"""One session of a bot: its events with their numbers, kept so that they can be told again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import orjson

from .delivery import has
from .refusals import dumped
from .values import Json

if TYPE_CHECKING:
    from .bot import Bot
    from .connection import Connection
    from .roster import Roster

SHARD_SHIFT = 22


class Event(NamedTuple):
    """A dispatch."""

    sequence: int
    name: str
    data: Json

    def frame(self) -> Json:
        """Write it as it goes over the wire."""
        return {"op": 0, "s": self.sequence, "t": self.name, "d": self.data}


@dataclass(slots=True, eq=False, repr=False)
class Session:
    """A session; without a connection it goes on collecting events, until it is forgotten."""

    id: str
    bot: Bot
    intents: int
    shard: tuple[int, int] = (0, 1)
    events: list[Event] = field(default_factory=list)
    connection: Connection | None = None
    resumes: int = 0

    @property
    def sequence(self) -> int:
        """Return the number of the last event."""
        return len(self.events)

    def holds(self, guild: Roster | None) -> bool:
        """Say whether a guild, or all that is private, belongs to this shard."""
        number, count = self.shard
        return number == ((guild.id >> SHARD_SHIFT) % count if guild else 0)

    def wants(self, intent: str | None) -> bool:
        """Say whether events of an intent are wanted; some need none."""
        return intent is None or has(self.intents, intent)

    def add(self, name: str, data: Json) -> Event:
        """Tell an event, now or when the bot resumes."""
        event = Event(self.sequence + 1, name, orjson.loads(dumped(data)))
        self.events.append(event)
        if self.connection is not None:
            self.connection.tell(event)
        return event

    def end(self) -> None:
        """Forget the session: a resume is refused."""
        if self in self.bot.sessions:
            self.bot.sessions.remove(self)

    def after(self, sequence: int) -> list[Event]:
        """List what was told after a number."""
        return self.events[sequence:]
