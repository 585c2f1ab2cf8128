"""What workers may use in a conversation: groups of tools that are granted there, and whether they can be used now."""

from __future__ import annotations

from bot.context.section import Door
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.tools.toolbox import Toolbox


class Doors:
    """Asks the toolbox, which is bound after everything that reads what it says here."""

    def __init__(self) -> None:
        self.toolbox: Toolbox | None = None

    def of(self, key: ChannelKey) -> tuple[Door, ...]:
        """Return every group that is configured, in the order of the configuration."""
        if self.toolbox is None:
            return ()
        return tuple(self._door(group, key) for group in self.toolbox.grants.config.names)

    def _door(self, group: str, key: ChannelKey) -> Door:
        toolbox = self.toolbox
        assert toolbox is not None
        # whoever may do most: the group is closed only where it is closed to all
        if closed := toolbox.grants.refusal(group, key, Authority.OWNER):
            return Door(group, closed=closed)
        table = toolbox.grants.config.group(group)
        assert table is not None
        tools = tuple(tool.name for tool in toolbox.of(ProcessKind.WORKER) if tool.spec.group == group)
        return Door(group, tools, table.authority, lacks=toolbox.means.missing(group))
