"""A section whose subject this bot does not have; it is listed as absent, with the reason."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, SectionSources, absent_section
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger


class AbsentSection:
    """Keeps a place in the order, so that a reader sees what could be there and why it is not."""

    priority = ESSENTIAL

    def __init__(self, name: str, reason: str, stability: SectionStability = SectionStability.STATIC) -> None:
        self.name = name
        self.stability = stability
        self._loaded = absent_section(name, reason)

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Return why the section is absent."""
        return self._loaded

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return ""
