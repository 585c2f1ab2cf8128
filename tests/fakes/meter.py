"""A meter that remembers in a dictionary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.ids import ChannelKey
from bot.domain.turn import ChannelUsage, TurnSize, UsageRow


class FakeMeter:
    """Implements `bot.ports.meter.UsageMeter`; nothing was ever used."""

    def __init__(self) -> None:
        self.ratios: dict[str, float] = {}

    async def usage(self, key: ChannelKey | None, since: int) -> Sequence[UsageRow]:
        return ()

    async def spent(self, keys: Sequence[ChannelKey], since: int) -> Mapping[ChannelKey, ChannelUsage]:
        return {}

    async def sizes(self, key: ChannelKey, limit: int) -> Sequence[TurnSize]:
        return ()

    async def learned_ratio(self, model: str) -> float:
        return self.ratios.get(model, 1.0)

    async def learn_ratio(self, model: str, ratio: float) -> None:
        self.ratios[model] = ratio
