"""A compactor that only remembers how full requests were."""

from __future__ import annotations

from bot.context.compaction import RequestFullness
from bot.domain.channel import ChannelState


class FakeCompactor:
    """Implements `bot.agent.channel.ChannelShortener`."""

    def __init__(self) -> None:
        self.seen: list[tuple[ChannelState, RequestFullness, int]] = []

    def consider(self, state: ChannelState, size: RequestFullness, inbound: int = 0) -> None:
        self.seen.append((state, size, inbound))
