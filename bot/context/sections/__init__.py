"""Every section of every process, in the order in which a model reads them. Add one: a file here, a line in ORDER."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.context.section import Section
from bot.context.sections.absent import AbsentSection
from bot.context.sections.available_channels import AvailableChannelsSection
from bot.context.sections.contract import ContractSection
from bot.context.sections.conversation_context import ConversationContextSection
from bot.context.sections.identity import IdentitySection
from bot.context.sections.inspection_contract import InspectionContractSection
from bot.context.sections.link_context import LinkContextSection
from bot.context.sections.memory_bulletin import MemoryBulletinSection
from bot.context.sections.operating_contract import OperatingContractSection
from bot.context.sections.organisation_context import OrganisationContextSection
from bot.context.sections.participants import ParticipantsSection
from bot.context.sections.platform_guidance import PlatformGuidanceSection
from bot.context.sections.silence_rules import SilenceRulesSection
from bot.context.sections.skills import SkillsSection
from bot.context.sections.status import StatusSection
from bot.context.sections.tool_recap import ToolRecapSection
from bot.context.sections.tools_on_demand import ToolsOnDemandSection
from bot.context.sections.worker_capabilities import WorkerCapabilitiesSection
from bot.domain.channel import ProcessKind
from bot.domain.snapshot import SectionStability

ORDER: Mapping[ProcessKind, tuple[Section, ...]] = MappingProxyType(
    {
        ProcessKind.CHANNEL: (
            IdentitySection(),
            OperatingContractSection(),
            PlatformGuidanceSection(),
            SilenceRulesSection(),
            SkillsSection(),
            ToolsOnDemandSection(),
            WorkerCapabilitiesSection(),
            AvailableChannelsSection(),
            OrganisationContextSection(),
            LinkContextSection(),
            MemoryBulletinSection(),
            AbsentSection(
                "working_summary", "summaries stand in the history, where their sources stood", SectionStability.EPOCH
            ),
            ParticipantsSection(),
            ConversationContextSection(),
            StatusSection(),
            ToolRecapSection(),
        ),
        ProcessKind.BRANCH: (
            ContractSection("branch"),
            ToolsOnDemandSection(),
            MemoryBulletinSection(),
            ConversationContextSection(),
        ),
        ProcessKind.WORKER: (ContractSection("worker"), ToolsOnDemandSection(), ConversationContextSection()),
        ProcessKind.INSPECTION: (InspectionContractSection(), ConversationContextSection()),
        ProcessKind.CORTEX: (ContractSection("cortex", "cortex/contract"), ConversationContextSection()),
        ProcessKind.COMPACTOR: (ContractSection("compactor"),),
    }
)
"""Static and epoch sections form the system prompt; the volatile ones the newest message's envelope."""
