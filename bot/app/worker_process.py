"""The life of a process that answers in channels which it shares with others; another one listens for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

import structlog

from bot import __version__
from bot.app.bot import Bot
from bot.app.channel_holder import ChannelHolder
from bot.app.core import ChannelSharing
from bot.app.heard_platforms import HeardPlatforms
from bot.app.lease_keeper import ProcessRole, unless_away
from bot.app.lifecycle import forget_lessons
from bot.config import LoadedConfig
from bot.cortex.service.press_targets import changed_channel
from bot.domain.health import ChannelProcess, Heartbeat
from bot.domain.ids import ChannelId
from bot.messaging.intake.forwarding_listener import leased_with
from bot.ports.edges import Edges
from bot.ports.leases import HOUSE, Leases, ProcessSeen
from bot.ports.relay import Relay
from bot.runtime.tasks import TaskSupervisor

log = structlog.get_logger(__name__)

HOUSE_SECONDS = 2.0
"""Seconds after which it looks again whether somebody does what is done once for the whole bot."""


class Shares(NamedTuple):
    """What a process has in common with the others: `own` is the lease by which they know that it lives."""

    leases: Leases
    relay: Relay
    own: str


class WorkerProcess:
    """A bot that takes channels as there is work in them. Whoever has the house does what is done once for all."""

    def __init__(self, edges: Edges, loaded: LoadedConfig, shares: Shares) -> None:
        self.heard = HeardPlatforms(edges.store, edges.clock)
        sharing = ChannelSharing(
            has=lambda channel: self.holder.has(channel),
            reload_elsewhere=lambda key: self.holder.reload_elsewhere(key),
            elsewhere=self._elsewhere,
        )
        self.bot = Bot(edges._replace(listener=self.heard.of), loaded, sharing)
        self._leases, self._relay, self._own = shares
        self._seen: set[str] = set()
        self._is_at_home = False

    @cached_property
    def holder(self) -> ChannelHolder:
        bot = self.bot
        return ChannelHolder(
            manager=bot.manager,
            leases=self._leases,
            relay=self._relay,
            platforms=bot.edges.platforms,
            clock=bot.edges.clock,
            tasks=bot.task_groups.messaging,
            moves=lambda: bot.edges.store.channels.moves,
            taken_up=bot.tell_late,
            refresh=self._refresh,
            put_away=self._put_away,
            others=self._others,
            changes=partial(changed_channel, bot.edges.store),
            send=bot.sender.say,
        )

    async def _refresh(self) -> None:
        await self.bot.manager.refresh()
        await self.bot.edges.store.lessons.load()

    async def _elsewhere(self, channel: ChannelId) -> ChannelProcess | None:
        return None if self.holder.has(channel) else await self.bot.edges.store.process_of(channel)

    async def _watch_others(self) -> None:
        """See to what processes leave that end, wherever they were at work."""
        while True:
            await self.look_at_others()
            await self.bot.edges.clock.sleep(HOUSE_SECONDS)

    async def look_at_others(self) -> None:
        """Adopt what somebody left who was there a moment ago; who keeps the house ends those who fell silent."""
        found, before = await unless_away(self._leases.processes(), None), self._seen
        if found is None:
            return
        silent = [one for one in found if one.silent > 2 * self._leases.seconds and one.leases]
        for one in silent if self._is_at_home else ():
            await unless_away(self._leases.take(one.leases[0]), None)
        self._seen = {name for one in found if one not in silent for name in one.leases if name != HOUSE}
        many = 1 + len(self._living(found))
        for platform in self.bot.edges.platforms.values():
            platform.share(many)
        if before - self._seen:
            await self.holder.adopt()

    async def _others(self) -> Sequence[int]:
        """Return how many channels each of the other workers has that is heard from."""
        return [one.channels for one in self._living(await unless_away(self._leases.processes(), ()))]

    def _living(self, found: Sequence[ProcessSeen]) -> list[ProcessSeen]:
        """Return the other workers of these that were heard from a moment ago."""
        return [one for one in self._others_of(found) if not one.is_over and one.silent < self._leases.seconds]

    def _others_of(self, found: Sequence[ProcessSeen]) -> list[ProcessSeen]:
        """Return the other workers of these."""
        workers = [one for one in found if one.process.startswith(f"{ProcessRole.WORKER} ")]
        return [one for one in workers if self._own not in one.leases]

    def _put_away(self, place: ChannelId) -> bool:
        """Forget channels, unless something is under way there: a turn, a worker, something on its way out."""
        bot, platforms = self.bot, self.bot.edges.platforms
        at_work = bot.sender.queues.channels | bot.registry.queues.channels
        if "mind" in vars(bot):
            at_work |= bot.mind.work.roster.channels
        # for whom the cortex is at work no channel tells
        if bot.task_groups.cortex.busy or any(leased_with(channel, platforms) == place for channel in at_work):
            return False
        for key in tuple(bot.registry.keys()):
            if leased_with(key.channel, platforms) == place:
                bot.registry.forget(key)
        return True

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then bring everything to rest."""
        bot, house = self.bot, TaskSupervisor(self.bot.fatal.hear)
        await self.start()
        log.info("started", version=__version__, role="worker", data=bot.config.bot.data_dir)
        bot.serve(house)
        house.spawn("channels", self.holder.run())
        house.spawn("house", self._keep_house(house))
        house.spawn("listeners", self.heard.learn())
        house.spawn("others", self._watch_others())
        house.spawn("overdue", bot.maintenance.look_for_overdue())
        ears = [house.spawn(f"platform {name}", bot.watch.listen(name, bot.manager)) for name in bot.edges.platforms]
        await bot.last(house, ears, stop)

    async def start(self) -> None:
        """Learn what was set; nothing is taken up here: that comes channel by channel."""
        bot = self.bot
        if bot.edges.traces is not None:
            bot.edges.traces.know_tools(lambda name: bot.mind.toolbox.knows(name))
        await bot.manager.prepare()
        await forget_lessons(bot.edges)
        if bot.plugins.records:
            bot.watch_plugins()
        await self.heard.look()
        bot.gauges.note_start()

    async def _keep_house(self, house: TaskSupervisor) -> None:
        """Do what is done once for the whole bot, as soon as nobody else does."""
        await self.take_house()
        self.bot.keep_house(house)

    async def take_house(self) -> None:
        """Wait until nobody else keeps house; go on from the last sign of life then."""
        bot, before = self.bot, await unless_away(self._leases.seen(HOUSE), None)
        while await unless_away(self._leases.take(HOUSE), None) is None:
            await bot.edges.clock.sleep(HOUSE_SECONDS)
            before = await unless_away(self._leases.seen(HOUSE), before)
        last = await bot.edges.store.heartbeat()
        bot.trusted_clock.wake(last)
        bot.watch.wake(await self._by_own_clock(last, before))
        await bot.maintenance.beat()
        log.info("keeps_house")
        self._is_at_home = True

    async def _by_own_clock(self, last: Heartbeat | None, before: ProcessSeen | None) -> Heartbeat | None:
        """Say by this machine's clock when a worker was heard from last: who said so may have a wrong one."""
        found = await unless_away(self._leases.processes(), ())
        silent = min((one.silent for one in (before, *self._others_of(found)) if one is not None), default=None)
        if last is None or silent is None:
            return last
        return last.replace(at=self.bot.edges.clock.now() - round(silent * 1000))
