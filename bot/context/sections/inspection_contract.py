"""What an inspection branch is for and how it must answer."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, SectionSources, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render
from bot.text.text import one_line_name


class InspectionContractSection:
    """The whole system prompt of the inspection branch."""

    name = "inspection_contract"
    stability = SectionStability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Name the bot and the channel that is looked at."""
        data = {
            "bot_name": sources.facts.bot_name,
            "channel": one_line_name(state.name or state.id),
            "channel_id": state.id,
        }
        return loaded_section(self.name, data, "file:prompts/en/inspection.md.j2")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("inspection", **section_values(data))
