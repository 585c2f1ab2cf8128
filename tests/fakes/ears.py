"""Somebody who listens to a platform, and can be deaf for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bot.domain.ledger import StreamCursor
from bot.domain.messages import ButtonPress, Inbound, InboundKind
from bot.errors import StoreError


class FakeEars:
    """Implements `bot.ports.platform.PlatformListener`.

    `batches` is what was stored, in order, without what was there already; the next `deaf` batches are refused.
    `cursors` holds the newest cursor of every stream, `refused` what could not be stored, `speaks` the bot's language.
    """

    def __init__(self) -> None:
        self.batches: list[tuple[Inbound, ...]] = []
        self.cursors: dict[tuple[str, str], str] = {}
        self.deaf = 0
        self.refused: list[tuple[Inbound, ...]] = []
        self.presses: list[ButtonPress] = []
        self.answer = "done"
        self.speaks = "en"
        self.before: Callable[[], None] = lambda: None
        self._known: set[tuple[str, str, int, InboundKind]] = set()
        self._changed = asyncio.Event()

    @property
    def heard_all(self) -> list[Inbound]:
        return [inbound for batch in self.batches for inbound in batch]

    @property
    def said(self) -> list[str]:
        """The texts of messages, in the order in which they were stored."""
        return [inbound.text for inbound in self.heard_all if inbound.kind is InboundKind.MESSAGE]

    @property
    def events(self) -> list[str]:
        return [inbound.event.name for inbound in self.heard_all if inbound.event is not None]

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        self.before()
        self._changed.set()
        if self.deaf:
            self.deaf -= 1
            self.refused.append(tuple(batch))
            raise StoreError("the disk is full")
        fresh = []
        for inbound in batch:
            name = (inbound.channel, inbound.message_id, inbound.edit, inbound.kind)
            if name not in self._known:
                self._known.add(name)
                fresh.append(inbound)
        self.batches.append(tuple(fresh))
        if cursor is not None:
            self.cursors[cursor.adapter, cursor.stream] = cursor.value

    async def cursor(self, adapter: str, stream: str) -> str | None:
        return self.cursors.get((adapter, stream))

    async def pressed(self, press: ButtonPress) -> str:
        self.presses.append(press)
        self._changed.set()
        return self.answer

    async def settled(self) -> None:
        """Everything heard is at its end at once."""

    def language(self) -> str:
        return self.speaks

    async def until(self, question: Callable[[], bool]) -> None:
        """Wait until something is so; asked again whenever something is heard."""
        while not question():
            self._changed.clear()
            await self._changed.wait()
