"""The life of a process that listens, and hands on what it hears to whichever process has the channel."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import structlog

from bot import __version__
from bot.app.core import FatalFailure
from bot.app.heard_platforms import SAY_SECONDS
from bot.app.lease_keeper import unless_away
from bot.config.schema import Config
from bot.domain.health import ListenerHealth
from bot.domain.platform_names import PlatformPart, platform_part
from bot.messaging.intake.forwarding_listener import ForwardingListener
from bot.ports.clock import Clock
from bot.ports.leases import Leases, gateway_lease, leased_platform
from bot.ports.platform import Platform
from bot.ports.relay import Relay
from bot.ports.store import Store
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say

log = structlog.get_logger(__name__)

LOOK_SECONDS = 1.0
"""Seconds after which one that stands by for a platform looks again."""
LEAVE_SECONDS = 10.0
"""Seconds for which who listens to a part of a platform leaves another one to who has none, or is being restarted."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GatewayProcess:
    """Listens on each platform for which nobody else does, and stands by for the others.

    `platforms` are those, or parts of one, by their names.
    """

    store: Store
    relay: Relay
    leases: Leases
    platforms: Mapping[str, Platform]
    clock: Clock
    config: Config
    fatal: FatalFailure = field(default_factory=FatalFailure)
    _hears: set[str] = field(init=False, default_factory=set)
    """What it listens to."""
    _waits: set[str] = field(init=False, default_factory=set)
    """What it does not take because others divide the platform in another way, and has said so."""
    _one_by_one: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)

    @cached_property
    def tasks(self) -> TaskSupervisor:
        return TaskSupervisor(self.fatal.hear)

    def listener(self, name: str) -> ForwardingListener:
        """Return who hears of a platform, or of a part of one."""
        heard = {platform_part(name).platform: self.platforms[name]}
        return ForwardingListener(
            store=self.store, relay=self.relay, platforms=heard, tasks=self.tasks, config=self.config
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Listen until `stop` is set or every platform has ended; raise StoreError where the store has failed."""
        log.info("started", version=__version__, role="gateway", platforms=", ".join(self.platforms))
        ears = [self.tasks.spawn(f"platform {name}", self.listen(name)) for name in self.platforms]
        ends = [self.tasks.spawn("stop", stop.wait()), self.tasks.spawn("store failure", self.fatal.wait())]
        while not any(task.done() for task in ends) and not all(task.done() for task in ears):
            left = [task for task in (*ends, *ears) if not task.done()]
            await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        await self.tasks.close()
        log.info("stopped", reason=say("lifecycle.by-signal" if stop.is_set() else "lifecycle.platforms-ended"))
        if self.fatal.error is not None:
            raise self.fatal.error

    async def listen(self, name: str) -> None:
        """Listen on a platform or a part of one, once nobody else does."""
        left = 0.0
        while not await self._takes(name, left):
            await self.clock.sleep(LOOK_SECONDS)
            is_had = await unless_away(self.leases.holder(gateway_lease(name)), None) is not None
            left = 0.0 if is_had else left + LOOK_SECONDS
        log.info("listens", platform=name)
        told = self.tasks.spawn(f"hearing of {name}", self._tell(name))
        try:
            await self.platforms[name].run(self.listener(name))
        finally:
            told.cancel()
            self._hears.discard(name)

    async def _takes(self, name: str, left: float) -> bool:
        """Take a platform that nobody has, and a further part of one only after it was left for some seconds."""
        part = platform_part(name)
        async with self._one_by_one:
            if left < LEAVE_SECONDS and any(platform_part(other).platform == part.platform for other in self._hears):
                return False
            if others := await self._divided_otherwise(part):
                self._told_of(name, others)
                return False
            if await unless_away(self.leases.take(gateway_lease(name)), None) is None:
                return False
            self._hears.add(name)
            return True

    async def _divided_otherwise(self, wanted: PlatformPart) -> str:
        """Name a process that listens to a platform as if it were divided in another way; empty where none does."""
        for one in await unless_away(self.leases.processes(), ()):
            parts = [platform_part(leased_platform(lease)) for lease in one.leases]
            if one.silent < self.leases.seconds and any(
                part.platform == wanted.platform and part.of != wanted.of for part in parts
            ):
                return one.process
        return ""

    def _told_of(self, name: str, others: str) -> None:
        if name not in self._waits:
            self._waits.add(name)
            log.warning("divided_otherwise", platform=name, by=others)

    async def _tell(self, name: str) -> None:
        """Say again and again how a platform is, for those who cannot hear it."""
        while True:
            await self.say_how_it_is(name)
            await self.clock.sleep(SAY_SECONDS)

    async def say_how_it_is(self, name: str) -> None:
        """Say how a platform is now."""
        health = self.platforms[name].health().replace(name=name)
        await self.store.heard_by_listener(ListenerHealth(health=health, at=self.clock.now()))
