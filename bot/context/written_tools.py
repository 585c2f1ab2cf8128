"""The tools, in words, for a model whose service takes none: it calls one by writing so, and is read as any other."""

from __future__ import annotations

from functools import lru_cache

import orjson

from bot.context.section import ESSENTIAL, Sources, absent
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.llm import ToolDefinition
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.prompts import render


class WrittenTools:
    """Written while a request is assembled, because a turn may open tools; nothing is read for it."""

    name = "written_tools"
    stability = Stability.EPOCH
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Say that there is nothing to read."""
        return absent(self.name, "the service takes tools")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Return nothing: `written_tools` writes it."""
        return ""


WRITTEN_TOOLS = WrittenTools()


@lru_cache(maxsize=16)
def written_tools(tools: tuple[ToolDefinition, ...]) -> str:
    """Write each tool with what it takes, and how it is called."""
    return render("written_tools", tools=[_line(tool) for tool in tools])


def _line(tool: ToolDefinition) -> str:
    # in one line, whatever stands in a description that comes from elsewhere
    schema = orjson.Fragment(tool.parameters)
    return orjson.dumps({"name": tool.name, "description": tool.description, "parameters": schema}).decode()
