"""The Bot API over a world, as a test holds it: where it is, what it heard, what shall go wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.servers.model.listener import HOST, Listener

from .dispatch import Call, Dispatch
from .faults import Fault
from .values import Bot, Json
from .world import World

SECOND = 0.005  # how long a second of a long poll takes here


class TelegramServer:
    """A Bot API server; point a bot at `base_url` and `base_file_url`.

    `address` may be set to that of something that stands before it.
    `problems` keeps exceptions of this server or of a test's own functions; closing raises them.
    """

    def __init__(self, world: World, second: float = SECOND) -> None:
        self.world = world
        self.dispatch = Dispatch(world, second)
        self.problems = self.dispatch.problems
        self._listener = Listener(self.dispatch.handle)
        self.address = f"http://{HOST}:{self._listener.port}"

    @property
    def base_url(self) -> str:
        """Name what a bot puts before its token."""
        return f"{self.address}/bot"

    @property
    def base_file_url(self) -> str:
        """Name what a bot puts before its token to download a file."""
        return f"{self.address}/file/bot"

    def calls(self, method: str | None = None) -> list[Call]:
        """List the calls in the order they came, of one method or of all."""
        return [call for call in self.dispatch.log if method is None or call.method.lower() == method.lower()]

    def forget_calls(self) -> None:
        """Drop the calls so far, for a run that is too long to remember."""
        self.dispatch.log.clear()

    def fault(
        self,
        method: str,
        fault: Fault,
        *,
        nth: int = 1,
        times: int = 1,
        when: Callable[[Json], bool] | None = None,
    ) -> None:
        """Let the nth matching call from now on go wrong, and `times - 1` more after it; `*` is any.

        A download is a call of the method `file`, with the parameter `path`.
        """
        self.dispatch.faults.plan(method, fault, nth=nth, times=times, when=when)

    def set_second(self, second: float) -> None:
        """Let a second of a long poll take so long from now on."""
        self.dispatch.second = second

    def release(self) -> None:
        """Let the calls that hang now go on."""
        self.dispatch.gate.release()

    async def heard(self, method: str, count: int = 1) -> list[Call]:
        """Wait until a method was called so often, answered or not, and return those calls."""
        await self.until(lambda: len(self.calls(method)) >= count)
        return self.calls(method)

    async def called(self, method: str, count: int = 1) -> list[Call]:
        """Wait until a method was called so often and so many of its calls are over, and return its calls."""
        await self.until(lambda: sum(1 for call in self.calls(method) if call.is_over) >= count)
        return self.calls(method)

    async def hung(self, count: int = 1) -> None:
        """Wait until so many calls hang."""
        await self.until(lambda: self.dispatch.gate.hanging >= count)

    async def caught_up(self, bot: Bot | None = None) -> None:
        """Wait until a bot has confirmed every update and polls for more."""
        inlet = (bot or self.world.only_bot()).inlet
        await self.until(lambda: inlet.is_polled and not inlet.pending)

    async def until(self, question: Callable[[], bool]) -> None:
        """Wait until something is so, such as a line in a transcript; asked again when a call comes, hangs or ends."""
        while not question():
            self.dispatch.changed.clear()
            await self.dispatch.changed.wait()

    async def refuse(self) -> None:
        """Drop every connection, and refuse connections until `accept`."""
        await self._listener.refuse()

    async def accept(self) -> None:
        """Accept connections again, on the same port."""
        await self._listener.accept()

    async def open(self) -> None:
        """Start listening; `telegram_server` does it for you."""
        await self._listener.open()

    async def close(self) -> None:
        """Let go of everything that hangs, and stop."""
        for bot in self.world.bots.values():
            bot.inlet.wake()
        self.dispatch.gate.release()
        await self._listener.close()


@asynccontextmanager
async def telegram_server(world: World, second: float = SECOND) -> AsyncIterator[TelegramServer]:
    """Run a Bot API server for a test; closing it waits for nobody, and raises `problems`."""
    server = TelegramServer(world, second)
    await server.open()
    try:
        yield server
    finally:
        await server.close()
    if server.problems:
        raise ExceptionGroup("the server or a test's own function raised", server.problems)
