"""What workers can do here: the groups of tools that are granted in this channel, and for whom."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import SectionSources, ToolGroup, absent_section, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render
from bot.text.text import excerpt

_MAX_TOOLS = 20


class WorkerCapabilitiesSection:
    """A line for each group; nothing about what is closed."""

    name = "worker_capabilities"
    stability = SectionStability.EPOCH
    priority = 65

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Ask what is granted, and what stands behind it."""
        return _loaded(sources.workers.of(state.key) if sources.workers is not None else ())

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Name the tools, and who may have them used."""
        return render("sections/worker_capabilities", **section_values(data))


@lru_cache(maxsize=256)
def _loaded(doors: tuple[ToolGroup, ...]) -> LoadedSection:
    # the same in every turn until somebody changes the configuration, or something breaks
    opened = [door for door in doors if not door.closed]
    if not opened:
        why = "; ".join(f"{door.group}: {door.closed}" for door in doors)
        return absent_section(
            WorkerCapabilitiesSection.name, f"nothing is granted to workers here{f' ({why})' if why else ''}"
        )
    data = {
        "groups": [
            [door.group, door.authority, list(door.tools[:_MAX_TOOLS]), len(door.tools) - len(door.tools[:_MAX_TOOLS])]
            for door in opened
            if not door.lacks and door.tools
        ],
        "lacking": [[door.group, excerpt(door.lacks, 160)] for door in opened if door.lacks],
    }
    keys = (f"config:tools.{door.group.replace(':', '.')}.enabled" for door in opened)
    return loaded_section(WorkerCapabilitiesSection.name, data, *keys)
