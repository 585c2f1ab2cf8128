"""Every tool, bound to what it needs, and to what the configuration grants."""

from __future__ import annotations

from pathlib import Path

from bot.agent.turn.turn import TurnRunner
from bot.app.core import BotCore
from bot.app.workshop import WorkerTooling
from bot.context.links_of_others import LinkRules
from bot.context.origin_tracer import WordOriginTracer
from bot.memory.write import MemoryRules
from bot.messaging.delivery.long_reply_file import KeptFiles
from bot.plugins.plugin_tools import PluginTools
from bot.ports.checkpoints import CheckpointStore
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.embeddings import MeaningSearch
from bot.ports.journal import CallLog, Journal
from bot.ports.ledger import Ledger
from bot.ports.memories import HistorySearch, MemoryStore
from bot.ports.processes import ProcessStore
from bot.ports.store import Store
from bot.skills import SkillLibrary
from bot.text.redaction import Redactor
from bot.tools.context_inspect import InspectionStarter
from bot.tools.runtime.availability import ToolAvailability
from bot.tools.runtime.background_tasks import BackgroundTasks
from bot.tools.runtime.lag_sampler import LagSampler
from bot.tools.runtime.model_chain import ModelChain
from bot.tools.runtime.toolbox import Toolbox, fill_toolbox
from bot.tools.runtime.work_port import WorkPort
from bot.tools.send_file import OutgoingFiles
from bot.tools.toolsets import CAPTURED_NEEDS, TOOLSETS


def memory_rules(bot: BotCore) -> MemoryRules:
    """Return what may be remembered, as it is configured."""
    memory = bot.config.memory
    return MemoryRules(memory.importance_cap, memory.per_user_per_day, bot.book.has_opted_out)


def toolbox_of(
    bot: BotCore,
    turns: TurnRunner,
    work: WorkPort,
    workshop: WorkerTooling,
    links: LinkRules,
    meaning: MeaningSearch,
) -> Toolbox:
    """Bind the tools; raise ConfigError when one lacks something."""
    store, calling = bot.edges.store, turns.calling
    services: dict[type, object] = {
        Clock: bot.edges.clock,
        Delivery: bot.sender,
        LinkRules: links,
        MemoryStore: store.memories,
        MeaningSearch: meaning,
        HistorySearch: store.history,
        MemoryRules: memory_rules(bot),
        WordOriginTracer: WordOriginTracer(bot.access.tier),
        InspectionStarter: InspectionStarter(lambda wish: bot.cortex.begin(wish)),
        Journal: store.journal,
        Ledger: store.ledger,
        CheckpointStore: store.checkpoints,
        ProcessStore: store.processes,
        WorkPort: work,
        SkillLibrary: bot.skills,
        BackgroundTasks: calling.background,
        CallLog: store.journal,
        OutgoingFiles: KeptFiles(Path(bot.config.bot.data_dir)),
        Redactor: bot.redactor,
        LagSampler: calling.lag,
        ModelChain: turns.models,
        Store: store,
        **workshop.services,
    }
    added = (PluginTools(bot.plugins.tools, services),) if bot.plugins.tools else ()
    return fill_toolbox(
        TOOLSETS,
        services,
        CAPTURED_NEEDS,
        grants=calling.grants,
        sources=(*added, *(() if bot.foreign is None else (bot.foreign,))),
        means=ToolAvailability(workshop.looks),
    )
