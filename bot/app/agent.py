"""Wire what answers; imported when it is first needed, because no start needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import structlog

from bot.agent.channel import ChannelFactory
from bot.agent.compaction.compactor import Compactor
from bot.agent.processes.dispatcher import ProcessSupervisor
from bot.agent.turn.after_turn import AfterTurnChecks
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.attachments import AttachmentFetcher
from bot.agent.turn.embedding_client import EmbeddingClient, EmbeddingLimits
from bot.agent.turn.memory_meaning import MemoryMeaning
from bot.agent.turn.model_client import ModelClient
from bot.agent.turn.redacting_provider import DiscreetProvider
from bot.agent.turn.turn import TurnLimits, TurnRunner
from bot.app.core import BotCore
from bot.app.processes import ProcessWiring
from bot.app.tools import toolbox_of
from bot.app.workshop import WorkerTooling
from bot.config import Config
from bot.config.config_view import ConfigView
from bot.config.file_privacy import read_text
from bot.config.schema import BotConfig
from bot.context.builder import ContextBuilder
from bot.context.gather import ContextGatherer
from bot.context.links_of_others import LinkRules
from bot.context.origin_tracer import WordOriginTracer
from bot.context.section import AgentFacts, BotFacts, OrganisationText, SectionSources, ToolGroup
from bot.context.sections import ORDER
from bot.cortex.alerts.incident_alerts import IncidentAlerts
from bot.cortex.alerts.outcome_alerts import OutcomeAlerts
from bot.cortex.alerts.turn_outcomes import TurnOutcomes
from bot.cortex.sessions.buttons import ButtonFactory
from bot.domain.access import Authority
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.health import LoopLag, ProbeResult, ProcessVitals
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.domain.revisions import BY_ITSELF
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.ports.edges import Edges
from bot.ports.embeddings import BY_WORDS_ALONE
from bot.ports.workspaces import Workspaces
from bot.runtime.stall_detector import join_lags
from bot.sentences import say
from bot.tools.runtime.background_tasks import BackgroundTasks
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.lag_sampler import LagSampler
from bot.tools.runtime.tool_grants import ToolGrants
from bot.tools.runtime.toolbox import Toolbox

log = structlog.get_logger(__name__)
_MAX_ORGANISATION_BYTES = 16_000


@dataclass(frozen=True, eq=False)
class AgentWiring:
    """Implements `bot.app.mind.AgentMind`; each part is made by the first who asks for it."""

    bot: BotCore

    # one turn

    @cached_property
    def calling(self) -> CallEnvironment:
        """What every turn's calls go through."""
        bot, config, channels = self.bot, self.bot.config, self.bot.edges.store.channels
        return CallEnvironment(
            lag=LagSampler(bot.edges.clock.now),
            stalls=bot.stalls,
            background=BackgroundTasks(bot.task_groups.background, config.calls),
            grants=ToolGrants(
                config.tools,
                lambda channel: channels.moves.former_ids(channel),
                config.agents,
                lambda key: bot.book.tools_off(key),
            ),
            config=ConfigView(bot.loaded, bot.redactor),
        )

    @cached_property
    def contexts(self) -> ContextBuilder:
        bot, store = self.bot, self.bot.edges.store
        sources = SectionSources(
            memories=store.memories,
            channels=store.channels,
            journal=store.journal,
            facts=facts_of(bot.edges, bot.config, bot.loaded.path.parent if bot.loaded.path else Path()),
            redactor=bot.redactor,
            skills=bot.skills,
            # requests say what workers can do
            workers=WorkerTools(lambda: self.toolbox),
            calls=self.calling.background.going_on,
        )
        return ContextBuilder(ContextGatherer(bot.plugins.order(ORDER), sources), bot.edges.counter, store.meter)

    @cached_property
    def models(self) -> ModelClient:
        bot, edges, config = self.bot, self.bot.edges, self.bot.config.model
        redact = bot.redactor.redact
        providers = {name: DiscreetProvider(provider, redact) for name, provider in edges.providers.items()}
        buttons = ButtonFactory(edges.store.secret_key)
        incidents = IncidentAlerts(
            bot.alerts, edges.clock, bot.task_groups.background, bool(config.fallbacks), buttons.card
        )
        bot.outcomes.watch(incidents.ended)
        return ModelClient(providers, config, edges.clock, edges.store.lessons, incidents)

    @cached_property
    def turns(self) -> TurnRunner:
        bot, edges, aside = self.bot, self.bot.edges, self.bot.task_groups.background
        store, sample = edges.store, bot.config.drift.sample
        return TurnRunner(
            contexts=self.contexts,
            models=self.models,
            journal=store.journal,
            clock=edges.clock,
            aftermath=AfterTurnChecks(
                self.contexts, self.models, store.ledger, edges.clock, aside, sample, bot.alerts.tell
            ),
            keeps=lambda key: bot.book.of(key).unrecorded is None,
            calling=self.calling,
            local_times=bot.times.at,
            metrics=edges.metrics,
        )

    # with what, and by whom it is done

    @cached_property
    def workshop(self) -> WorkerTooling:
        return WorkerTooling.of(self.bot.edges, self.bot.config)

    @property
    def workspaces(self) -> Workspaces:
        return self.workshop.workspaces

    @cached_property
    def toolbox(self) -> Toolbox:
        """Raise ConfigError when a tool lacks something."""
        meaning = self.meaning or BY_WORDS_ALONE
        return toolbox_of(self.bot, self.turns, self.work, self.workshop, self.links, meaning)

    @cached_property
    def meaning(self) -> MemoryMeaning | None:
        """What finds memories by what they mean; None where no model is configured for it."""
        bot, edges, config = self.bot, self.bot.edges, self.bot.config
        if edges.embedder is None:
            return None
        limits = EmbeddingLimits(
            seconds=config.embeddings.seconds,
            rest=config.model.cool_down,
            price=config.embeddings.price_input,
            daily_cost=lambda: bot.config.limits.daily_cost_usd,
        )
        client = EmbeddingClient(
            embedder=edges.embedder,
            journal=edges.store.journal,
            meter=edges.store.meter,
            clock=edges.clock,
            redact=bot.redactor.redact,
            limits=limits,
        )
        return MemoryMeaning(client, edges.store.vectors, edges.clock, config.embeddings.batch, bot.book.has_opted_out)

    @cached_property
    def answering(self) -> AnswerSettings:
        return AnswerSettings(self.models, self.toolbox, self._model_of, self.bot.skills, self._fallbacks_of)

    def _model_of(self, state: ChannelState) -> str:
        """Name the model that was set for a channel; an empty name is the usual one."""
        config, moves = self.bot.config, self.bot.edges.store.channels.moves
        own = config.channel(state.id, moves.former_ids(state.id)).model
        return state.settings.model or own or config.agent(state.agent).model

    def _fallbacks_of(self, state: ChannelState) -> tuple[str, ...] | None:
        """Name the models that stand in for that of a channel; None is for the usual ones."""
        return self.bot.config.agent(state.agent).fallbacks

    @cached_property
    def work(self) -> ProcessSupervisor:
        wiring = ProcessWiring(
            bot=self.bot,
            turns=self.turns,
            answering=lambda: self.answering,
            workspace=lambda key: self.workspaces.folder(key),
        )
        return wiring.supervisor

    # conversations

    @cached_property
    def channels(self) -> ChannelFactory:
        bot, edges, config = self.bot, self.bot.edges, self.bot.config
        return ChannelFactory(
            turns=self.turns,
            answering=self.answering,
            delivery=bot.sender,
            memories=edges.store.memories,
            channels=bot.registry,
            tasks=bot.task_groups.background,
            alerts=bot.alerts,
            limits=TurnLimits(rounds=config.model.rounds, seconds=config.model.turn_timeout),
            attachments=AttachmentFetcher(edges.platforms, config.attachments),
            authority=bot.access.tier,
            compactor=self.compactor,
            listener=self.listener,
            language=bot.languages.of_answer,
            processes=edges.store.processes,
            links=self.links,
            set_settings=lambda state, settings: bot.book.change(
                state.key, state.name, state.place, settings, BY_ITSELF
            ),
        )

    @cached_property
    def listener(self) -> TurnOutcomes:
        bot, edges = self.bot, self.bot.edges
        watching = OutcomeAlerts(
            alerts=bot.alerts,
            journal=edges.store.journal,
            card=ButtonFactory(edges.store.secret_key).card,
            tasks=bot.task_groups.background,
        )
        bot.outcomes.watch(watching.ended)
        return bot.outcomes

    @cached_property
    def links(self) -> LinkRules:
        config, moves = self.bot.config, self.bot.edges.store.channels.moves
        talk = config.conversation
        return LinkRules(
            lambda channel: (config.channel(channel, moves.former_ids(channel)).live_links or talk.live_links) == "all",
            lambda: talk.link_hosts,
        )

    @cached_property
    def compactor(self) -> Compactor:
        bot, store = self.bot, self.bot.edges.store
        return Compactor(
            turns=self.turns,
            compactions=store.compactions,
            directory=bot.registry,
            tasks=bot.task_groups.background,
            config=bot.config.compaction,
            record=bot.registry.record,
            reload_channel=bot.manager.reload_channel,
            tell=bot.alerts.tell,
            note=store.ledger.note,
            tracer=WordOriginTracer(bot.access.tier),
        )

    @cached_property
    def inspector(self) -> ChannelContextInspector:
        bot, store = self.bot, self.bot.edges.store
        return ChannelContextInspector(
            contexts=self.contexts,
            journal=store.journal,
            channels=store.channels,
            directory=bot.registry,
            memories=store.memories,
            wires=self.models,
            ask_for=self.answering.ask_for,
            clock=bot.edges.clock,
            local_times=bot.times.at,
        )

    # how they do

    async def worker_tools(self) -> Sequence[ProbeResult]:
        return await self.workshop.probe()

    def vitals(self, channel: ChannelId) -> ProcessVitals:
        lags = (LoopLag(at=lag.at, ms=lag.ms, what=lag.tools, certain=lag.certain) for lag in self.calling.lag.samples)
        return ProcessVitals(
            lags=join_lags(tuple(lags), tuple(self.calling.stalls.found)),
            typing_since=self.bot.sender.streams.typing_since(channel),
            turns=self.turns.times(channel),
        )

    async def stop_work(self, key: ChannelKey, why: str, whose: PersonKey | None) -> int:
        # whose wish a call in the background was, nobody can say: of one person those go on
        background = self.calling.background
        tasks = background.running(key) if whose is None else ()
        await background.cancel(tasks)
        return len(tasks) + await self.work.roster.stop_all(key, why, whose)


