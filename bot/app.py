"""A wired bot: start it, run it, let it come to rest, close it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import structlog

from bot import __version__, prompts
from bot.config import Config
from bot.cortex.reload import RunningConfig
from bot.cortex.trusted_clock import TrustedClock
from bot.cortex.watch import Watch
from bot.domain.access import Tiers
from bot.domain.channel import ProcessKind
from bot.domain.health import AdapterHealth, AdapterState, Heartbeat
from bot.domain.patience import LOCAL_SECONDS
from bot.domain.turn import NewOutbox, StoredTurn
from bot.errors import DamagedDatabase, StoreError
from bot.files import remove_older
from bot.messaging.access import tiers_of
from bot.messaging.commands.table import menu
from bot.messaging.expiring import Expiring
from bot.messaging.filed import FOLDER as OUTGOING
from bot.messaging.manager import MessagingManager
from bot.messaging.outbox import OutboxSender
from bot.messaging.overdue import Overdue, close_overdue
from bot.messaging.posting import has_started
from bot.messaging.registry import ChannelRegistry
from bot.ports.edges import Edges
from bot.ports.store import Retention
from bot.stalls import Stalls
from bot.tasks import OnFailure, Tasks

if TYPE_CHECKING:
    from bot.agent.mind import Mind
    from bot.context.inspector import ChannelContextInspector
    from bot.cortex.service import Cortex
    from bot.tools.mcp.source import ForeignTools

log = structlog.get_logger(__name__)

BEAT_SECONDS = 10.0
FIRST_BEAT_SECONDS = 2.0
FIRST_LOOK_SECONDS = 300.0
LOOK_SECONDS = 0.1
"""How long a slice of the look over the whole database takes, after each sign of life."""
STOP_SECONDS = 5.0
FIRST_SWEEP_SECONDS = 60.0
_HOUR_MS = 3_600_000
_NOBODY = "nobody may ask why: set owner_ids, whoami prints yours"
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


class Circles(NamedTuple):
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


class App(NamedTuple):
    """The parts of a running bot that somebody outside wants to reach."""

    edges: Edges
    config: Config
    manager: MessagingManager
    registry: ChannelRegistry
    sender: OutboxSender
    load_the_rest: Callable[[], None]
    open_mind: Callable[[], Mind]
    open_cortex: Callable[[], Cortex]
    circles: Circles
    fatal: Fatal
    watch: Watch
    running: RunningConfig
    started_at: int
    stalls: Stalls
    trusted_clock: TrustedClock
    foreign: ForeignTools | None = None

    @property
    def cortex(self) -> Cortex:
        """The cortex, made by the first who asks."""
        return self.open_cortex()

    @property
    def mind(self) -> Mind:
        """What answers, made by the first who asks."""
        return self.open_mind()

    @property
    def inspector(self) -> ChannelContextInspector:
        """What shows contexts."""
        return self.mind.inspector

    async def start(self) -> None:
        """Take up what an earlier process left; nothing may arrive before."""
        last = await self.edges.store.heartbeat()
        self.trusted_clock.wake(last)
        self.watch.wake(last)
        await self.beat()
        await _forget_lessons(self.edges)
        self.watch.took_up(await self.manager.start())
        await _tell_late(self)

    async def run(self, stop: asyncio.Event) -> None:
        """Listen on every platform until `stop` is set or all of them have ended; then close in order.

        Raise StoreError when the store has failed: what was not stored was not done, so the next start goes on from it.
        """
        await self.start()
        log.info("started", version=__version__, data=self.config.bot.data_dir, platforms=_answerable(self))
        house = Tasks(self.fatal.hear)
        house.spawn("heartbeat", self._beats())
        house.spawn("sweeper", self._sweeps())
        house.spawn("checkup", self._looks_over())
        house.spawn("stalls", self.stalls.run())
        house.spawn("watch", self.watch.run())
        house.spawn("outages", self.sender.queues.keep_trying())
        house.spawn("monitor", self.watch.call_monitor())
        if self.foreign is not None:
            self.foreign.start(house)
        for name in self.edges.platforms:
            house.spawn(f"menu of {name}", self.publish(name))
        house.spawn("warming", self._warm())
        ears = [house.spawn(f"platform {name}", self.watch.listen(name, self.manager)) for name in self.edges.platforms]
        ends = [house.spawn("stop", stop.wait()), house.spawn("store failure", self.fatal.wait())]
        while not any(task.done() for task in ends) and not all(task.done() for task in ears):
            left = [task for task in (*ends, *ears) if not task.done()]
            await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        await house.close()
        if self.fatal.error is not None:
            await self.watch.last_words(_farewell(self.fatal.error))
        reason = "stopped by a signal" if stop.is_set() else "every platform has ended"
        await self._leave(reason)
        log.info("stopped", reason=reason)

    async def _warm(self) -> None:
        """Make ready what messages will need, as soon as nobody waits for the start any more."""
        for platform in self.edges.platforms.values():
            await has_started(platform, self.edges.clock)
        await self.beat()  # who looks from outside now sees how the platforms are
        await asyncio.to_thread(self.load_the_rest)
        self.open_cortex()
        await asyncio.to_thread(prompts.warm)
        # counting needs the token table only now and then, but then nobody should have to wait for it
        await self.edges.counter.warm(("ready",))

    async def publish(self, name: str) -> None:
        """Make the commands known to a platform's own menu, once it can be reached."""
        platform = self.edges.platforms[name]
        await has_started(platform, self.edges.clock)
        await platform.publish(menu(tiers_of(self.config).get(name, Tiers())))

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
            raise type(self.fatal.error)(_farewell(self.fatal.error)) from self.fatal.error

    async def beat(self, exit_reason: str = "") -> None:
        """Keep a sign of life."""
        now = self.edges.clock.now()
        heartbeat = Heartbeat(
            instance=self.edges.store.instance,
            pid=os.getpid(),
            started_at=self.started_at,
            at=now,
            version=__version__,
            adapters=adapters_of(self.edges, self.started_at),
            servers=self.foreign.health() if self.foreign is not None else (),
            exit_reason=exit_reason,
            unreported=self.watch.unreported,
            silence=self.watch.silence,
            stale=await self.running.stale_lately(),
            clock_doubt=self.trusted_clock.doubt(now),
            proven_at=self.trusted_clock.proven_at,
        )
        await self.edges.store.beat(heartbeat)

    async def sweep(self) -> bool:
        """Wipe what is too old, put conversations away, and see to the daily copy; False if the clock is not believed.

        Conversations remember what may have been wiped. What a person asked to be taken out goes whatever time it is.
        """
        retention, now = retention_of(self.config), self.edges.clock.now()
        doubt = self.trusted_clock.doubt(now)
        gone = {} if doubt else await self.edges.store.sweep(retention, now)
        if await self.edges.store.erasures.unfinished():
            gone["forgotten"] = await self.open_cortex().forgetting.finish()
        if doubt:
            log.warning("nothing_swept", why=doubt, evicted=_put_away(self.registry))
            return False
        if retention.messages_ms:
            folder = Path(self.config.bot.data_dir) / OUTGOING
            gone["files"] = await asyncio.to_thread(remove_older, folder, now - retention.messages_ms)
        gone["workspaces"] = await self.mind.workspaces.sweep(now)
        data, store = Path(self.config.bot.data_dir), self.edges.store
        gone["taken_back"] = await Expiring(store.sent_files, self.edges.platforms, data).run(now)
        gone["overdue"] = await close_overdue(_overdue(self), now, _longest_turn(self.config))
        log.info("swept", evicted=_put_away(self.registry), **gone)
        await self._back_up(retention, now)
        return True

    async def _back_up(self, retention: Retention, now: int) -> None:
        # after the wiping, so that a copy holds nothing that is too old already; by the same moment, because the clock
        # may have leapt meanwhile
        done = await self.edges.store.back_up(retention, now)
        if done.state == "made":
            log.info("backed_up", path=done.path, bytes=done.size)
        elif done.why:
            log.error("backup_failed", state=done.state, why=done.why)

    async def _beats(self) -> None:
        # soon, because whoever has just started it looks whether it runs
        wait = FIRST_BEAT_SECONDS
        while True:
            await self.edges.clock.sleep(wait)
            await self.beat()
            wait = BEAT_SECONDS

    async def _looks_over(self) -> None:
        # not at once: whoever has just started it writes to it
        await self.edges.clock.sleep(FIRST_LOOK_SECONDS)
        while True:
            try:
                await self.edges.store.look_over(LOOK_SECONDS)
            except StoreError as error:
                # what cannot be looked at is what `doctor` names; nothing else depends on it
                log.warning("look_over_failed", error=str(error))
            await self.edges.clock.sleep(BEAT_SECONDS)

    async def _sweeps(self) -> None:
        # soon, because a bot that is started anew every hour would else never come to it
        wait = first = min(FIRST_SWEEP_SECONDS, self.config.retention.sweep_minutes * 60)
        while True:
            await self.edges.clock.sleep(wait)
            # a platform may say soon what time it is
            wait = self.config.retention.sweep_minutes * 60 if await self.sweep() else first


