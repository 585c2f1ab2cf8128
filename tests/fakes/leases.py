"""Leases without a database: `others` says who has what, and what happens to this process is done by the test."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.errors import StoreError
from bot.ports.leases import Lease, LeaseHolder


class FakeLeases:
    """Implements `bot.ports.leases.Leases`. `is_away`: the database cannot be reached; `is_stuck`: it
    takes what it is told, and never answers.
    """

    seconds = 5.0

    def __init__(self, *others: LeaseHolder) -> None:
        self.others = list(others)
        self.has: list[Lease] = []
        self.is_away = self.is_stuck = False
        self.renewed = 0
        self.gave_back = False
        self.waited: list[float] = []
        self.wanted = asyncio.Event()

    async def renew(self) -> Sequence[Lease]:
        if self.is_away:
            raise StoreError("The database does not answer.")
        self.renewed += 1
        return tuple(self.has)

    async def take(self, name: str) -> Lease | None:
        if self.others:
            return None
        self.has.append(Lease(name, 1, ""))
        return self.has[-1]

    async def holder(self, name: str) -> LeaseHolder | None:
        return self.others[0] if self.others else None

    async def give_back(self) -> None:
        if self.is_stuck:
            await asyncio.Event().wait()
        self.has.clear()
        self.gave_back = True

    async def news(self, seconds: float) -> None:
        """One of the others goes each time that somebody waits."""
        self.waited.append(seconds)
        self.wanted.set()
        self.others = self.others[1:]

    async def close(self) -> None:
        """There is nothing to close."""
