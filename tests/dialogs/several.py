"""A gateway and two workers in the place of one bot: three processes on one database, in one event loop.

Private chats are one worker's and everything else the other's, so that a talk about a group is always with the process
that does not have it. Nobody waits for a notice of the database: who hands something on rings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.app.bot import Bot
from bot.app.gateway_process import GatewayProcess
from bot.app.worker_process import WorkerProcess
from bot.config import LoadedConfig
from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor
from bot.ports.edges import Edges
from bot.ports.leases import Lease, Leases
from bot.ports.relay import Relay, RelayedEvent
from bot.ports.store import Store

PARTS: Mapping[str, Mapping[str, bool]] = {
    "gateway": {"speaks": False},
    "worker of groups": {"listens": False},
    "worker of private chats": {"listens": False},
}
"""The processes, by what each of them leaves to the others on the platform."""

Wants = Callable[[ChannelId], bool]


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

    def __getattr__(self, name: str) -> Any:
        return getattr(self._leases, name)


class SeveralProcesses:
    """What stands in the place of one bot. `workers` are bots, `gateway` is what listens."""

    def __init__(
        self, leases: Sequence[Leases], edges: Sequence[Edges], loaded: LoadedConfig, is_private: Wants
    ) -> None:
        self.bell = Doorbell()
        self.edges = edges
        self._leases = leases
        heard, *answering = edges
        relay: Any = RungRelay(_relay_of(heard.store), self.bell)
        self.gateway = GatewayProcess(
            store=heard.store, relay=relay, leases=leases[0], platforms=heard.platforms, clock=heard.clock
        )
        wanted: tuple[Wants, Wants] = (lambda channel: not is_private(channel), is_private)
        picky: list[Any] = [PickyLeases(one, which) for one, which in zip(leases[1:], wanted, strict=True)]
        self.workers = [
            WorkerProcess(Bot(edge, loaded), one, _relay_of(edge.store))
            for edge, one in zip(answering, picky, strict=True)
        ]
        self._tasks: list[asyncio.Task[Any]] = []

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
            self._tasks.append(loop.create_task(self.bell.answer(worker)))
            bot = worker.bot
            self._tasks += [loop.create_task(bot.watch.listen(name, bot.manager)) for name in bot.edges.platforms]
            self._tasks.append(loop.create_task(bot.sender.queues.keep_trying()))
        self._tasks += [loop.create_task(self.gateway.listen(name)) for name in self.gateway.platforms]

    async def deaf(self) -> None:
        """Let nobody hear anything more."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def settled(self) -> None:
        """Wait until what was handed on is handled, and nothing is under way any more."""
        while True:
            for bot in self.bots:
                await bot.settled()
            left = await _relay_of(self.gateway.store).events(None, 1)
            if left.events:
                self.bell.ring()
                await asyncio.sleep(0.001)
            elif not self.bell.busy and not any(tasks.busy for bot in self.bots for tasks in bot.task_groups):
                return

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


def _relay_of(store: Store) -> Relay:
    assert store.relay is not None
    return store.relay
