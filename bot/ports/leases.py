"""Which of several processes on one database does what: leases that it keeps, told apart by their epochs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bot.domain.ids import ChannelId

WHOLE_BOT = "bot"
"""The lease of everything: who has it hears, answers and sends; the others stand by.

Nobody has any other lease while somebody has this one, and nobody gets this one while somebody has any other.
"""
HOUSE = "house"
"""The lease of what is done once for the whole bot, where several processes share its channels."""
LOOKER = "looker"
"""What a process is called that only looks: it has no lease, and nobody waits for it."""
_GATEWAY, _WORKER, _CHANNEL = "gateway:", "worker:", "channel:"


class Lease(NamedTuple):
    """What a process may do alone. The epoch is another each time that it is taken.

    So is the owner, each time that a process starts: in a database that was put back to yesterday epochs come again.
    """

    name: str
    epoch: int
    owner: str


class LeaseHolder(NamedTuple):
    """Another process that has a lease, and for how many seconds if it is never heard from again."""

    process: str
    seconds: float


class ProcessSeen(NamedTuple):
    """A process as the others see it: what it has, and for how many seconds it has not been heard from."""

    process: str
    silent: float
    is_over: bool
    """It has ended, or was ended by another one that took what it had: it changes nothing any more."""
    leases: Sequence[str]
    """Of what it has everything that is no channel."""
    channels: int
    """How many channels it has."""

    @property
    def only_looks(self) -> bool:
        """Whether it takes part in nothing."""
        return self.process.startswith(f"{LOOKER} ")


class ChannelLeases(Protocol):
    """The channels of one process, where several share them."""

    async def take_channels(self, wanted: Sequence[ChannelId], most: int) -> Sequence[Lease]:
        """Take at most so many of these channels, the first ones first: those that no living process has.

        Of whom nothing was heard for `Leases.seconds` is ended by it for good, whatever else it has.
        """

    async def give_back_channels(self, channels: Sequence[ChannelId]) -> None:
        """Let channels go that this process has brought to rest."""

    async def waiting(self, limit: int) -> Sequence[ChannelId]:
        """Return channels with something to be done that no living process has, the longest waiting first.

        Whatever was relayed or asked, has no outcome, was running, or was to be sent by a process that is over.
        """


class Leases(ChannelLeases, Protocol):
    """The leases of one process. Only the database's clock counts, whatever time a machine believes it to be."""

    seconds: float
    """For how long a lease holds that is not renewed."""

    async def renew(self) -> Sequence[Lease]:
        """Say that this process lives; return what it still has. Raise StoreError where nobody can be told.

        Raise LeaseLost where another process has ended this one: it does not live again, and is to stop.
        """

    async def take(self, name: str) -> Lease | None:
        """Take a lease; None where a living process has it, or one that excludes it."""

    async def join(self) -> Lease | None:
        """Take part as one of several, which is a lease of its own; None while a living process has the whole bot."""

    async def holder(self, name: str) -> LeaseHolder | None:
        """Return who has a lease, or one that excludes it; None where nobody has."""

    async def seen(self, name: str) -> ProcessSeen | None:
        """Return who had a lease last, living or not; None where nobody has had it, or it was given back."""

    async def processes(self) -> Sequence[ProcessSeen]:
        """Return every process that was heard from lately."""

    async def give_back(self) -> None:
        """Let everything go at once, so that the next one need not wait; from then on this process changes nothing."""

    async def news(self, seconds: float) -> None:
        """Return when another process has given something back, and after so many seconds at the latest."""

    async def close(self) -> None:
        """Let go of the database, and of no lease."""


class OneProcess:
    """Implements `Leases` where the database is this process's own: it is locked in another way."""

    seconds = math.inf

    def __init__(self) -> None:
        self._has: tuple[Lease, ...] = ()

    async def renew(self) -> Sequence[Lease]:
        """Return what was taken."""
        return self._has

    async def take(self, name: str) -> Lease | None:
        """Take whatever is wanted."""
        lease = Lease(name, 1, "")
        self._has = (*self._has, lease)
        return lease

    async def join(self) -> Lease | None:
        """There is no other process to share anything with."""
        return None

    async def take_channels(self, wanted: Sequence[ChannelId], most: int) -> Sequence[Lease]:
        """Take nothing: every channel is part of the whole."""
        return ()

    async def give_back_channels(self, channels: Sequence[ChannelId]) -> None:
        """There is nothing to let go of."""

    async def waiting(self, limit: int) -> Sequence[ChannelId]:
        """Return nothing: whatever waits is this process's."""
        return ()

    async def holder(self, name: str) -> LeaseHolder | None:
        """Return nobody."""
        return None

    async def seen(self, name: str) -> ProcessSeen | None:
        """Return nobody."""
        return None

    async def processes(self) -> Sequence[ProcessSeen]:
        """Return nobody."""
        return ()

    async def give_back(self) -> None:
        """Let everything go."""
        self._has = ()

    async def news(self, seconds: float) -> None:
        """There is no other process."""

    async def close(self) -> None:
        """There is nothing to let go of."""


def gateway_lease(platform: str) -> str:
    """Name the lease of whoever listens to a platform."""
    return _GATEWAY + platform


def leased_platform(name: str) -> str:
    """Return on which platform a lease lets listen; empty for any other lease."""
    return name.removeprefix(_GATEWAY) if name.startswith(_GATEWAY) else ""


def is_worker_lease(name: str) -> bool:
    """Say whether a lease is that of a process that is one among several."""
    return name.startswith(_WORKER)


def worker_lease(owner: str) -> str:
    """Name the lease of whoever takes part as one of several, which nobody else wants."""
    return _WORKER + owner


def channel_lease(channel: ChannelId) -> str:
    """Name the lease of a channel, which is that of all agents in it."""
    return _CHANNEL + channel


def leased_channel(name: str) -> ChannelId | None:
    """Return which channel a lease is of; None for any other lease."""
    return ChannelId(name.removeprefix(_CHANNEL)) if name.startswith(_CHANNEL) else None
