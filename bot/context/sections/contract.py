"""What a process that is no conversation is for, and how it must end: one of our prompts, as a section."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, SectionSources, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render


class ContractSection:
    """Our rules for a kind of process; `template` is their file below `prompts/en`."""

    stability = SectionStability.STATIC
    priority = ESSENTIAL

    def __init__(self, kind: str, template: str = "") -> None:
        self.name = f"{kind}_contract"
        self._template = template or kind

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Only the bot's name is needed."""
        return loaded_section(
            self.name, {"bot_name": sources.facts.bot_name}, f"file:prompts/en/{self._template}.md.j2"
        )

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render(self._template, **section_values(data))