def facts_of(edges: Edges, config: Config, beside: Path) -> BotFacts:
    """Return what sections read of the configuration and of the adapters; `beside` is where its file lies."""
    return BotFacts(
        bot_name=config.bot.name,
        persona=config.bot.persona,
        personas={ChannelId(key): one.persona for key, one in config.channels.items() if one.persona is not None},
        platforms={name: platform.capabilities for name, platform in edges.platforms.items()},
        bulletin_words=config.memory.bulletin_words,
        organisation=_organisation(config.bot, beside),
        links={ChannelId(key): one.links for key, one in config.channels.items() if one.links},
        agents={key: AgentFacts(one.name, one.persona, one.organisation) for key, one in config.agents.items()},
    )


def _organisation(bot: BotConfig, beside: Path) -> OrganisationText:
    texts, sources = [bot.organisation], ["config:bot.organisation"] if bot.organisation else []
    problem = ""
    if bot.organisation_file:
        try:
            texts.append(read_text(beside / bot.organisation_file, _MAX_ORGANISATION_BYTES))
            sources.append("config:bot.organisation_file")
        except (OSError, ValueError) as error:
            why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            problem = say("lifecycle.organisation-unreadable", file=bot.organisation_file, why=why)
            log.error("organisation_file_not_read", file=bot.organisation_file, why=why)
    return OrganisationText("\n\n".join(filter(None, texts)), tuple(sources), problem)


@dataclass(frozen=True)
class WorkerTools:
    """Asks the toolbox, in which tools are that this is read for: it is asked for only when somebody wants to know."""

    toolbox: Callable[[], Toolbox]

    def of(self, key: ChannelKey) -> tuple[ToolGroup, ...]:
        """Return every group that is configured, in the order of the configuration."""
        toolbox = self.toolbox()
        return tuple(_door(toolbox, group, key) for group in toolbox.grants.config.names)


def _door(toolbox: Toolbox, group: str, key: ChannelKey) -> ToolGroup:
    # whoever may do most: the group is closed only where it is closed to all
    if closed := toolbox.grants.refusal(group, key, Authority.OWNER):
        return ToolGroup(group, closed=closed)
    table = toolbox.grants.config.group(group)
    assert table is not None
    tools = tuple(tool.name for tool in toolbox.of(ProcessKind.WORKER) if tool.spec.group == group)
    return ToolGroup(group, tools, table.authority, lacks=toolbox.means.missing(group))
