"""Discord over a world, as a test holds it: where it is, what it heard, what shall go wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.servers.model.listener import HOST, Listener

from .books import Books, known
from .dispatch import Dispatch
from .faults import EventFault, Fault
from .values import Json
from .world import World


class DiscordServer(Books):
    """A Discord server; point a bot at `api_url`, `cdn_url` and `gateway_url`.

    `gateway` breaks connections and sessions. `problems` keeps exceptions of this server or of a test's own functions;
    closing raises them.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world, Dispatch(world))
        self.gateway = self.dispatch.gateway
        self.problems = self.dispatch.problems
        self._listener = Listener(self.dispatch.handle)
        world.address = f"http://{HOST}:{self._listener.port}"

    @property
    def api_url(self) -> str:
        """Name what stands for `https://discord.com/api/v10`."""
        return f"{self.world.address}/api/v10"

    @property
    def cdn_url(self) -> str:
        """Name what stands for `https://cdn.discordapp.com`."""
        return f"{self.world.address}/cdn"

    @property
    def gateway_url(self) -> str:
        """Name what stands for `wss://gateway.discord.gg/`."""
        return f"{self.world.address.replace('http', 'ws')}/gateway"

    def fault(
        self,
        operation: str,
        fault: Fault,
        *,
        nth: int = 1,
        times: int = 1,
        when: Callable[[Json], bool] | None = None,
    ) -> None:
        """Let the nth matching call from now on go wrong, and `times - 1` more after it; `*` is any.

        `when` is asked with the body, and with the parts of the path and query under `path` and `query`.
        """
        self.dispatch.faults.plan(known(operation), fault, nth=nth, times=times, when=when)

    def fault_event(
        self,
        event: str,
        fault: EventFault,
        *,
        nth: int = 1,
        times: int = 1,
        when: Callable[[Json], bool] | None = None,
    ) -> None:
        """Let the nth matching event from now on go wrong on its way, and `times - 1` more after it; `*` is any."""
        self.gateway.faults.plan(event, fault, nth=nth, times=times, when=when)  # type: ignore[arg-type]

    def release(self) -> None:
        """Let the calls that hang now go on."""
        self.dispatch.gate.release()

    async def refuse(self) -> None:
        """Drop every connection, and refuse connections until `accept`."""
        await self._listener.refuse()

    async def accept(self) -> None:
        """Accept connections again, on the same port."""
        await self._listener.accept()

    async def open(self) -> None:
        """Start listening; `discord_server` does it for you."""
        await self._listener.open()

    async def close(self) -> None:
        """Let go of everything that hangs, and stop."""
        self.dispatch.gate.release()
        self.gateway.drop()
        await self._listener.close()


@asynccontextmanager
async def discord_server(world: World) -> AsyncIterator[DiscordServer]:
    """Run a Discord server for a test; closing it waits for nobody, and raises `problems`."""
    server = DiscordServer(world)
    await server.open()
    try:
        yield server
    finally:
        await server.close()
    if server.problems:
        raise ExceptionGroup("the server or a test's own function raised", server.problems)
