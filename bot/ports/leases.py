"""Which of several processes on one database is at work: leases that it keeps, told apart by their epochs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

WHOLE_BOT = "bot"
"""The lease of everything: who has it hears, answers and sends; the others stand by."""


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


class Leases(Protocol):
    """The leases of one process. Only the database's clock counts, whatever time a machine believes it to be."""

    seconds: float
    """For how long a lease holds that is not renewed."""

    async def renew(self) -> Sequence[Lease]:
        """Say that this process lives; return what it still has. Raise StoreError where nobody can be told."""

    async def take(self, name: str) -> Lease | None:
        """Take a lease; None where a living process has it."""

    async def holder(self, name: str) -> LeaseHolder | None:
        """Return who has a lease; None where nobody has."""

    async def give_back(self) -> None:
        """Let everything go at once, so that the next one need not wait."""

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

    async def holder(self, name: str) -> LeaseHolder | None:
        """Return nobody."""
        return None

    async def give_back(self) -> None:
        """Let everything go."""
        self._has = ()

    async def news(self, seconds: float) -> None:
        """There is no other process."""

    async def close(self) -> None:
        """There is nothing to let go of."""
