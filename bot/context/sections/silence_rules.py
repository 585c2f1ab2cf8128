"""When not to answer: depends on the place and on the channel's mode."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import ESSENTIAL, SectionSources, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render


class SilenceRulesSection:
    name = "silence_rules"
    stability = SectionStability.EPOCH
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Look at where we are and what people set."""
        return _loaded(state.place.is_dm, state.settings.mode.value)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/silence_rules", **section_values(data))


@lru_cache(maxsize=64)
def _loaded(is_dm: bool, mode: str) -> LoadedSection:
    data, template = {"is_dm": is_dm, "mode": mode}, "file:prompts/en/sections/silence_rules.md.j2"
    return loaded_section(SilenceRulesSection.name, data, template, "channel:settings.mode")
