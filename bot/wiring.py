"""Where everything meets: the only module that knows every part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.agent.aftermath import Aftermath
from bot.agent.answering import Answering
from bot.agent.attachments import Attachments
from bot.agent.channel import ChannelFactory, ChannelServices
from bot.agent.compactor import Compactor, CompactorServices
from bot.agent.doors import Doors
from bot.agent.models import Models
from bot.agent.processes import WorkDesk
from bot.agent.turn import TurnLimits, Turns
from bot.app import App, Circles, Fatal
from bot.config import Config, LoadedConfig
from bot.context.contexts import Contexts
from bot.context.gather import Gatherer
from bot.context.inspector import ChannelContextInspector
from bot.context.section import Sources
from bot.context.sections import ORDER
from bot.cortex.alerts import AdminAlerts, AlertServices
from bot.cortex.reload import RunningConfig
from bot.cortex.resend import Resends
from bot.cortex.target import Target
from bot.cortex.texts import channel_word
from bot.cortex.watch import Watch
from bot.diagnostics.known import heard_of
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.domain.redaction import Redactor
from bot.imports import lean_imports
from bot.messaging.access import Access, tiers_of
from bot.messaging.judge import Judge
from bot.messaging.manager import MessagingManager, MessagingServices
from bot.messaging.outbox import OutboxSender
from bot.messaging.posting import SendingServices
from bot.messaging.queues import Queues
from bot.messaging.registry import ChannelRegistry
from bot.messaging.settings import SettingsBook
from bot.ports.edges import Edges
from bot.ports.store import Store
from bot.skills import Skills
from bot.tasks import Tasks
from bot.tools.toolbox import Toolbox
from bot.wiring_agents import facts_of, fallbacks_of, judge_of, know_tools, model_of, skills_of
from bot.wiring_calls import calling_of, services_of, stopping, vitals_of
from bot.wiring_later import Later, tell_admin
from bot.wiring_mcp import foreign_tools
from bot.wiring_tools import ToolParts, toolbox_of
from bot.wiring_work import WorkParts
from bot.wiring_workshop import Workshop

if TYPE_CHECKING:
    from bot.cortex.service import Cortex
    from bot.tools.mcp.source import ForeignTools


@dataclass(frozen=True)
class _Core:
    """What both messaging and the cortex stand on."""

    edges: Edges
    loaded: LoadedConfig
    fatal: Fatal
    later: Later
    redactor: Redactor
    circles: Circles
    access: Access
    registry: ChannelRegistry
    book: SettingsBook
    judge: Judge
    alerts: AdminAlerts
    running: RunningConfig
    resends: Resends
    sender: OutboxSender
    turns: Turns
    toolbox: Toolbox
    answering: Answering
    work: WorkDesk
    inspector: ChannelContextInspector
    skills: Skills
    foreign: ForeignTools | None
    workshop: Workshop


def build(edges: Edges, loaded: LoadedConfig) -> App:
    """Wire a bot; raise ConfigError when a part lacks something."""
    core = _core(edges, loaded)
    later = core.later
    compactor = _compactor(core)
    later.make_cortex = partial(_cortex, core, compactor)
    later.manager = _manager(core, compactor)
    return App(
        edges=edges,
        config=loaded.config,
        manager=later.manager,
        registry=core.registry,
        sender=core.sender,
        open_cortex=later.cortex,
        inspector=core.inspector,
        models=core.turns.models,
        circles=core.circles,
        fatal=core.fatal,
        watch=Watch(edges, loaded.config.alerts, core.alerts, core.circles.aside),
        running=core.running,
        started_at=edges.clock.now(),
        vitals=partial(vitals_of, core.sender, core.turns.calling),
        stalls=core.turns.calling.stalls,
        foreign=core.foreign,
        work=core.work,
        workspaces=core.workshop.workspaces,
    )


def _core(edges: Edges, loaded: LoadedConfig) -> _Core:
    config, redactor, later, fatal = loaded.config, Redactor.of(loaded.secrets), Later(), Fatal()
    circles = Circles.of(fatal.hear)
    access = Access(tiers_of(config), edges.platforms, config.cortex.inspect_dms)
    registry = ChannelRegistry(Queues(edges.clock), edges.clock, config.conversation, edges.platforms)
    book = SettingsBook(edges.store.channels, config, registry, edges.store.opt_outs)
    alerts = AdminAlerts(
        AlertServices(config, edges.platforms, edges.clock, circles.aside, redactor.redact, edges.caller)
    )
    foreign = foreign_tools(edges, config, alerts, redactor)
    follow = partial(_follow, config, access, book, foreign)
    running = RunningConfig(loaded, edges.clock, alerts, follow, edges.store.starts)
    resends = Resends(edges.store, access, edges.clock)
    sender = _sender(edges, config, circles, redactor, alerts, resends)
    skills = skills_of(loaded, edges.clock)
    turns = _turns(edges, loaded, circles.aside, redactor, book, skills)
    said_to = (partial(later.propose, circles.cortex), later.returned, turns, partial(tell_admin, later))
    parts = WorkParts(edges, config, redactor, registry, circles.messaging, alerts, *said_to)
    later.work = work = parts.desk()
    workshop = Workshop.of(edges, config)
    more = services_of(edges, config.bot.data_dir, turns, redactor)
    outside = (skills, foreign, workshop, turns.calling, book.has_opted_out)
    toolbox = toolbox_of(ToolParts(edges, config, sender, later, work, *outside, more))
    know_tools(turns, toolbox)
    answering = Answering(turns.models, toolbox, model_of(config, edges.store.channels), skills, fallbacks_of(config))
    parts.employ(work, turns, answering, workshop.workspaces.folder)
    return _Core(
        edges=edges,
        loaded=loaded,
        fatal=fatal,
        later=later,
        redactor=redactor,
        circles=circles,
        access=access,
        registry=registry,
        book=book,
        judge=judge_of(edges, config, access, book),
        alerts=alerts,
        running=running,
        resends=resends,
        sender=sender,
        turns=turns,
        toolbox=toolbox,
        answering=answering,
        work=work,
        inspector=_inspector(edges, registry, turns, answering),
        skills=skills,
        foreign=foreign,
        workshop=workshop,
    )


async def _follow(config: Config, access: Access, book: SettingsBook, foreign: ForeignTools | None) -> None:
    """Let those who hold what was made of the configuration make it anew."""
    access.take_tiers(tiers_of(config))
    if foreign is not None:
        foreign.reloaded()
    await book.load()


def _compactor(core: _Core) -> Compactor:
    return Compactor(
        CompactorServices(
            turns=core.turns,
            compactions=core.edges.store.compactions,
            directory=core.registry,
            tasks=core.circles.aside,
            config=core.loaded.config.compaction,
            record=core.registry.record,
            put_away=core.later.put_away,
            tell=core.alerts.tell,
        )
    )


def _cortex(core: _Core, compactor: Compactor) -> Cortex:
    # imported here, because no start needs it; `App` loads it as soon as nobody waits any more
    with lean_imports():
        from bot.cortex.build import build_cortex
        from bot.cortex.parts import CortexParts

    return build_cortex(
        CortexParts(
            edges=core.edges,
            loaded=core.loaded,
            redactor=core.redactor,
            access=core.access,
            registry=core.registry,
            book=core.book,
            judge=core.judge,
            sender=core.sender,
            alerts=core.alerts,
            running=core.running,
            resends=core.resends,
            turns=core.turns,
            toolbox=core.toolbox,
            inspector=core.inspector,
            tasks=core.circles.cortex,
            hear=core.later.hear,
            compactor=compactor,
            skills=core.skills,
            foreign=core.foreign,
            worker_tools=core.workshop.probe,
            vitals=partial(vitals_of, core.sender, core.turns.calling),
            stop_work=core.work.stop,
            send_out=core.work.send_out,
            put_away=core.later.put_away,
        )
    )


def _manager(core: _Core, compactor: Compactor) -> MessagingManager:
    config, edges = core.loaded.config, core.edges
    channels = ChannelFactory(
        ChannelServices(
            turns=core.turns,
            answering=core.answering,
            delivery=core.sender,
            memories=edges.store.memories,
            channels=core.registry,
            tasks=core.circles.aside,
            alerts=core.alerts,
            limits=TurnLimits(rounds=config.model.rounds, seconds=config.model.turn_timeout),
            attachments=Attachments(edges.platforms, config.attachments),
            authority=core.access.tier,
            compactor=compactor,
            processes=edges.store.processes,
        )
    )
    return MessagingManager(
        MessagingServices(
            config=config,
            store=edges.store,
            clock=edges.clock,
            tasks=core.circles.messaging,
            platforms=dict(edges.platforms),
            sender=core.sender,
            access=core.access,
            book=core.book,
            registry=core.registry,
            judge=core.judge,
            door=core.later,
            open_channel=channels.open,
            alert=core.alerts.tell,
            skills=core.skills,
            take_up=core.work.resume,
            stop_work=stopping(core.work.roster.stop_all, core.turns.calling.background),
        )
    )


def _sender(
    edges: Edges, config: Config, circles: Circles, redactor: Redactor, alerts: AdminAlerts, resends: Resends
) -> OutboxSender:
    sender = OutboxSender(
        SendingServices(
            outbox=edges.store.outbox,
            previews=edges.store.previews,
            platforms=edges.platforms,
            clock=edges.clock,
            tasks=circles.sending,
            limits=config.limits,
            conversation=config.conversation,
            redact=redactor.redact,
            redact_unfinished=redactor.redact_unfinished,
            data_dir=Path(config.bot.data_dir),
            alert=alerts.tell,
            moves=lambda: edges.store.channels.moves,
            offer_resend=resends.offer,
            name_of=partial(_name_of, edges.store, config),
        )
    )
    alerts.speak_through(sender)
    return sender


async def _name_of(store: Store, config: Config, channel: ChannelId) -> str:
    for agent in (MAIN, *map(AgentId, config.agents)):
        key = ChannelKey(agent, channel)
        if found := await store.channels.load(key) or await heard_of(store.ledger, key):
            return channel_word(Target(ChannelKey(MAIN, channel), found.name, found.place))
    return channel


def _turns(
    edges: Edges, loaded: LoadedConfig, aside: Tasks, redactor: Redactor, book: SettingsBook, skills: Skills
) -> Turns:
    store, config = edges.store, loaded.config
    facts = facts_of(edges, config, loaded.path.parent if loaded.path else Path())
    calling = calling_of(edges, loaded, redactor, aside)
    going_on = calling.background.going_on
    sources = Sources(store.memories, store.channels, store.journal, facts, redactor, skills, Doors(), going_on)
    contexts = Contexts(Gatherer(ORDER, sources), edges.counter, store.meter)
    models = Models(edges.providers, config.model, edges.clock)
    aftermath = Aftermath(contexts, models, store.ledger, edges.clock, aside, config.drift.sample)
    return Turns(
        contexts,
        models,
        store.journal,
        edges.clock,
        aftermath,
        keeps=lambda key: book.of(key).unrecorded is None,
        calling=calling,
    )


def _inspector(edges: Edges, registry: ChannelRegistry, turns: Turns, answering: Answering) -> ChannelContextInspector:
    return ChannelContextInspector(
        contexts=turns.contexts,
        journal=edges.store.journal,
        channels=edges.store.channels,
        directory=registry,
        memories=edges.store.memories,
        wires=turns.models,
        ask_for=answering.ask_for,
        clock=edges.clock,
    )
