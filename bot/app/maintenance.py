"""What is done again and again while a bot runs: signs of life, wiping what is too old, copies, a look at the store."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot import __version__
from bot.app.adapters import health_of_platforms
from bot.app.core import BotCore
from bot.app.retention import retention_of
from bot.config import Config
from bot.cortex.alerts.made_room import tell_made_room
from bot.domain.channel import ProcessKind
from bot.domain.health import Heartbeat
from bot.domain.patience import LOCAL_SECONDS
from bot.domain.turn import NewOutbox, StoredTurn
from bot.errors import StoreError
from bot.messaging.channels.registry import ChannelRegistry
from bot.messaging.delivery.file_expiry import FileExpiry
from bot.messaging.delivery.long_reply_file import FOLDER as OUTGOING
from bot.messaging.intake.turn_watchdog import TurnWatchdog, close_overdue
from bot.ports.store import RetentionPolicy
from bot.runtime.files import remove_older

log = structlog.get_logger(__name__)

BEAT_SECONDS = 10.0
FIRST_BEAT_SECONDS = 2.0
FIRST_LOOK_SECONDS = 300.0
LOOK_SECONDS = 0.1
"""How long a slice of the look over the whole database takes, after each sign of life."""
FIRST_SWEEP_SECONDS = 60.0


@dataclass(frozen=True, eq=False)
class Maintenance:
    """Keeps a running bot in order."""

    bot: BotCore

    async def beat(self, exit_reason: str = "") -> None:
        """Keep a sign of life."""
        bot, store, now = self.bot, self.bot.edges.store, self.bot.edges.clock.now()
        heartbeat = Heartbeat(
            instance=store.instance,
            pid=os.getpid(),
            started_at=bot.started_at,
            at=now,
            version=__version__,
            adapters=health_of_platforms(bot.edges, bot.started_at),
            servers=bot.foreign.health() if bot.foreign is not None else (),
            exit_reason=exit_reason,
            unreported=bot.watch.unreported,
            silence=bot.watch.silence,
            stale=await bot.running.stale_lately(),
            clock_doubt=bot.trusted_clock.doubt(now),
            proven_at=bot.trusted_clock.proven_at,
        )
        await store.beat(heartbeat)

    async def sweep(self) -> bool:
        """Wipe what is too old, put conversations away, and see to the daily copy; False if the clock is not believed.

        Conversations remember what may have been wiped. What a person asked to be taken out goes whatever time it is.
        """
        bot, store, config = self.bot, self.bot.edges.store, self.bot.config
        retention, now = retention_of(config), bot.edges.clock.now()
        doubt = bot.trusted_clock.doubt(now)
        gone = {} if doubt else await store.sweep(retention, now)
        gone["crowded_out"] = 0 if doubt else await self._make_room(now)
        if await store.erasures.unfinished():
            gone["forgotten"] = await bot.cortex.forgetting.finish()
        if doubt:
            log.warning("nothing_swept", why=doubt, evicted=_evict_idle(bot.registry))
            return False
        data = Path(config.bot.data_dir)
        if retention.messages_ms:
            gone["files"] = await asyncio.to_thread(remove_older, data / OUTGOING, now - retention.messages_ms)
        gone["workspaces"] = await bot.mind.workspaces.sweep(now)
        gone["taken_back"] = await FileExpiry(store.sent_files, bot.edges.platforms, data).run(now)
        gone["overdue"] = await self.close_overdue(now)
        log.info("swept", evicted=_evict_idle(bot.registry), **gone)
        await self._back_up(retention, now)
        return True

    async def close_overdue(self, now: int) -> int:
        """End turns that run far longer than any may; return how many there were."""
        desk = TurnWatchdog(self.bot.edges.store, self._owed, self._is_live, self.bot.sender.enqueue)
        return await close_overdue(desk, now, _longest_turn(self.bot.config))

    async def look_for_overdue(self) -> None:
        """Look for such turns again and again, in a process that does not sweep."""
        while True:
            await self.bot.edges.clock.sleep(self.bot.config.retention.sweep_minutes * 60)
            await self.close_overdue(self.bot.edges.clock.now())

    async def _make_room(self, now: int) -> int:
        """Forget what a channel has no room for, and tell who runs the bot."""
        store, most = self.bot.edges.store, self.bot.config.memory.per_channel
        made = await store.memories.make_room(most, now)
        for one in made:
            await tell_made_room(store.channels, self.bot.alerts.tell, one, most)
        return sum(one.forgotten for one in made)

    async def beats(self) -> None:
        """Keep a sign of life for ever."""
        # soon, because whoever has just started it looks whether it runs
        wait = FIRST_BEAT_SECONDS
        while True:
            await self.bot.edges.clock.sleep(wait)
            await self.beat()
            wait = BEAT_SECONDS

    async def sweeps(self) -> None:
        """Sweep again and again until cancelled."""
        # soon, because a bot that is started anew every hour would else never come to it
        wait = first = min(FIRST_SWEEP_SECONDS, self.bot.config.retention.sweep_minutes * 60)
        while True:
            await self.bot.edges.clock.sleep(wait)
            # a platform may say soon what time it is
            wait = self.bot.config.retention.sweep_minutes * 60 if await self.sweep() else first

    async def looks_over(self) -> None:
        """Look over the whole database, slice by slice, for ever."""
        # not at once: whoever has just started it writes to it
        await self.bot.edges.clock.sleep(FIRST_LOOK_SECONDS)
        while True:
            try:
                await self.bot.edges.store.look_over(LOOK_SECONDS)
            except StoreError as error:
                # what cannot be looked at is what `doctor` names; nothing else depends on it
                log.warning("look_over_failed", error=str(error))
            await self.bot.edges.clock.sleep(BEAT_SECONDS)

    async def _back_up(self, retention: RetentionPolicy, now: int) -> None:
        # after the wiping, so that a copy holds nothing that is too old already; by the same moment, because the clock
        # may have leapt meanwhile
        done = await self.bot.edges.store.back_up(retention, now)
        if done.state == "made":
            log.info("backed_up", path=done.path, bytes=done.size)
        elif done.why:
            log.error("backup_failed", state=done.state, why=done.why)

    async def _owed(self, turn: StoredTurn) -> NewOutbox | None:
        return await self.bot.cortex.pending_report(turn)

    def _is_live(self, turn: StoredTurn) -> bool:
        if not self.bot.sharing.has(turn.channel):
            return True  # it is for the process to close that has the channel
        if turn.kind in {ProcessKind.BRANCH, ProcessKind.WORKER}:
            return self.bot.mind.work.roster.is_live(turn.id)
        if turn.kind is not ProcessKind.CHANNEL:
            return self.bot.task_groups.cortex.busy
        channel = self.bot.registry.live(turn.key)
        return channel is not None and channel.running_turn == turn.id


def _evict_idle(registry: ChannelRegistry) -> int:
    known = registry.keys()
    # one that is at work is left to the next sweep
    idle = [key for key in known if registry.queues.lane(key) is None]
    live = [channel for key in idle if (channel := registry.live(key)) is not None]
    return sum(registry.unregister(channel.key, channel.generation) for channel in live)


def _longest_turn(config: Config) -> int:
    """Return after how many milliseconds a turn cannot be at work any more, however slow the machine is."""
    seconds = max(config.model.turn_timeout, config.cortex.seconds) * 2 + LOCAL_SECONDS
    return round(1000 * seconds) + 10 * 60_000
