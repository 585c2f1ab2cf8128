"""The other channels of the same server; never another server's, never anybody's direct messages."""

from __future__ import annotations

from bot.context.section import Sources, absent, loaded, values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.prompts import render

MOST = 25


class AvailableChannels:
    """Names that people may mention."""

    name = "available_channels"
    stability = Stability.EPOCH
    priority = 20

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """List the neighbours by id."""
        place = state.place
        if place.is_dm:
            return absent(self.name, "direct messages have no neighbouring channels")
        if not place.guild_id:
            return absent(self.name, "this chat is not part of a server")
        neighbours = await sources.channels.neighbours(state.key, place.guild_id, MOST)
        if not neighbours:
            return absent(self.name, "no other channel of this server is known")
        return loaded(self.name, {"channels": [[c.name, c.id] for c in neighbours], "most": MOST}, "store:channel")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """One line a channel."""
        return render("sections/available_channels", **values(data))
