"""What plugins are written with. Everything that stands here is kept: see docs/plugins.md for how it is used.

`API_VERSION` says which version this is. Whatever else the bot has inside may change with any release.
"""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, no_arguments, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateStop,
    gate_ref,
    gate_stop,
    message_ref,
    place_name,
    stopped_count,
)
from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import GateVerdict
from bot.domain.messages import Inbound
from bot.errors import ToolError, UserError
from bot.messaging.commands.context import ChatCommand, CommandContext, GivenCommand
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped
from bot.plugins.plugin import (
    API_VERSION,
    Contributions,
    Plugin,
    PluginGate,
    PluginRule,
    PluginScenario,
    PluginSettings,
    PluginSetup,
)
from bot.tools.runtime.tool import ToolArgs, ToolContext, ToolSpec, tool

__all__ = [
    "API_VERSION",
    "Authority",
    "Caller",
    "ChatCommand",
    "CommandArgs",
    "CommandContext",
    "CommandSources",
    "Confidence",
    "Contributions",
    "CortexCommand",
    "Evidence",
    "Finding",
    "FunnelStage",
    "GateFacts",
    "GateStop",
    "GateVerdict",
    "GivenCommand",
    "Inbound",
    "PageCommand",
    "Plugin",
    "PluginGate",
    "PluginRule",
    "PluginScenario",
    "PluginSettings",
    "PluginSetup",
    "ProcessKind",
    "SessionContext",
    "ThreadReply",
    "ToolArgs",
    "ToolContext",
    "ToolError",
    "ToolSpec",
    "UserError",
    "gate_ref",
    "gate_stop",
    "message_ref",
    "no_arguments",
    "passed",
    "place",
    "place_name",
    "stopped",
    "stopped_count",
    "tool",
]
