"""Propose to an admin to look again at tools, skills and MCP servers."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.tools.runtime.effects import SuggestedReload
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class ReloadArgs(ToolArgs):
    """No arguments."""


@tool(kinds={ProcessKind.CORTEX}, authority=Authority.ADMIN, no_background=True)
async def reload_tools(args: ReloadArgs, ctx: ToolContext) -> str:
    """Stage the proposal, once; nothing is looked at before the admin has pressed."""
    if not ctx.effects.of(SuggestedReload):
        ctx.effects.add(SuggestedReload())
    return "It is proposed to the admin: they see it with a button, and what came of it is told in this thread."
