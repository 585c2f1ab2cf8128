"""What workers may use in a conversation: groups of tools that are granted there, and whether they can be used now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.context.section import ToolGroup
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.tools.runtime.toolbox import Toolbox


@dataclass(frozen=True)
class WorkerTools:
    """Asks the toolbox, in which tools are that this is read for: it is asked for only when somebody wants to know."""

    toolbox: Callable[[], Toolbox]

    def of(self, key: ChannelKey) -> tuple[ToolGroup, ...]:
        """Return every group that is configured, in the order of the configuration."""
        toolbox = self.toolbox()
        return tuple(_door(toolbox, group, key) for group in toolbox.grants.config.names)


def _door(toolbox: Toolbox, group: str, key: ChannelKey) -> ToolGroup:
    # whoever may do most: the group is closed only where it is closed to all
    if closed := toolbox.grants.refusal(group, key, Authority.OWNER):
        return ToolGroup(group, closed=closed)
    table = toolbox.grants.config.group(group)
    assert table is not None
    tools = tuple(tool.name for tool in toolbox.of(ProcessKind.WORKER) if tool.spec.group == group)
    return ToolGroup(group, tools, table.authority, lacks=toolbox.means.missing(group))
