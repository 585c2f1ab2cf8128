"""The named places: before and after whatever crosses a port, hung around a bot from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.domain.ledger import StreamCursor
from bot.domain.llm import LLMResponse, WireRequest
from bot.domain.messages import ButtonPress, Inbound, OutgoingMessage, Receipt
from bot.ports.edges import Edges
from bot.ports.model import OnText
from bot.ports.platform import PlatformListener

WRITES = {
    "ledger": ("arrive", "note", "settle"),
    "channels": ("meet", "set_settings", "hear", "amend", "reset", "move"),
    "journal": ("begin_turn", "record_request", "record_attempt", "end_turn", "record_calls", "amend_call"),
    "outbox": ("put", "sending", "sent", "postponed", "made_new", "ended", "send_again"),
    "previews": ("begin", "shown", "refused", "ended"),
    "processes": ("begin", "note", "end", "relayed", "mark_told", "put_back"),
    "memories": ("add", "touched"),
    "offers": ("propose", "close", "execute", "undo"),
    "sessions": ("open", "touch"),
    "invitations": ("invite", "accept"),
    "audit": ("append",),
    "compactions": ("commit", "withdraw"),
    "checkpoints": ("save", "take_up", "interrupt"),
    "meter": ("learn_ratio",),
}
"""What the parts of a store commit."""
VOICE = ("preview", "retract", "react", "open_thread", "set_typing")
"""What a platform does beside sending, which has a name for each kind of message."""
ANYWHERE = "*"
"""An aim that is met by every place alike."""


@dataclass(frozen=True)
class Aim:
    """The n-th time that a place is passed, the first being 1."""

    place: str
    nth: int

    def __str__(self) -> str:
        return f"{self.place}/{self.nth}"


@dataclass
class Points:
    """The places that one life of a bot passes. At the one that is `aim`ed at it falls, and goes no further anywhere.

    Nothing counts before it is `armed`. `over`: what fell is being taken away.
    """

    fall: Callable[[], None]
    aim: Aim | None = None
    armed: bool = True
    over: bool = False
    passed: list[str] = field(default_factory=list)
    fell: asyncio.Event = field(default_factory=asyncio.Event)

    def touch(self, place: str) -> None:
        """Pass a place."""
        if not self.armed or self.fell.is_set():
            return
        self.passed.append(place)
        if self.aim is None:
            return
        nth = len(self.passed) if self.aim.place == ANYWHERE else self.passed.count(place)
        if self.aim.place in {place, ANYWHERE} and nth == self.aim.nth:
            self.fell.set()
            self.fall()

    async def reach(self, place: str) -> None:
        """Pass a place; who is dead stays there, and tidies nothing up when it is taken away."""
        self.touch(place)
        if self.over:
            raise asyncio.CancelledError
        if self.fell.is_set():
            await asyncio.Event().wait()

    async def around(self, name: str, doing: Awaitable[Any]) -> Any:
        """Do something that has a place before and one after it."""
        try:
            await self.reach(f"{name}/before")
        except asyncio.CancelledError:
            doing.close()  # type: ignore[attr-defined]
            raise
        done = await doing
        await self.reach(f"{name}/after")
        return done


@dataclass(frozen=True)
class WatchedEars:
    """Hands over what arrives; between its being stored and the platform's being told so there is a place."""

    ears: PlatformListener
    points: Points

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        await self.points.around("ears.heard", self.ears.receive(batch, cursor))

    async def cursor(self, adapter: str, stream: str) -> str | None:
        return await self.ears.cursor(adapter, stream)

    async def pressed(self, press: ButtonPress) -> str:
        answer: str = await self.points.around("ears.pressed", self.ears.pressed(press))
        return answer

    async def settled(self) -> None:
        await self.ears.settled()

    def language(self) -> str:
        return self.ears.language()


def watch(edges: Edges, points: Points) -> None:
    """Hang the places around the ports of one life."""
    for part, methods in WRITES.items():
        for method in methods:
            _hang(getattr(edges.store, part), method, f"store.{part}.{method}", points)
    _hang(edges.store, "beat", "store.beat", points)
    for platform in edges.platforms.values():
        _hang_sending(platform, points)
        for method in VOICE:
            _hang(platform, method, f"platform.{method}", points)
    for provider in edges.providers.values():
        _hang_model(provider, points)


def watch_wire(dispatch: Any, points: Callable[[], Points]) -> None:
    """Hang the places around a platform's server: a call has come, it has taken effect and nobody knows it yet."""
    run = dispatch.run

    async def watched(call: Any, *more: Any) -> Any:
        name = f"wire.{getattr(call, 'operation', '') or call.method}"
        points().touch(f"{name}/came")
        applied = await run(call, *more)
        points().touch(f"{name}/applied")
        return applied

    dispatch.run = watched


def _hang(port: Any, method: str, name: str, points: Points) -> None:
    original = getattr(port, method)

    async def watched(*args: Any, **named: Any) -> Any:
        return await points.around(name, original(*args, **named))

    setattr(port, method, watched)


def _hang_sending(platform: Any, points: Points) -> None:
    send, run = platform.send, platform.run

    async def sends(message: OutgoingMessage) -> Receipt:
        kind = "edit" if message.edits else "upload" if message.file is not None else "send"
        receipt: Receipt = await points.around(f"platform.{kind}", send(message))
        return receipt

    async def runs(ears: PlatformListener) -> None:
        await run(WatchedEars(ears, points))

    platform.send, platform.run = sends, runs


def _hang_model(provider: Any, points: Points) -> None:
    complete = partial(type(provider).complete, provider)  # what an earlier life hung around it is not for this one

    async def completes(wire: WireRequest, on_text: OnText) -> LLMResponse:
        def listens(text: str) -> None:
            points.touch("model.answer/piece")
            on_text(text)

        response: LLMResponse = await points.around("model.answer", complete(wire, listens))
        return response

    provider.complete = completes
