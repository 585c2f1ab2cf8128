"""How much of what other processes left is taken up at once: everything, or what was done from some channels."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.ids import ChannelId


class RecoveryScope(NamedTuple):
    """Some channels, under every id that they ever had; None: all there are, for the one process that has them all."""

    channels: frozenset[ChannelId] | None = None

    def covers(self, channel: ChannelId) -> bool:
        """Say whether what was done from a channel is to be taken up."""
        return self.channels is None or channel in self.channels


EVERYTHING = RecoveryScope()
