"""Which tools can be opened: a line each; what they take stands in the request once they are open."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import ESSENTIAL, SectionSources, absent_section, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import TOOL_SOURCE, TOOLS_ON_DEMAND, LoadedSection, SectionStability, Trigger
from bot.prompts import render

_MAX_LISTED = 40


class ToolsOnDemandSection:
    """Names and a few words, in the order of the toolset: the same whether they are open or not."""

    name = TOOLS_ON_DEMAND
    stability = SectionStability.EPOCH
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Return the tools that the asking process may open."""
        return _loaded(sources.on_demand)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/tools_on_demand", **section_values(data))


@lru_cache(maxsize=64)
def _loaded(tools: tuple[tuple[str, str], ...]) -> LoadedSection:
    # the same in every turn for everybody of one authority
    if not tools:
        return absent_section(TOOLS_ON_DEMAND, "every tool stands in the request")
    data = {"tools": [list(tool) for tool in tools[:_MAX_LISTED]], "more": len(tools) - len(tools[:_MAX_LISTED])}
    return loaded_section(TOOLS_ON_DEMAND, data, *(f"{TOOL_SOURCE}{name}" for name, _ in tools))
