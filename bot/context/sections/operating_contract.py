"""How the conversation works: what a message looks like, what is data, how a turn ends."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import ESSENTIAL, SectionSources, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render


class OperatingContractSection:
    """Our rules, which no persona and no message can change."""

    name = "operating_contract"
    stability = SectionStability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Only the bot's name is needed."""
        return _loaded(sources.facts.called(state.agent))

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/operating_contract", **section_values(data))


@lru_cache(maxsize=64)
def _loaded(bot_name: str) -> LoadedSection:
    return loaded_section(
        OperatingContractSection.name, {"bot_name": bot_name}, "file:prompts/en/sections/operating_contract.md.j2"
    )