def _farewell(error: StoreError) -> str:
    # what another start finds damaged it refuses, and nobody may be told that it goes on
    return f"Stopped. {error}" if isinstance(error, DamagedDatabase) else f"{_STOPPED} {error}"


def _answerable(app: App) -> str:
    """Say what is listened to, and how many there are whom the cortex answers."""
    tiers = tiers_of(app.config)
    counts = ((name, len(tiers[name].owners | tiers[name].admins)) for name in app.edges.platforms)
    return ", ".join(f"{name} ({f'{count} may ask' if count else _NOBODY})" for name, count in counts)


def _put_away(registry: ChannelRegistry) -> int:
    known = registry.keys()
    # one that is at work is left to the next sweep
    idle = [key for key in known if registry.queues.lane(key) is None]
    live = [channel for key in idle if (channel := registry.live(key)) is not None]
    return sum(registry.unregister(channel.key, channel.generation) for channel in live)


async def _tell_late(app: App) -> None:
    """Tell admins what came back for them alone and was not told before the program ended."""
    for process in await app.edges.store.processes.unrelayed():
        if process.body.session:
            app.open_cortex().private_work.ended(process)


def _overdue(app: App) -> Overdue:
    async def owed(turn: StoredTurn) -> NewOutbox | None:
        return await app.open_cortex().owed(turn)

    def is_live(turn: StoredTurn) -> bool:
        if turn.kind in {ProcessKind.BRANCH, ProcessKind.WORKER}:
            return app.mind.work.roster.is_live(turn.id)
        if turn.kind is not ProcessKind.CHANNEL:
            return app.open_cortex().busy
        channel = app.registry.live(turn.key)
        return channel is not None and channel.running_turn == turn.id

    return Overdue(app.edges.store, owed, is_live, app.sender.enqueue)


def _longest_turn(config: Config) -> int:
    """Return after how many milliseconds a turn cannot be at work any more, however slow the machine is."""
    seconds = max(config.model.turn_timeout, config.cortex.seconds) * 2 + LOCAL_SECONDS
    return round(1000 * seconds) + 10 * 60_000


async def _forget_lessons(edges: Edges) -> None:
    """Forget what was learnt of services of which the operator wants nothing to be learnt."""
    lessons, silent = edges.store.lessons, {n for n, one in edges.providers.items() if not one.dialects.learns}
    await lessons.forget({one.model for one in lessons.known if one.model.partition("/")[0] in silent})


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
        journal_bytes=days.journal_mb * 1_000_000,
        backups_ms=round(days.backups_hours * _HOUR_MS),
    )
