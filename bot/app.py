"""A wired bot: start it, run it, let it come to rest, close it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

import structlog

from bot import __version__
from bot.agent.models import Models
from bot.config import Config
from bot.context.inspector import ChannelContextInspector
from bot.cortex.service import Cortex
from bot.domain.health import AdapterHealth, AdapterState, Heartbeat
from bot.edges import Edges
from bot.messaging.manager import MessagingManager
from bot.messaging.outbox import OutboxSender
from bot.messaging.registry import ChannelRegistry
from bot.ports.store import Retention
from bot.tasks import Tasks

log = structlog.get_logger(__name__)

BEAT_SECONDS = 10.0
STOP_SECONDS = 5.0
_HOUR_MS = 3_600_000


@dataclass(frozen=True)
class Circles:
    """The tasks, by who owns them, in the order in which they are closed: sending last, so that words still go out."""

    messaging: Tasks
    cortex: Tasks
    aside: Tasks
    sending: Tasks

    async def idle(self) -> None:
        """Wait until none of them does anything."""
        circles = (self.messaging, self.cortex, self.aside, self.sending)
        while any(tasks.busy for tasks in circles):
            for tasks in circles:
                await tasks.idle()


@dataclass(frozen=True)
class App:
    """The parts of a running bot that somebody outside wants to reach."""

    edges: Edges
    config: Config
    manager: MessagingManager
    registry: ChannelRegistry
    sender: OutboxSender
    cortex: Cortex
    inspector: ChannelContextInspector
    models: Models
    circles: Circles
    started_at: int

    async def start(self) -> None:
        """Take up what an earlier process left; nothing may arrive before."""
        await self.beat()
        await self.manager.start()

    async def run(self, stop: asyncio.Event) -> None:
        """Listen on every platform until `stop` is set or all of them have ended; then close in order."""
        await self.start()
        house = Tasks()
        house.spawn("heartbeat", self._beats())
        house.spawn("sweeper", self._sweeps())
        ears = [house.spawn(f"platform {name}", p.run(self.manager)) for name, p in self.edges.platforms.items()]
        told = house.spawn("stop", stop.wait())
        while not told.done() and not all(task.done() for task in ears):
            await asyncio.wait([told, *(task for task in ears if not task.done())], return_when=asyncio.FIRST_COMPLETED)
        await house.close()
        await self.close("stopped by a signal" if stop.is_set() else "every platform has ended")

    async def settled(self) -> None:
        """Return when nothing is under way any more."""
        await self.circles.idle()

    async def close(self, reason: str) -> None:
        """Let what is being sent arrive, leave the rest to the next start, and leave word why."""
        for tasks in (self.circles.messaging, self.circles.cortex, self.circles.aside):
            await tasks.close()
        await self.circles.sending.close(STOP_SECONDS)
        await self.beat(reason)

    async def beat(self, exit_reason: str = "") -> None:
        """Keep a sign of life."""
        heartbeat = Heartbeat(
            instance=self.edges.store.instance,
            pid=os.getpid(),
            started_at=self.started_at,
            at=self.edges.clock.now(),
            version=__version__,
            adapters=adapters_of(self.edges, self.started_at),
            exit_reason=exit_reason,
        )
        await self.edges.store.beat(heartbeat)

    async def _beats(self) -> None:
        while True:
            await self.edges.clock.sleep(BEAT_SECONDS)
            await self.beat()

    async def _sweeps(self) -> None:
        while True:
            await self.edges.clock.sleep(self.config.retention.sweep_minutes * 60)
            gone = await self.edges.store.sweep(retention_of(self.config), self.edges.clock.now())
            evicted = self.registry.evict()
            log.info("swept", evicted=evicted, **gone)


def adapters_of(edges: Edges, since: int) -> tuple[AdapterHealth, ...]:
    """Say how every configured platform is, the disabled ones too."""
    off = (AdapterHealth(name=name, state=AdapterState.DISABLED, since=since) for name in edges.off)
    return (*(platform.health() for platform in edges.platforms.values()), *off)


def retention_of(config: Config) -> Retention:
    """Put the configured times into milliseconds."""
    days, hours = config.retention, config.retention.ambient_hours
    return Retention(
        ambient_ms=round(hours * _HOUR_MS),
        messages_ms=round(days.messages_days * 24 * _HOUR_MS),
        requests_ms=round(days.requests_days * 24 * _HOUR_MS),
        records_ms=round(days.records_days * 24 * _HOUR_MS),
        audit_ms=round(days.audit_days * 24 * _HOUR_MS),
        forgotten_ms=24 * _HOUR_MS,
    )
