"""What the platform can show and do; one template per guidance name."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from bot.context.section import ESSENTIAL, SectionSources, absent_section, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.ids import platform_of
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render


class PlatformGuidanceSection:
    """Limits and manners of Discord, Telegram, the console, ..."""

    name = "platform_guidance"
    stability = SectionStability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Take what the adapter says about itself."""
        can = sources.facts.capabilities(state.id)
        if can is None:
            return absent_section(self.name, f"the platform {platform_of(state.id)} is not configured here")
        if not _is_written(can.guidance):
            return absent_section(self.name, f"no guidance is written for {can.guidance}")
        return _loaded(can.guidance, can.max_units, can.reactions, can.tables)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Fill in what this adapter can do."""
        facts = section_values(data)
        return render(_template(facts.pop("guidance")), **facts)


def _template(guidance: str) -> str:
    return f"sections/guidance_{guidance}"


@cache
def _is_written(guidance: str) -> bool:
    return guidance.isidentifier() and (files("prompts") / "en" / f"{_template(guidance)}.md.j2").is_file()


@lru_cache(maxsize=64)
def _loaded(guidance: str, max_units: int, reactions: bool, tables: bool) -> LoadedSection:
    data = {"guidance": guidance, "max_units": max_units, "reactions": reactions, "tables": tables}
    return loaded_section(PlatformGuidanceSection.name, data, f"file:prompts/en/{_template(guidance)}.md.j2")
