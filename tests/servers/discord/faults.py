"""What can go wrong between a bot and Discord: with one call, and with one event on its way to one connection.

Faults of calls: those of the sibling server that any HTTP answer can have, and Discord's own ways to refuse. Faults of
events: `server.gateway.faults.plan("MESSAGE_CREATE", Twice())`, or through `server.fault_event`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import orjson

from tests.servers.telegram.exchange import Exchange
from tests.servers.telegram.faults import Answers, BadGateway, Before, Dribbles, Drops, Fault, Hangs, Truncated

from .limits import VIA, too_many
from .refusals import Refused, dumped
from .values import Json

if TYPE_CHECKING:
    from .connection import Connection
    from .session import Event

__all__ = [
    "CLOUDFLARE",
    "Alters",
    "Answers",
    "BadGateway",
    "Before",
    "Closes",
    "Cuts",
    "Dribbles",
    "Drops",
    "EventFault",
    "Fault",
    "Flood",
    "Garbled",
    "Hangs",
    "Late",
    "Lost",
    "Refuses",
    "Rewritten",
    "Truncated",
    "Twice",
]

CLOUDFLARE = BadGateway(429, b"error code: 1015")  # a ban by the network in front: no `Via`, no JSON; never retried


@dataclass(frozen=True, slots=True)
class Flood:
    """429 with `retry_after`; nothing is applied. A `shared` one is the limit of a place that others have used up."""

    retry_after: float = 0.01
    is_global: bool = False
    shared: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Answer with the API's own words."""
        await exchange.send(429, dumped(too_many(self.retry_after, is_global=self.is_global).body()))
        scope = "global" if self.is_global else "shared" if self.shared else "user"
        headers = {"Via": VIA, "Retry-After": str(ceil(self.retry_after)), "X-RateLimit-Scope": scope}
        exchange.response.headers.update(headers | ({"X-RateLimit-Global": "true"} if self.is_global else {}))


@dataclass(frozen=True, slots=True)
class Refuses:
    """Any refusal of the API; `applied` lets the call take effect all the same."""

    status: int
    code: int = 0
    message: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    applied: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Refuse."""
        if self.applied:
            await exchange.apply()
        await exchange.send(self.status, dumped(Refused(self.status, self.code, self.message, **self.more).body()))


@dataclass(frozen=True, slots=True)
class Alters:
    """The call takes effect, but its answer is another one."""

    change: Callable[[Any], Any]

    async def play(self, exchange: Exchange) -> None:
        """Send the changed answer."""
        status, body = await exchange.apply()
        await exchange.send(status, dumped(self.change(orjson.loads(body))) if status < 300 else body)


class Outcome(NamedTuple):
    """An event on its way to one connection."""

    connection: Connection
    event: Event


class EventFault(Protocol):
    """One way for an event to go wrong."""

    def play(self, outcome: Outcome) -> None:
        """Send the event, or do not."""


@dataclass(frozen=True, slots=True)
class Twice:
    """The event comes twice, under the same number or (`renumbered`) as if it were another one."""

    renumbered: bool = False

    def play(self, outcome: Outcome) -> None:
        """Send it twice."""
        connection, event = outcome
        connection.send(event.frame())
        assert connection.session is not None
        if self.renumbered:
            connection.session.add(event.name, event.data)
        else:
            connection.send(event.frame())


@dataclass(frozen=True, slots=True)
class Lost:
    """The event never comes on this connection; a resume tells it again only when no later one has come."""

    def play(self, outcome: Outcome) -> None:
        """Send nothing."""


@dataclass(frozen=True, slots=True)
class Late:
    """The event comes after so many others."""

    by: int = 1

    def play(self, outcome: Outcome) -> None:
        """Send it later."""
        outcome.connection.postpone(outcome.event, self.by)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The event carries other data."""

    change: Callable[[Json], Json]

    def play(self, outcome: Outcome) -> None:
        """Send the changed event."""
        outcome.connection.send(outcome.event.frame() | {"d": self.change(outcome.event.data)})


@dataclass(frozen=True, slots=True)
class Garbled:
    """Something that is no event comes instead, such as half of a JSON document."""

    payload: str = '{"op": 0, "t": "MESSAGE_CREATE", "d": {'

    def play(self, outcome: Outcome) -> None:
        """Send it."""
        outcome.connection.push(self.payload)


@dataclass(frozen=True, slots=True)
class Cuts:
    """The line breaks at the event: before it, or after it."""

    after: bool = False

    def play(self, outcome: Outcome) -> None:
        """Break it."""
        if self.after:
            outcome.connection.send(outcome.event.frame())
        outcome.connection.cut()


@dataclass(frozen=True, slots=True)
class Closes:
    """The gateway closes with a code at the event: before it, or after it."""

    code: int = 4000
    after: bool = False

    def play(self, outcome: Outcome) -> None:
        """Close."""
        if self.after:
            outcome.connection.send(outcome.event.frame())
        outcome.connection.close(self.code)
