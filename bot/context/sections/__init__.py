"""Every section of every process, in the order in which a model reads them. Add one: a file here, a line in ORDER."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.context.section import Section
from bot.context.sections.absent import Absent
from bot.context.sections.available_channels import AvailableChannels
from bot.context.sections.contract import Contract
from bot.context.sections.conversation_context import ConversationContext
from bot.context.sections.identity import Identity
from bot.context.sections.inspection_contract import InspectionContract
from bot.context.sections.link_context import LinkContext
from bot.context.sections.memory_bulletin import MemoryBulletin
from bot.context.sections.operating_contract import OperatingContract
from bot.context.sections.organisation_context import OrganisationContext
from bot.context.sections.participants import Participants
from bot.context.sections.platform_guidance import PlatformGuidance
from bot.context.sections.silence_rules import SilenceRules
from bot.context.sections.skills import SkillCatalogue
from bot.context.sections.status import Status
from bot.context.sections.tool_recap import ToolRecap
from bot.context.sections.tools_on_demand import ToolsOnDemand
from bot.context.sections.worker_capabilities import WorkerCapabilities
from bot.domain.channel import ProcessKind
from bot.domain.snapshot import Stability

ORDER: Mapping[ProcessKind, tuple[Section, ...]] = MappingProxyType(
    {
        ProcessKind.CHANNEL: (
            Identity(),
            OperatingContract(),
            PlatformGuidance(),
            SilenceRules(),
            SkillCatalogue(),
            ToolsOnDemand(),
            WorkerCapabilities(),
            AvailableChannels(),
            OrganisationContext(),
            LinkContext(),
            MemoryBulletin(),
            Absent("working_summary", "summaries stand in the history, where their sources stood", Stability.EPOCH),
            Participants(),
            ConversationContext(),
            Status(),
            ToolRecap(),
        ),
        ProcessKind.BRANCH: (Contract("branch"), ToolsOnDemand(), MemoryBulletin(), ConversationContext()),
        ProcessKind.WORKER: (Contract("worker"), ToolsOnDemand(), ConversationContext()),
        ProcessKind.INSPECTION: (InspectionContract(), ConversationContext()),
        ProcessKind.CORTEX: (Contract("cortex", "cortex/contract"), ConversationContext()),
        ProcessKind.COMPACTOR: (Contract("compactor"),),
    }
)
"""Static and epoch sections form the system prompt; the volatile ones the newest message's envelope."""
