"""What plugins are written with. Everything that stands here is kept: see docs/plugins.md for how it is used.

`API_VERSION` says which version this is. Whatever else the bot has inside may change with any release.
"""

from __future__ import annotations

from bot.context.section import SectionSources, absent_section, loaded_section, section_values
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
from bot.domain.access import Authority, AuthorityTiers, Caller
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.dialect import PlainDialects
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.ledger import GateVerdict, StreamCursor
from bot.domain.llm import LLMRequest, LLMResponse, TokenUsage, WireRequest
from bot.domain.messages import (
    Attachment,
    Author,
    ButtonPress,
    ChannelPlace,
    Inbound,
    InboundKind,
    OutboundAddress,
    OutgoingMessage,
    Preview,
    Receipt,
)
from bot.domain.patience import Patience
from bot.domain.permalinks import MessageLocation
from bot.domain.rich_messages import Card, Poll
from bot.domain.snapshot import CountMethod, LoadedSection, SectionStability, Tokenizer, Trigger
from bot.domain.turn import TurnOutcome
from bot.errors import DeliveryError, FetchError, ProviderError, ProviderFault, ToolError, UserError
from bot.messaging.commands.context import ChatCommand, CommandContext, GivenCommand
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped
from bot.plugins.plugin import (
    API_VERSION,
    Contributions,
    MemoriesBefore,
    Plugin,
    PluginAdapter,
    PluginCounter,
    PluginGate,
    PluginGatherer,
    PluginHook,
    PluginLanguage,
    PluginMemories,
    PluginPrioritiser,
    PluginRule,
    PluginScenario,
    PluginSection,
    PluginSettings,
    PluginSetup,
    PluginTheme,
)
from bot.ports.clock import Clock
from bot.ports.memories import MemoryStore
from bot.ports.model import LLMProvider, OnText, TokenCounter
from bot.ports.platform import (
    MESSAGE_GONE,
    CommandMenu,
    Platform,
    PlatformCapabilities,
    PlatformChannel,
    PlatformListener,
)
from bot.task_prompt.chunk import ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers import FoundChunks, GatherGrounds
from bot.task_prompt.prioritisers import ScorePoints
from bot.task_prompt.task import TaskBrief, TaskType
from bot.tools.runtime.tool import ToolArgs, ToolContext, ToolSpec, tool

__all__ = [
    "API_VERSION",
    "MESSAGE_GONE",
    "AdapterHealth",
    "AdapterState",
    "Attachment",
    "Author",
    "Authority",
    "AuthorityTiers",
    "ButtonPress",
    "Caller",
    "Card",
    "ChannelId",
    "ChannelPlace",
    "ChannelState",
    "ChatCommand",
    "ChunkPriority",
    "ChunkType",
    "Clock",
    "CommandArgs",
    "CommandContext",
    "CommandMenu",
    "CommandSources",
    "Confidence",
    "ContextChunk",
    "Contributions",
    "CortexCommand",
    "CountMethod",
    "DeliveryError",
    "Evidence",
    "FetchError",
    "Finding",
    "FoundChunks",
    "FunnelStage",
    "GateFacts",
    "GateStop",
    "GateVerdict",
    "GatherGrounds",
    "GivenCommand",
    "Inbound",
    "InboundKind",
    "JsonText",
    "LLMProvider",
    "LLMRequest",
    "LLMResponse",
    "LoadedSection",
    "MemoriesBefore",
    "MemoryStore",
    "MessageLocation",
    "OnText",
    "OutboundAddress",
    "OutgoingMessage",
    "PageCommand",
    "Patience",
    "PersonKey",
    "PlainDialects",
    "Platform",
    "PlatformCapabilities",
    "PlatformChannel",
    "PlatformListener",
    "Plugin",
    "PluginAdapter",
    "PluginCounter",
    "PluginGate",
    "PluginGatherer",
    "PluginHook",
    "PluginLanguage",
    "PluginMemories",
    "PluginPrioritiser",
    "PluginRule",
    "PluginScenario",
    "PluginSection",
    "PluginSettings",
    "PluginSetup",
    "PluginTheme",
    "Poll",
    "Preview",
    "ProbeResult",
    "ProcessKind",
    "ProviderError",
    "ProviderFault",
    "Receipt",
    "ScorePoints",
    "SectionSources",
    "SectionStability",
    "SessionContext",
    "StreamCursor",
    "TaskBrief",
    "TaskType",
    "ThreadReply",
    "TokenCounter",
    "TokenUsage",
    "Tokenizer",
    "ToolArgs",
    "ToolContext",
    "ToolError",
    "ToolSpec",
    "Trigger",
    "TurnOutcome",
    "UserError",
    "WireRequest",
    "absent_section",
    "gate_ref",
    "gate_stop",
    "loaded_section",
    "message_ref",
    "no_arguments",
    "passed",
    "place",
    "place_name",
    "section_values",
    "stopped",
    "stopped_count",
    "tool",
]
