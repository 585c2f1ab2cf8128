"""What one process heard and another one handles: rows on their way from a gateway to whoever has the channel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor


class RelayedEvent(NamedTuple):
    """Something for whoever has a channel."""

    channel: ChannelId
    kind: str
    body: str
    """JSON. It may hold a secret, such as the token of an interaction: it is shown nowhere."""
    key: str = ""
    """What nothing else of its platform has, by which what is handed out twice is relayed once; empty: none."""


class StoredEvent(NamedTuple):
    """Something that was relayed and not handled yet."""

    number: int
    at: int
    """When it was relayed, in UTC milliseconds by the database's clock."""
    event: RelayedEvent


class RelayedEvents(NamedTuple):
    """What waits for a process, oldest first, and the number of the settings that all processes share."""

    events: Sequence[StoredEvent]
    settings: int
    """It rises with each commit that changes what processes keep in memory: settings and moves of channels, opt-outs,
    time zones, lessons. Where it is another than before, that is to be read anew before the events are handled."""


class StoredQuestion(NamedTuple):
    """Something that a process waits for an answer to."""

    number: int
    channel: ChannelId
    body: str


class Relay(Protocol):
    """The way between the processes of one bot. Everything is stored when it returns, and handed on in order."""

    async def pass_on(self, events: Sequence[RelayedEvent], cursor: StreamCursor | None) -> None:
        """Relay events, with how far their platform was read, in one transaction."""

    async def events(
        self, channels: Sequence[ChannelId] | None, limit: int, besides: Collection[int] = ()
    ) -> RelayedEvents:
        """Return what was relayed to these channels, or to any; without what is being handled now (`besides`)."""

    async def done(self, numbers: Sequence[int]) -> None:
        """Take away what was handled; after that was stored: what comes twice is stored once, by its message."""

    async def ask(self, channel: ChannelId, body: str, seconds: float) -> str | None:
        """Ask whoever has a channel; None where nobody has answered within so many seconds."""

    async def questions(self, channels: Sequence[ChannelId] | None) -> Sequence[StoredQuestion]:
        """Return what is asked about these channels, or any, and not answered yet, as long as somebody waits for it."""

    async def answer(self, number: int, body: str) -> bool:
        """Answer a question; False where nobody waits for it any more."""

    async def news(self, seconds: float) -> None:
        """Return when something may have come since the last look, and after so many seconds at the latest."""
