"""The tools of plugins, as one source of tools: those that are switched off are not offered any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.errors import ConfigError
from bot.plugins.fault import FaultKind
from bot.plugins.guard import PartGuard
from bot.tools.runtime.tool import Tool, ToolSpec, bind_tool


class GuardedTool(NamedTuple):
    """A tool of a plugin whose function runs behind its guard."""

    spec: ToolSpec
    guard: PartGuard


class PluginTools:
    """Implements `bot.tools.runtime.toolbox.ToolSource`. A tool that asks for what there is not is switched off."""

    def __init__(self, tools: Sequence[GuardedTool], services: Mapping[type, object]) -> None:
        self._bound: list[tuple[GuardedTool, Tool]] = []
        for one in tools:
            try:
                self._bound.append((one, bind_tool(one.spec, services)))
            except ConfigError as error:
                one.guard.refuse(one.guard.fault(FaultKind.WRONG_KIND, error.problems[0]))

    def tools(self) -> tuple[Tool, ...]:
        """Return those that work."""
        return tuple([tool for one, tool in self._bound if not one.guard.is_off])
