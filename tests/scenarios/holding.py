"""Adapters that can be held up where their libraries would not be: they wait for ever for a call to come back."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

from bot.domain.ids import ChannelId


@dataclass
class Hang:
    """Something that takes what it is given and says nothing."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class HoldsTyping:
    """An adapter whose typing mark hangs where it is told to, and hears of no cancellation before it is told to."""

    @property
    def typing(self) -> dict[ChannelId, Hang]:
        """The channels in which it hangs."""
        return vars(self).setdefault("_typing_hangs", {})

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        if channel not in self.typing or not on:
            return await super().set_typing(channel, on)  # type: ignore[misc, no-any-return]
        hang = self.typing[channel]
        hang.begun.set()
        while not hang.ended.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await hang.ended.wait()
        raise asyncio.CancelledError

    def let_go(self) -> None:
        """Let every mark go."""
        for hang in self.typing.values():
            hang.ended.set()
