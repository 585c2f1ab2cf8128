"""A gateway and two workers in the place of one bot: three processes on one database, in one event loop.

Private chats are one worker's and everything else the other's, so that a talk about a group is always with the process
that does not have it. Nobody waits for a notice of the database: who hands something on rings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from bot.app.bot import Bot
from bot.app.gateway_process import GatewayProcess
from bot.app.worker_process import Shares, WorkerProcess
from bot.config import LoadedConfig
from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor
from bot.ports.edges import Edges
from bot.ports.leases import Lease, Leases, ProcessSeen
from bot.ports.relay import Relay, RelayedEvent
from bot.ports.store import Store

PARTS: Mapping[str, Mapping[str, bool]] = {
    "gateway": {"speaks": False},
    "worker of groups": {"listens": False},
    "worker of private chats": {"listens": False},
}
"""The processes, by what each of them leaves to the others on the platform."""

Wants = Callable[[ChannelId], bool]
Ends = Callable[[Leases], Awaitable[None]]
"""Lets everybody know of a process that it is over."""


class Doorbell:
    """Wakes every worker. `busy` while any of them looks."""

    def __init__(self) -> None:
        self._bells: list[asyncio.Event] = []
        self._looking = 0

    @property
    def busy(self) -> bool:
        return self._looking > 0 or any(bell.is_set() for bell in self._bells)

    def ring(self) -> None:
        for bell in self._bells:
            bell.set()

    async def answer(self, worker: WorkerProcess) -> None:
        """Let a worker look each time that it rings, until cancelled."""
        bell = asyncio.Event()
        self._bells.append(bell)
        try:
            while True:
                await bell.wait()
                self._looking += 1
                bell.clear()
                try:
                    await worker.holder.look()
                finally:
                    self._looking -= 1
        finally:
            self._bells.remove(bell)


class RungRelay:
    """The relay of a gateway, which rings whenever something was handed on."""

    def __init__(self, relay: Relay, bell: Doorbell) -> None:
        self._relay = relay
        self._bell = bell

    async def pass_on(self, events: Sequence[RelayedEvent], cursor: StreamCursor | None) -> None:
        await self._relay.pass_on(events, cursor)
        self._bell.ring()

    async def ask(self, channel: ChannelId, body: str, seconds: float) -> str | None:
        asking = asyncio.get_running_loop().create_task(self._relay.ask(channel, body, seconds))
        while not asking.done():
            await asyncio.wait([asking], timeout=0.005)
            self._bell.ring()
        return asking.result()


class PickyLeases:
    """The leases of a worker that takes only what it `wants`."""

    def __init__(self, leases: Leases, wants: Wants) -> None:
        self._leases = leases
        self.wants = wants

    async def take_channels(self, wanted: Sequence[ChannelId], most: int) -> Sequence[Lease]:
        return await self._leases.take_channels([one for one in wanted if self.wants(one)], most)

    async def processes(self) -> Sequence[ProcessSeen]:
        """Tell of nobody, who would be let go first."""
        return ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._leases, name)


class SeveralProcesses:
    """What stands in the place of one bot. `workers` are bots, `gateway` is what listens."""

    def __init__(
        self, leases: Sequence[Leases], edges: Sequence[Edges], loaded: LoadedConfig, is_private: Wants, ends: Ends
    ) -> None:
        self.bell = Doorbell()
        self._ends = ends
        self.edges = edges
        self._leases = leases
        heard, *answering = edges
        relay: Any = RungRelay(_relay_of(heard.store), self.bell)
        self.gateway = GatewayProcess(
            store=heard.store,
            relay=relay,
            leases=leases[0],
            platforms=heard.platforms,
            clock=heard.clock,
            config=loaded.config,
        )
        wanted: tuple[Wants, Wants] = (lambda channel: not is_private(channel), is_private)
        picky: list[Any] = [PickyLeases(one, which) for one, which in zip(leases[1:], wanted, strict=True)]
        self.workers = [
            WorkerProcess(edge, loaded, Shares(one, _relay_of(edge.store), ""))
            for edge, one in zip(answering, picky, strict=True)
        ]
        for bot in self.bots:
            # what is said again and again would keep time from standing still; in the program it is rows
            bot.edges = bot.edges._replace(listener=lambda name: heard.platforms[name].health())
        self._tasks: list[asyncio.Task[Any]] = []
        self._own: dict[WorkerProcess, list[asyncio.Task[Any]]] = {}

    @property
    def bots(self) -> list[Bot]:
        return [worker.bot for worker in self.workers]

    @property
    def stores(self) -> list[Store]:
        return [edge.store for edge in self.edges]

    async def start(self) -> None:
        """Take up what was left, and listen."""
        loop = asyncio.get_running_loop()
        for worker in self.workers:
            await worker.start()
            await worker.holder.look()
            bot = worker.bot
            works = [self.bell.answer(worker), bot.sender.queues.keep_trying()]
            works += [bot.watch.listen(name, bot.manager) for name in bot.edges.platforms]
            self._own[worker] = [loop.create_task(work) for work in works]
        listens = self.gateway.platforms.items()
        self._tasks += [loop.create_task(platform.run(self.gateway.listener(name))) for name, platform in listens]

    async def kills(self, worker: WorkerProcess) -> None:
        """Let a worker end as one that is killed: nothing of it is stored any more, and nobody hears of it."""
        at = self.workers.index(worker) + 1
        await self._ends(self._leases[at])
        await _ended(self._own.pop(worker))
        edge = worker.bot.edges
        for platform in edge.platforms.values():
            await platform.close()
        for tasks in worker.bot.task_groups:
            await tasks.close()
        await edge.store.close()
        await self._leases[at].close()
        self.workers.remove(worker)
        self.edges = [one for one in self.edges if one.store is not edge.store]
        self._leases = [one for one in self._leases if one is not self._leases[at]]

    async def takes_everything(self, worker: WorkerProcess) -> None:
        """Let a worker take whatever there is."""
        leases: Any = worker.holder.leases
        leases.wants = lambda channel: True
        await worker.holder.look()

    async def deaf(self) -> None:
        """Let nobody hear anything more."""
        await _ended([*self._tasks, *(task for own in self._own.values() for task in own)])

    async def settled(self) -> None:
        """Wait until what was handed on is handled, and nothing is under way any more."""
        while True:
            for bot in self.bots:
                await bot.settled()
            await self.handled()
            if not any(tasks.busy for bot in self.bots for tasks in bot.task_groups):
                return

    async def handled(self) -> None:
        """Wait until what was handed on is handled; what comes of it may be under way."""
        while (await _relay_of(self.gateway.store).events(None, 1)).events or self.bell.busy:
            self.bell.ring()
            await asyncio.sleep(0.002)

    async def close(self) -> None:
        """End in order."""
        for bot in self.bots:
            await bot.close("the test ends")
        await self.let_go()

    async def let_go(self) -> None:
        """Close what was opened; the platforms are closed by whoever made them."""
        for edge, leases in zip(self.edges, self._leases, strict=True):
            await edge.store.close()
            await leases.close()


async def _ended(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


def _relay_of(store: Store) -> Relay:
    assert store.relay is not None
    return store.relay
