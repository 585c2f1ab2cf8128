"""A bot account on a loopback server, with ears that keep what they hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters.telegram import TelegramAdapter, create
from bot.domain.ids import ChannelId, UserId, channel_id
from bot.domain.messages import Button, OutboundAddress, OutgoingFile, OutgoingMessage
from bot.ports.platform import PlatformListener
from bot.runtime.tasks import TaskSupervisor
from tests.fakes.clock import FakeClock
from tests.fakes.ears import FakeEars
from tests.servers.telegram import Bot, Chat, Person, TelegramServer, World, telegram_server

FAST: dict[str, Any] = {"poll_timeout": 1, "request_timeout": 1.0, "connect_timeout": 1.0, "upload_timeout": 1.0}


@dataclass
class Connected:
    """One adapter and its surroundings; it polls from `listen` on. Ann has opened the bot's private chat."""

    world: World
    server: TelegramServer
    bot: Bot
    ann: Person
    clock: FakeClock = field(default_factory=FakeClock)
    ears: FakeEars = field(default_factory=FakeEars)
    changes: dict[str, Any] = field(default_factory=dict)
    telegram: TelegramAdapter = None  # type: ignore[assignment]
    _tasks: TaskSupervisor = field(default_factory=TaskSupervisor)

    def make(self, **duty: bool) -> TelegramAdapter:
        """Make an adapter; the one before is forgotten."""
        self.telegram = self.another(**duty)
        return self.telegram

    def another(self, **duty: bool) -> TelegramAdapter:
        """Return an adapter of another process for the same account."""
        addresses = {"base_url": self.server.base_url, "file_url": self.server.base_file_url}
        return create({"token": self.bot.token, **addresses, **FAST, **self.changes}, self.clock, **duty)

    def listen(self, ears: PlatformListener | None = None) -> asyncio.Task[None]:
        """Start polling in the background."""
        return self.runs(self.telegram, ears or self.ears)

    def runs(self, adapter: TelegramAdapter, ears: PlatformListener) -> asyncio.Task[None]:
        """Let an adapter be at work in the background."""
        return self._tasks.spawn("telegram", adapter.run(ears))

    async def caught_up(self) -> None:
        """Wait until everything that people did was heard."""
        await self.server.caught_up(self.bot)

    async def restart(self) -> None:
        """End as a killed process does, and begin again with what was stored."""
        await self.close()
        self._tasks = TaskSupervisor()
        self.make()
        self.listen()

    async def close(self) -> None:
        await self._tasks.close()
        await self.telegram.close()

    async def healthy(self, code: str) -> None:
        """Wait until the health says this."""
        await eventually(lambda: self.telegram.health().code == code and self.telegram.health().state != "starting")


@asynccontextmanager
async def connected(clock: FakeClock | None = None, **changes: Any) -> AsyncIterator[Connected]:
    """Run a server with a bot and Ann; `changes` are settings of the adapter."""
    world = World()
    ann, bot = world.person("Ann", "ann"), world.bot("glassmind_bot")
    world.dm(ann).is_started = True
    async with telegram_server(world) as server:
        here = Connected(world, server, bot, ann, clock or FakeClock(), changes=changes)
        here.make()
        try:
            yield here
        finally:
            await here.close()


async def eventually(question: Callable[[], bool]) -> None:
    """Wait until something is so; asked at every turn of the loop."""
    async with asyncio.timeout(5):
        while not question():  # noqa: ASYNC110 - a health is asked, it calls nobody
            await asyncio.sleep(0.001)


async def refusal(work: Awaitable[object]) -> Any:
    """Return the DeliveryError that comes of this."""
    from bot.errors import DeliveryError

    try:
        await work
    except DeliveryError as error:
        return error
    raise AssertionError("nothing was refused")


def here(chat: Chat, topic: int | None = None) -> ChannelId:
    return channel_id("telegram", chat.id, *([topic] if topic else []))


def to(chat: Chat, topic: int | None = None, thread: str = "") -> OutboundAddress:
    private = UserId(str(chat.id)) if chat.kind == "private" else None
    return OutboundAddress(platform="telegram", channel=here(chat, topic), thread=thread, private_to=private)


def message(
    chat: Chat,
    text: str,
    *,
    topic: int | None = None,
    replies_to: str = "",
    edits: str = "",
    thread: str = "",
    buttons: tuple[Button, ...] = (),
    file: OutgoingFile | None = None,
) -> OutgoingMessage:
    return OutgoingMessage(
        nonce="n1",
        to=to(chat, topic, thread),
        text=text,
        replies_to=replies_to,
        edits=edits,
        buttons=buttons,
        file=file,
    )
