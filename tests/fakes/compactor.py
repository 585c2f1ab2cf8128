"""A compactor that only remembers how full requests were."""

from __future__ import annotations

from bot.context.compaction import Size
from bot.domain.channel import ChannelState


class FakeCompactor:
    """Implements `bot.agent.channel.ChannelShortener`."""

    def __init__(self) -> None:
        self.seen: list[tuple[ChannelState, Size, int]] = []

    def consider(self, state: ChannelState, size: Size, inbound: int = 0) -> None:
        self.seen.append((state, size, inbound))
