"""Stand by until this process may work, and see that it stops as soon as another one does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from typing import TypeVar

import structlog

from bot.errors import LeaseLost, StoreError
from bot.ports.clock import Clock
from bot.ports.leases import LOOKER, WHOLE_BOT, Lease, Leases
from bot.runtime.tasks import OnFailure, TaskSupervisor
from bot.sentences import say

log = structlog.get_logger(__name__)
T = TypeVar("T")

RENEWALS = 5
"""How often a lease is renewed while it would hold."""
LOOK_SECONDS = 0.5
"""Seconds after which a process that stands by looks again, whatever it was told: and whether it is to end."""
GOODBYE_SECONDS = 2.0
"""Seconds that giving a lease back may take; whoever is not told learns it when it has run out."""


class ProcessRole(StrEnum):
    """What a process is there for; several share a bot only on a server."""

    ALL = "all"
    GATEWAY = "gateway"
    WORKER = "worker"
    LOOKER = LOOKER


class LeaseKeeper:
    """Waits for a lease and renews it. Nobody asks this machine what time it is, only how much has passed."""

    def __init__(self, leases: Leases, clock: Clock) -> None:
        self._leases = leases
        self._clock = clock
        self._lease: Lease | None = None
        self._sure_until = 0.0
        self._tasks = TaskSupervisor()
        self._over = asyncio.Event()

    def is_at_work(self) -> bool:
        """Say whether nobody else can have the lease: it was renewed a moment ago. Where not, nothing is to be said."""
        return self._clock.monotonic() < self._sure_until

    async def take(self, stop: asyncio.Event, *, alone: bool = True) -> Lease | None:
        """Return the lease once it is this process's, and renew it from then on; None where `stop` came first.

        It is that of the whole bot or, where a process is not `alone`, one among several.
        """
        told = ""
        while not stop.is_set():
            began, wait = self._clock.monotonic(), LOOK_SECONDS
            try:
                # one that was taken may already be there: its answer was lost
                has = [lease for lease in await self._leases.renew() if lease.name == WHOLE_BOT or not alone]
                lease = has[0] if has else await (self._leases.take(WHOLE_BOT) if alone else self._leases.join())
                if lease is not None:
                    self._lease, self._sure_until = lease, began + self._leases.seconds
                    self._tasks.spawn("lease", self._renew())
                    return lease
                holder = await self._leases.holder(WHOLE_BOT)
                if holder is not None:
                    wait = min(wait, holder.seconds)
                    if told != holder.process:
                        told = holder.process
                        log.info("stands_by", at_work=told)
                await self._leases.news(wait)
            except LeaseLost:
                raise
            except StoreError as error:
                if not told:
                    raise  # at the start whoever started it wants to know
                log.warning("stands_by_blindly", error=str(error))
                await self._clock.sleep(LOOK_SECONDS)
        return None

    @asynccontextmanager
    async def telling(self, hear: OnFailure) -> AsyncIterator[None]:
        """Tell somebody if the lease is lost."""
        tasks = TaskSupervisor(hear)
        tasks.spawn("lease", self._tell())
        try:
            yield
        finally:
            await tasks.close()

    async def _tell(self) -> None:
        await self._over.wait()
        raise LeaseLost(say("lifecycle.taken-over"))

    async def give_back(self) -> None:
        """Let the next process begin at once."""
        await self._tasks.close()
        self._sure_until = 0.0
        with suppress(StoreError):
            await self._leases.give_back()

    async def _renew(self) -> None:
        """Renew it for ever. While the database is away nobody takes it; whether anybody has shows afterwards."""
        while True:
            await self._clock.sleep(self._leases.seconds / RENEWALS)
            began = self._clock.monotonic()
            try:
                async with asyncio.timeout(self._leases.seconds):
                    has = await self._leases.renew()
            except LeaseLost:
                break
            except (StoreError, TimeoutError) as error:
                log.warning("lease_not_renewed", error=str(error) or say("lifecycle.database-silent"))
                continue
            if self._lease not in has:
                break
            self._sure_until = began + self._leases.seconds
        self._sure_until = 0.0
        log.error("lease_lost")
        self._over.set()


async def unless_away(asking: Awaitable[T], otherwise: T) -> T:
    """Return what is asked of leases, or `otherwise` where nobody answers: then it is asked again a moment later.

    The session of the leases is not waited for as the store is: that this process lives is said by it.
    """
    try:
        return await asking
    except LeaseLost:
        raise
    except StoreError as error:
        log.warning("leases_not_asked", error=str(error))
        return otherwise


@asynccontextmanager
async def kept(leases: Leases, clock: Clock) -> AsyncIterator[LeaseKeeper]:
    """Open the keeper of a process's leases; at the end whatever it has is given back."""
    keeper = LeaseKeeper(leases, clock)
    try:
        yield keeper
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                try:
                    await keeper.give_back()
                finally:
                    await leases.close()
