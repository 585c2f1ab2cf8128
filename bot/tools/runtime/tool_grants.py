"""Who may use a group of tools, and where: closed unless the configuration opens it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.config.agents import NO_AGENT, AgentConfig
from bot.config.tool_groups import MCP, ToolsConfig
from bot.domain.access import Authority
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.sentences import say

Where = ChannelKey | ChannelId
"""A conversation; by its bare channel it is one of the agent `main`."""
Before = Callable[[ChannelId], Sequence[ChannelId]]
"""Gives the ids that a channel had: a list in the file goes on meaning a channel that has moved."""


@dataclass(frozen=True, slots=True)
class ToolGrants:
    """What `[tools.<group>]` says; the tables are read at each question, because a running bot takes them anew."""

    config: ToolsConfig
    before: Before = lambda _: ()
    agents: Mapping[str, AgentConfig] = field(default_factory=dict)
    off: Callable[[ChannelKey], Collection[str]] = lambda _: ()
    """Names the tools that people switched off in a conversation."""

    def off_in(self, channel: Where | None) -> Collection[str]:
        """Return the names of the tools that are switched off there."""
        if channel is None:
            return ()
        return self.off(channel if isinstance(channel, ChannelKey) else ChannelKey(MAIN, channel))

    def allows(self, group: str, channel: Where | None, authority: Authority) -> bool:
        """Say whether somebody of this tier may use a group in a channel; without a group everything is free."""
        return not group or not self.refusal(group, channel, authority)

    def refusal(self, group: str, channel: Where | None, authority: Authority) -> str:
        """Return why a group is closed here, as the model and an admin read it; empty when it is open."""
        if not group:
            return ""
        agent, name = channel if isinstance(channel, ChannelKey) else (MAIN, channel)
        theirs = self.agents.get(agent, NO_AGENT).tools
        # `web` opens all of its table, `web:search` too
        whole = group if group.startswith(f"{MCP}:") else group.partition(":")[0]
        if theirs is not None and whole not in theirs and group not in theirs:
            return say("toolbox.not-for-agent", agent=agent)
        table = self.config.group(group)
        if table is None:
            return say("toolbox.no-table", table=table_of(group))
        if not table.enabled:
            return say("toolbox.off", table=table_of(group))
        needed = Authority[table.authority.upper()]
        if authority < needed:
            return say("toolbox.needs-authority", authority=needed.word)
        if table.channels is None:
            return ""
        names = () if name is None else (name, *self.before(name))
        return "" if any(name in table.channels for name in names) else say("toolbox.not-in-channel")


def table_of(group: str) -> str:
    """Name the table of a group as the file does: `tools.mcp.<server>`; a part of a group has its table."""
    kind, _, rest = group.partition(":")
    return f"tools.{kind}.{rest}" if kind == MCP else f"tools.{kind}"


NO_GRANTS = ToolGrants(ToolsConfig())
"""What a bot grants that was told nothing."""
