"""How a bot lives: start it, run it, let it come to rest, close it."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import structlog

from bot import __version__, prompts, sentences
from bot.app.core import BotCore
from bot.app.gauges import BotGauges
from bot.app.maintenance import Maintenance
from bot.domain.access import AuthorityTiers
from bot.domain.recovery_scope import EVERYTHING, RecoveryScope
from bot.errors import DamagedDatabase, LeaseLost, StoreError
from bot.messaging.commands.table import menu
from bot.messaging.delivery.poster import has_started
from bot.messaging.intake.forwarding_listener import drain
from bot.messaging.intake.left_work import LeftWork
from bot.messaging.policy.access import tiers_of
from bot.mind import claim_check
from bot.ports.edges import Edges
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say

if TYPE_CHECKING:
    from bot.domain.turn import TurnOutcome
    from bot.plugins.chat_parts import GuardedHook
    from bot.plugins.guard import PartGuard
    from bot.ports.page_server import PageServer

log = structlog.get_logger(__name__)

STOP_SECONDS = 5.0


class Lifecycle(BotCore):
    """What a bot does from its start to its end."""

    @cached_property
    def maintenance(self) -> Maintenance:
        return Maintenance(self)

    @cached_property
    def gauges(self) -> BotGauges:
        return BotGauges(self.edges, self.fatal, self.stalls)

    @abstractmethod
    def load_the_rest(self) -> None:
        """Load what a start leaves out; call it from a thread."""

    @abstractmethod
    async def show_pages(self, open_server: Callable[[], PageServer]) -> None:
        """Answer browsers until cancelled."""

    async def start(self) -> None:
        """Take up what an earlier process left; nothing may arrive before."""
        if self.edges.traces is not None:
            self.edges.traces.know_tools(lambda name: self.mind.toolbox.knows(name))
        last = await self.edges.store.heartbeat()
        self.trusted_clock.wake(last)
        self.watch.wake(last)
        await self.maintenance.beat()
        await forget_lessons(self.edges)
        if self.plugins.records:
            self.watch_plugins()
        self.watch.note_recovery(await self.manager.start())
        await self.tell_late(EVERYTHING)
        if self.edges.store.relay is not None:
            await drain(self.edges.store.relay, self.edges.platforms, self.manager, self.sender.say)
        self.gauges.note_start()

    async def run(self, stop: asyncio.Event) -> None:
        """Listen on every platform until `stop` is set or all of them have ended; then close in order.

        Raise StoreError when the store has failed: what was not stored was not done, so the next start goes on from it.
        """
        await self.start()
        log.info("started", version=__version__, data=self.config.bot.data_dir, platforms=self._answerable())
        house = TaskSupervisor(self.fatal.hear)
        self.keep_house(house)
        self.serve(house)
        ears = [house.spawn(f"platform {name}", self.watch.listen(name, self.manager)) for name in self.edges.platforms]
        await self.last(house, ears, stop)

    def serve(self, house: TaskSupervisor) -> None:
        """Begin what each process needs that answers people."""
        house.spawn("stalls", self.stalls.run())
        house.spawn("outages", self.sender.queues.keep_trying())
        if self.edges.exporter is not None:
            house.spawn("metrics", self.edges.exporter.serve(self.gauges.read))
        if self.edges.traces is not None:
            house.spawn("traces", self.edges.traces.run())
        if self.foreign is not None:
            self.foreign.start(house)
        house.spawn("warming", self._warm())

    def keep_house(self, house: TaskSupervisor) -> None:
        """Begin what is done once for the whole bot."""
        house.spawn("heartbeat", self.maintenance.beats())
        house.spawn("sweeper", self.maintenance.sweeps())
        house.spawn("checkup", self.maintenance.looks_over())
        house.spawn("watch", self.watch.run())
        house.spawn("rights", self._watch_rights())
        house.spawn("monitor", self.watch.call_monitor())
        if self.edges.open_page_server is not None:
            house.spawn("web page", self.show_pages(self.edges.open_page_server))
        for name in self.edges.platforms:
            house.spawn(f"menu of {name}", self.publish(name))
        house.spawn("vectors", self._keep_vectors())

    async def last(self, house: TaskSupervisor, ears: Sequence[asyncio.Task[None]], stop: asyncio.Event) -> None:
        """Wait until `stop` is set, all `ears` have ended or the store has failed; then close in order."""
        ends = [house.spawn("stop", stop.wait()), house.spawn("store failure", self.fatal.wait())]
        while not any(task.done() for task in ends) and not all(task.done() for task in ears):
            left = [task for task in (*ends, *ears) if not task.done()]
            await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        await house.close()
        if self.fatal.error is not None and not isinstance(self.fatal.error, LeaseLost):
            await self.watch.last_words(partial(_farewell, self.fatal.error))
        reason = say("lifecycle.by-signal" if stop.is_set() else "lifecycle.platforms-ended")
        await self._leave(reason)
        log.info("stopped", reason=reason)

    async def publish(self, name: str) -> None:
        """Make the commands known to a platform's own menu, once it can be reached."""
        platform = self.edges.platforms[name]
        await has_started(platform, self.edges.clock)
        await platform.publish(
            menu(tiers_of(self.config).get(name, AuthorityTiers()), self.config, self.plugins.commands)
        )

    def watch_plugins(self) -> None:
        """Tell admins of every part of a plugin that is switched off; rules are asked in threads of their own."""
        loop, tell = asyncio.get_running_loop(), self.alerts.tell

        def told(guard: PartGuard) -> None:
            faults = guard.faults

            def words() -> str:
                return say("plugins.off-alert", plugin=guard.origin, part=guard.part, faults=faults)

            loop.call_soon_threadsafe(lambda: self.task_groups.background.spawn("alert of a plugin", tell(words)))

        self.plugins.switched_off.listen(told)
        for hook in self.plugins.hooks:
            self.outcomes.watch(partial(self._hand_on, hook))

    def _hand_on(self, hook: GuardedHook, turn: TurnOutcome) -> None:
        self.task_groups.background.spawn(f"hook {hook.name}", hook.hear(turn))

    async def settled(self) -> None:
        """Return when nothing is under way any more."""
        await self.task_groups.idle()

    async def close(self, reason: str) -> None:
        """Let what is being sent arrive, leave the rest to the next start, and leave word why."""
        for tasks in (self.task_groups.messaging, self.task_groups.cortex, self.task_groups.background):
            await tasks.close()
        await self.task_groups.sending.close(STOP_SECONDS)
        await self.maintenance.beat(reason)

    async def _watch_rights(self) -> None:
        """Watch over rights, once the platforms are there to be asked."""
        for platform in self.edges.platforms.values():
            await has_started(platform, self.edges.clock)
        await asyncio.to_thread(self.load_the_rest)
        await self.rights.run()

    async def _keep_vectors(self) -> None:
        """Make the vectors that memories are found by; where no model is configured for it none are kept."""
        for platform in self.edges.platforms.values():
            await has_started(platform, self.edges.clock)
        if self.edges.embedder is None:
            await self.edges.store.vectors.drop_others("")
            return
        await asyncio.to_thread(self.load_the_rest)
        if self.mind.meaning is not None:
            await self.mind.meaning.run()

    async def tell_late(self, scope: RecoveryScope) -> None:
        """Tell admins what came back for them alone and was not told before the program ended."""
        for process in await LeftWork(self.edges.store, scope).untold():
            self.cortex.private_work.ended(process)

    async def _warm(self) -> None:
        """Make ready what messages will need, as soon as nobody waits for the start any more."""
        for platform in self.edges.platforms.values():
            await has_started(platform, self.edges.clock)
        await self.maintenance.beat()  # who looks from outside now sees how the platforms are
        # who writes meanwhile waits for the interpreter, and for nothing that anybody could mend
        with self.stalls.expected():
            await asyncio.to_thread(self.load_the_rest)
            _ = self.cortex  # made now: the first admin who asks should not wait for it
            await asyncio.to_thread(prompts.warm)
            await asyncio.to_thread(sentences.warm)
            await asyncio.to_thread(claim_check.warm)
            # counting needs the token table only now and then, but then nobody should have to wait for it
            await self.edges.counter.warm(("ready",))

    async def _leave(self, reason: str) -> None:
        try:
            failed = self.fatal.error
            await self.close(say("lifecycle.store-failed", why=str(failed)) if failed else reason)
        except StoreError as error:
            await self.fatal.hear("closing", error)
        if self.fatal.error is not None:
            raise type(self.fatal.error)(partial(_farewell, self.fatal.error)) from self.fatal.error

    def _answerable(self) -> str:
        """Say what is listened to, and how many there are whom the cortex answers."""
        tiers = tiers_of(self.config)
        counts = ((name, len(tiers[name].owners | tiers[name].admins)) for name in self.edges.platforms)
        return ", ".join(f"{name} ({_who_may_ask(count)})" for name, count in counts)


def _farewell(error: StoreError) -> str:
    # what another start finds damaged it refuses, and nobody may be told that it goes on
    goes_on = not isinstance(error, DamagedDatabase | LeaseLost)
    return say("lifecycle.stopped-by-store" if goes_on else "lifecycle.stopped", why=str(error))


def _who_may_ask(count: int) -> str:
    return say("lifecycle.may-ask", count=count) if count else say("lifecycle.nobody-may-ask")


async def forget_lessons(edges: Edges) -> None:
    """Forget what was learnt of services of which the operator wants nothing to be learnt."""
    lessons, silent = edges.store.lessons, {n for n, one in edges.providers.items() if not one.dialects.learns}
    await lessons.forget({one.model for one in lessons.known if one.model.partition("/")[0] in silent})
