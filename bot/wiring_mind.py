"""Wire what answers; imported when it is first needed, because no start needs it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bot.agent.aftermath import Aftermath
from bot.agent.answering import Answering
from bot.agent.attachments import Attachments
from bot.agent.channel import ChannelFactory, ChannelServices
from bot.agent.compactor import Compactor, CompactorServices
from bot.agent.discreet import DiscreetProvider
from bot.agent.doors import Doors
from bot.agent.mind import Mind
from bot.agent.models import Models
from bot.agent.turn import TurnLimits, Turns
from bot.context.contexts import Contexts
from bot.context.gather import Gatherer
from bot.context.inspector import ChannelContextInspector
from bot.context.section import Sources
from bot.context.sections import ORDER
from bot.cortex.incidents import Incidents
from bot.wiring_agents import facts_of, fallbacks_of, know_tools, model_of
from bot.wiring_calls import calling_of, services_of, stopping, vitals_of
from bot.wiring_core import Core
from bot.wiring_later import tell_admin
from bot.wiring_tools import ToolParts, toolbox_of
from bot.wiring_work import WorkParts
from bot.wiring_workshop import Workshop


def mind_of(core: Core) -> Mind:
    """Make it; raise ConfigError when a tool lacks something."""
    edges, config, redactor, later, circles = core.edges, core.loaded.config, core.redactor, core.later, core.circles
    turns = _turns(core)
    said_to = (partial(later.propose, circles.cortex), later.returned, turns, partial(tell_admin, later))
    parts = WorkParts(edges, config, redactor, core.registry, circles.messaging, core.alerts, *said_to)
    work, workshop = parts.desk(), Workshop.of(edges, config)
    more = services_of(edges, config.bot.data_dir, turns, redactor)
    outside = (core.skills, core.foreign, workshop, turns.calling, core.book.has_opted_out)
    toolbox = toolbox_of(ToolParts(edges, config, core.sender, later, work, *outside, more))
    know_tools(turns, toolbox)
    models, named = turns.models, model_of(config, edges.store.channels)
    answering = Answering(models, toolbox, named, core.skills, fallbacks_of(config))
    parts.employ(work, turns, answering, workshop.workspaces.folder)
    compactor = _compactor(core, turns)
    return Mind(
        turns=turns,
        toolbox=toolbox,
        answering=answering,
        work=work,
        inspector=_inspector(core, turns, answering),
        compactor=compactor,
        channels=_channels(core, turns, answering, compactor),
        workspaces=workshop.workspaces,
        worker_tools=workshop.probe,
        vitals=partial(vitals_of, core.sender, turns),
        stop_work=stopping(work.roster.stop_all, turns.calling.background),
    )


def _turns(core: Core) -> Turns:
    edges, loaded, redactor, book = core.edges, core.loaded, core.redactor, core.book
    store, config, aside = edges.store, loaded.config, core.circles.aside
    facts = facts_of(edges, config, loaded.path.parent if loaded.path else Path())
    calling = calling_of(edges, loaded, redactor, aside, core.stalls)
    going_on = calling.background.going_on
    sources = Sources(store.memories, store.channels, store.journal, facts, redactor, core.skills, Doors(), going_on)
    contexts = Contexts(Gatherer(ORDER, sources), edges.counter, store.meter)
    providers = {name: DiscreetProvider(provider, redactor.redact) for name, provider in edges.providers.items()}
    incidents = Incidents(core.alerts, edges.clock, aside, bool(config.model.fallbacks))
    models = Models(providers, config.model, edges.clock, store.lessons, incidents)
    aftermath = Aftermath(contexts, models, store.ledger, edges.clock, aside, config.drift.sample)
    return Turns(
        contexts,
        models,
        store.journal,
        edges.clock,
        aftermath,
        keeps=lambda key: book.of(key).unrecorded is None,
        calling=calling,
        local_times=core.times.at,
    )


def _compactor(core: Core, turns: Turns) -> Compactor:
    return Compactor(
        CompactorServices(
            turns=turns,
            compactions=core.edges.store.compactions,
            directory=core.registry,
            tasks=core.circles.aside,
            config=core.loaded.config.compaction,
            record=core.registry.record,
            put_away=core.later.put_away,
            tell=core.alerts.tell,
            note=core.edges.store.ledger.note,
        )
    )


def _channels(core: Core, turns: Turns, answering: Answering, compactor: Compactor) -> ChannelFactory:
    config, edges = core.loaded.config, core.edges
    return ChannelFactory(
        ChannelServices(
            turns=turns,
            answering=answering,
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
            set_settings=lambda state, settings: core.book.change(state.key, state.name, state.place, settings),
        )
    )


def _inspector(core: Core, turns: Turns, answering: Answering) -> ChannelContextInspector:
    edges = core.edges
    return ChannelContextInspector(
        contexts=turns.contexts,
        journal=edges.store.journal,
        channels=edges.store.channels,
        directory=core.registry,
        memories=edges.store.memories,
        wires=turns.models,
        ask_for=answering.ask_for,
        clock=edges.clock,
        local_times=core.times.at,
    )
