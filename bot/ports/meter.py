"""What the models used and cost, and how far our counts are off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.domain.ids import ChannelKey
from bot.domain.turn import ChannelUsage, TurnSize, UsageRow


class UsageMeter(Protocol):
    """Tokens, cost and the learned ratio."""

    async def usage(self, key: ChannelKey | None, since: int) -> Sequence[UsageRow]:
        """Sum tokens and cost by process kind, model and day since a time (UTC ms); of every channel without a key."""

    async def spent(self, keys: Sequence[ChannelKey], since: int) -> Mapping[ChannelKey, ChannelUsage]:
        """Sum the same for each channel since a time (UTC ms)."""

    async def sizes(self, key: ChannelKey, limit: int) -> Sequence[TurnSize]:
        """Return how large the newest turns of a channel were, oldest first; never more than `limit`."""

    async def learned_ratio(self, model: str) -> float:
        """Return the learned ratio of a model's usage to our counts (1.0: nothing learned)."""

    async def learn_ratio(self, model: str, ratio: float) -> None:
        """Keep how a model counts, compared with our own count."""
