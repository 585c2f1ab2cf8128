"""A wired bot: start it, run it, let it come to rest, close it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot import __version__
from bot.agent.models import Models
from bot.config import Config
from bot.context.inspector import ChannelContextInspector
from bot.cortex.service import Cortex
from bot.domain.health import AdapterHealth, AdapterState, Heartbeat
from bot.errors import StoreError
from bot.files import remove_older
from bot.messaging.filed import FOLDER as OUTGOING
from bot.messaging.manager import MessagingManager
from bot.messaging.outbox import OutboxSender
from bot.messaging.registry import ChannelRegistry
from bot.ports.edges import Edges
from bot.ports.store import Retention
from bot.tasks import OnFailure, Tasks

log = structlog.get_logger(__name__)

BEAT_SECONDS = 10.0
STOP_SECONDS = 5.0
_HOUR_MS = 3_600_000
_STOPPED = "Stopped, because the store failed; nothing is lost, the next start goes on from here."


class Fatal:
    """The failure that ends the process: the first one of the store. Who runs the bot waits for it."""

    def __init__(self) -> None:
        self.error: StoreError | None = None
        self._came = asyncio.Event()

    async def hear(self, name: str, error: BaseException) -> None:
        """Take the failure of a task; every other kind than the store's has been dealt with where it happened."""
        if isinstance(error, StoreError) and self.error is None:
            log.critical("store_failed", task=name, error=str(error))
            self.error = error
            self._came.set()

    async def wait(self) -> None:
        """Return when there is one."""
        await self._came.wait()


@dataclass(frozen=True)
class Circles:
    """The tasks, by who owns them, in the order in which they are closed: sending last, so that words still go out."""

    messaging: Tasks
    cortex: Tasks
    aside: Tasks
    sending: Tasks

    @classmethod
    def of(cls, on_failure: OnFailure) -> Circles:
        """Make them, with one who hears of every failure."""
        return cls(Tasks(on_failure), Tasks(on_failure), Tasks(on_failure), Tasks(on_failure))

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
    fatal: Fatal
    started_at: int

    async def start(self) -> None:
        """Take up what an earlier process left; nothing may arrive before."""
        await self.beat()
        await self.manager.start()

    async def run(self, stop: asyncio.Event) -> None:
        """Listen on every platform until `stop` is set or all of them have ended; then close in order.

        Raise StoreError when the store has failed: what was not stored was not done, so the next start goes on from it.
        """
        await self.start()
        house = Tasks(self.fatal.hear)
        house.spawn("heartbeat", self._beats())
        house.spawn("sweeper", self._sweeps())
        # counting needs the token table only now and then, but then nobody should have to wait for it
        house.spawn("token table", self.edges.counter.warm(("ready",)))
        ears = [house.spawn(f"platform {name}", p.run(self.manager)) for name, p in self.edges.platforms.items()]
        ends = [house.spawn("stop", stop.wait()), house.spawn("store failure", self.fatal.wait())]
        while not any(task.done() for task in ends) and not all(task.done() for task in ears):
            left = [task for task in (*ends, *ears) if not task.done()]
            await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        await house.close()
        await self._leave("stopped by a signal" if stop.is_set() else "every platform has ended")

    async def settled(self) -> None:
        """Return when nothing is under way any more."""
        await self.circles.idle()

    async def close(self, reason: str) -> None:
        """Let what is being sent arrive, leave the rest to the next start, and leave word why."""
        for tasks in (self.circles.messaging, self.circles.cortex, self.circles.aside):
            await tasks.close()
        await self.circles.sending.close(STOP_SECONDS)
        await self.beat(reason)

    async def _leave(self, reason: str) -> None:
        try:
            await self.close(f"the store failed: {self.fatal.error}" if self.fatal.error else reason)
        except StoreError as error:
            await self.fatal.hear("closing", error)
        if self.fatal.error is not None:
            raise StoreError(f"{_STOPPED} {self.fatal.error}") from self.fatal.error

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

    async def sweep(self) -> None:
        """Wipe what is too old, and put conversations away: what they remember may have been wiped."""
        retention, now = retention_of(self.config), self.edges.clock.now()
        gone = await self.edges.store.sweep(retention, now)
        if retention.messages_ms:
            folder = Path(self.config.bot.data_dir) / OUTGOING
            gone["files"] = await asyncio.to_thread(remove_older, folder, now - retention.messages_ms)
        log.info("swept", evicted=self._put_away(), **gone)

    def _put_away(self) -> int:
        known = self.registry.keys()
        # one that is at work is left to the next sweep
        idle = [key for key in known if self.registry.queues.lane(key) is None]
        live = [channel for key in idle if (channel := self.registry.live(key)) is not None]
        return sum(self.registry.unregister(channel.key, channel.generation) for channel in live)

    async def _beats(self) -> None:
        while True:
            await self.edges.clock.sleep(BEAT_SECONDS)
            await self.beat()

    async def _sweeps(self) -> None:
        while True:
            await self.edges.clock.sleep(self.config.retention.sweep_minutes * 60)
            await self.sweep()


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
