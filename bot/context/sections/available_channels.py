"""The other channels of the same server; never another server's, never anybody's direct messages."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import SectionSources, absent_section, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render

MAX_CHANNELS = 25


class AvailableChannelsSection:
    """Names that people may mention."""

    name = "available_channels"
    stability = SectionStability.EPOCH
    priority = 20

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """List the neighbours by id."""
        place = state.place
        if place.is_dm:
            return absent_section(self.name, "direct messages have no neighbouring channels")
        if not place.guild_id:
            return absent_section(self.name, "this chat is not part of a server")
        neighbours = await sources.channels.neighbours(state.key, place.guild_id, MAX_CHANNELS)
        if not neighbours:
            return absent_section(self.name, "no other channel of this server is known")
        return _loaded(tuple([(one.name, one.id) for one in neighbours]))

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/available_channels", **section_values(data))


@lru_cache(maxsize=256)
def _loaded(neighbours: tuple[tuple[str, str], ...]) -> LoadedSection:
    # the same in every turn until a channel comes, goes or is renamed
    data = {"channels": [list(one) for one in neighbours], "most": MAX_CHANNELS}
    return loaded_section(AvailableChannelsSection.name, data, "store:channel")
