"""Wire what answers admins; imported when it is first needed, because no start needs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.app.adapters import health_of_platforms
from bot.app.core import BotCore
from bot.app.doctor_checks import patients_of
from bot.app.live_facts import LiveFacts
from bot.app.named_plugins import added_pieces
from bot.app.tools import memory_rules
from bot.config.explained_keys import explain, explain_learnt
from bot.cortex.commands.cortex_command import CommandSources
from bot.cortex.fixes.answer_picker import AnswerPicker
from bot.cortex.fixes.answer_watch import AnswerWatch
from bot.cortex.fixes.fix_menu import FixMenu
from bot.cortex.fixes.fix_runner import FixRunner
from bot.cortex.fixes.live_fixes import LiveFixes
from bot.cortex.fixes.moderator_proposals import ModeratorProposals
from bot.cortex.fixes.offers import OfferMaker
from bot.cortex.fixes.privacy_offers import ErasureRunner, PrivacyOffers
from bot.cortex.fixes.private_work import PrivateWork
from bot.cortex.fixes.proposal_threads import ProposalThreads
from bot.cortex.fixes.tool_reload import ToolReload
from bot.cortex.inspection.context_probe import LastContext
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.inspection.inspection_branch import InspectionBranchRunner
from bot.cortex.inspection.inspection_briefing import InspectionBriefing
from bot.cortex.inspection.inspection_checkpoints import InspectionCheckpoints
from bot.cortex.inspection.inspection_runner import InspectionRunner
from bot.cortex.inspection.inspection_slots import InspectionSlots
from bot.cortex.inspection.next_steps import EXPECTED_ANSWER_TOKENS
from bot.cortex.pages.channel_environment import ChannelEnvironment
from bot.cortex.pages.chart_pictures import ChartPictures
from bot.cortex.pages.compaction_page import CompactionList
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.fact_page import FactPages
from bot.cortex.pages.memory_audit import MemoryAudit
from bot.cortex.pages.memory_chart_page import MemoryChartPages
from bot.cortex.pages.memory_file_pages import MemoryFilePages
from bot.cortex.pages.memory_recall_page import MemoryRecallPages
from bot.cortex.pages.memory_spread_page import MemorySpreadPages
from bot.cortex.pages.part_reading import PartReading
from bot.cortex.pages.request_page import RequestPage
from bot.cortex.pages.server_page import ServerPages
from bot.cortex.pages.skill_page import SkillPages
from bot.cortex.pages.trace_pages import TracePages
from bot.cortex.pages.usage_page import UsagePages, thresholds_of
from bot.cortex.pages.version_pages import VersionPages
from bot.cortex.proving.check_pages import CheckPages
from bot.cortex.proving.proof_notes import ProofCheckpoints
from bot.cortex.proving.proof_plan import ProofPlanner
from bot.cortex.proving.proof_runner import ProofRunner
from bot.cortex.proving.replay_bundles import BundlePages
from bot.cortex.proving.single_replay import SingleReplays
from bot.cortex.service.card_presses import CardPresses
from bot.cortex.service.chat import CortexChat
from bot.cortex.service.conversation import CortexConversation
from bot.cortex.service.cortex import Cortex
from bot.cortex.service.own_messages import OwnMessageAnswers
from bot.cortex.service.owner_claims import OwnerClaims
from bot.cortex.service.press_handler import PressHandler
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.invitations import InvitationLinks
from bot.cortex.sessions.message_requeue import MessageRequeue
from bot.cortex.sessions.offer_expiry import OfferExpiry
from bot.cortex.sessions.page_links import LinkSigner, PageLinks
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.sessions.unanswered_messages import UnansweredMessages
from bot.cortex.targets.record_lookup import RecordLookup
from bot.cortex.targets.record_viewer import RecordViewer
from bot.cortex.targets.target_parser import TargetParser
from bot.cortex.targets.target_resolver import TargetResolver
from bot.cortex.targets.tool_page import ToolPages
from bot.diagnostics.collect.collector import EvidenceCollector, LiveSources
from bot.diagnostics.evidence.evidence import ProcessTool
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.health import ProbeResult
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, platform_of
from bot.domain.llm import TokenUsage
from bot.domain.messages import Inbound
from bot.inspect.capture.redact_view import CachedRedactor
from bot.inspect.charts.chart import ChartStyle
from bot.ports.embeddings import BY_WORDS_ALONE
from bot.replay.replayer import KnownNow, Replayer
from bot.runtime.rate_limiter import RateLimiter
from bot.tools.runtime.tool_grants import ToolGrants
from bot.tools.toolsets import TOOLSETS

if TYPE_CHECKING:
    from bot.tools.mcp.server_offer import BrokenTool

_PRESSES_A_QUESTION = 5
"""A press costs far less than a question, and one answer is worth several of them."""


@dataclass(frozen=True, eq=False)
class CortexWiring:
    """Each part is made by the first who asks for it."""

    bot: BotCore

    @cached_property
    def cortex(self) -> Cortex:
        """The whole, ready to be knocked at."""
        edges, limits = self.bot.edges, self.bot.config.cortex
        return Cortex(
            language=self.bot.languages.of,
            added=self.bot.plugins.pages_by_name,
            store=edges.store,
            clock=edges.clock,
            platforms=edges.platforms,
            targets=self.targets,
            threads=self.threads,
            post=self.post,
            questions=RateLimiter(edges.clock, limits.per_minute),
            looks=RateLimiter(edges.clock, limits.per_minute * _PRESSES_A_QUESTION),
            inquiry=self.inquiry,
            conversation=self.conversation,
            presses=self.presses,
            proving=self.proving,
            invitations=self.invitations,
            claims=self.claims,
            words_of=self._words_of,
            forgetting=self.forgetting,
            members=OwnMessageAnswers(edges.store, edges.clock, self.inquiry),
            proposing=self.proposing,
            private_work=self.private_work,
            tasks=self.bot.task_groups.cortex,
        )

    def _words_of(self, inbound: Inbound) -> str | None:
        line = self.bot.judge.facts(inbound).command
        return line.words if line is not None and line.name == "cortex" else None

    # what is meant, and where answers go

    @cached_property
    def targets(self) -> TargetResolver:
        bot, store = self.bot, self.bot.edges.store
        return TargetResolver(
            bot.judge.agents,
            store,
            TargetParser(store, bot.config.platform_names),
            bot.registry,
            bot.edges.platforms,
            bot.access,
        )

    @cached_property
    def threads(self) -> SessionThreads:
        return SessionThreads(self.bot.edges.store, self.bot.edges.clock)

    @cached_property
    def buttons(self) -> ButtonFactory:
        return ButtonFactory(self.bot.edges.store.secret_key)

    @cached_property
    def post(self) -> ThreadPoster:
        bot = self.bot
        return ThreadPoster(bot.sender, bot.edges.store.sessions, bot.edges.clock, bot.languages.of)

    @cached_property
    def invitations(self) -> InvitationLinks:
        edges = self.bot.edges
        return InvitationLinks(edges.store, edges.platforms, edges.clock, edges.entropy)

    @cached_property
    def claims(self) -> OwnerClaims:
        bot, edges = self.bot, self.bot.edges
        return OwnerClaims(
            config=bot.config,
            path=bot.loaded.path,
            first_run=lambda: bot.first_run,
            clock=edges.clock,
            entropy=edges.entropy,
            audit=edges.store.audit,
            delivery=bot.sender,
            key=edges.store.secret_key,
            tasks=bot.task_groups.cortex,
        )

    # what is looked at

    @cached_property
    def records(self) -> RecordLookup:
        return RecordLookup(self.bot.edges.store, self.bot.edges.clock, self.bot.config.platform_names)

    @cached_property
    def opener(self) -> RecordViewer:
        return RecordViewer(self.records, self.targets, self.bot.redactor)

    @cached_property
    def waiting(self) -> UnansweredMessages:
        return UnansweredMessages(self.bot.edges.store, self.buttons, self.bot.edges.clock)

    @cached_property
    def looking(self) -> ContextCapturer:
        bot, store = self.bot, self.bot.edges.store
        return ContextCapturer(
            inspector=bot.mind.inspector,
            targets=self.targets,
            store=store,
            redactor=CachedRedactor(bot.redactor),
            not_recorded=self.privacy.not_recorded,
            surroundings=ChannelEnvironment(store, bot.loaded, bot.running.probe),
            settings=bot.book.of,
        )

    @cached_property
    def collector(self) -> EvidenceCollector:
        bot, mind, edges, since = self.bot, self.bot.mind, self.bot.edges, self.bot.edges.clock.now()

        async def probe(channel: ChannelId) -> Sequence[ProbeResult]:
            platform = edges.platforms.get(platform_of(channel))
            return await platform.probe(channel) if platform else ()

        def tools(key: ChannelKey) -> tuple[ProcessTool, ...]:
            return *offered_tools(mind.toolbox.grants, key), *_unusable(self._broken())

        live = LiveSources(
            bot.registry,
            lambda: health_of_platforms(edges, since),
            mind.turns.models.health,
            mind.inspector.preview,
            probe,
            bot.running.stale,
            tools,
            mind.vitals,
            bot.sharing.elsewhere,
            lambda: edges.counter.trouble,
        )
        return EvidenceCollector(edges.store, edges.clock, bot.config, live)

    def _broken(self) -> Mapping[str, Sequence[BrokenTool]]:
        return self.bot.foreign.broken() if self.bot.foreign is not None else {}

    @cached_property
    def last(self) -> LastContext:
        return LastContext()

    # what may be changed

    @cached_property
    def offering(self) -> OfferMaker:
        bot, edges = self.bot, self.bot.edges
        return OfferMaker(
            store=edges.store,
            targets=self.targets,
            buttons=self.buttons,
            redactor=bot.redactor,
            clock=edges.clock,
            entropy=edges.entropy,
            expiry=OfferExpiry(edges.clock, bot.config.cortex.confirm_seconds),
            rules=memory_rules(bot),
        )

    @cached_property
    def privacy(self) -> PrivacyOffers:
        bot, edges = self.bot, self.bot.edges
        return PrivacyOffers(
            edges.store, edges.clock, self.targets, self.offering, lambda key: bot.book.of(key).unrecorded
        )

    @cached_property
    def forgetting(self) -> ErasureRunner:
        bot, edges = self.bot, self.bot.edges
        return ErasureRunner(
            edges.store,
            edges.clock,
            self.targets,
            bot.task_groups.cortex,
            self.post,
            bot.reload_channel,
            bot.book.reload,
            self._forget_choices,
        )

    def _forget_choices(self, person: PersonKey) -> None:
        self.bot.times.forget(person)
        self.bot.languages.forget(person)

    @cached_property
    def private_work(self) -> PrivateWork:
        bot, edges = self.bot, self.bot.edges
        return PrivateWork(
            store=edges.store,
            clock=edges.clock,
            targets=self.targets,
            offering=self.offering,
            toolbox=bot.mind.toolbox,
            post=self.post,
            redactor=bot.redactor,
            send_out=bot.mind.work.send_out,
            tasks=bot.task_groups.cortex,
        )

    @cached_property
    def proposing(self) -> ProposalThreads:
        return ProposalThreads(
            config=self.bot.config,
            platforms=self.bot.edges.platforms,
            targets=self.targets,
            threads=self.threads,
            buttons=self.buttons,
            post=self.post,
            redactor=self.bot.redactor,
        )

    @cached_property
    def watch(self) -> AnswerWatch:
        watch = AnswerWatch(self.post, self.bot.edges.clock, self.bot.task_groups.cortex)
        self.bot.outcomes.watch(watch.ended)
        return watch

    @cached_property
    def requeue(self) -> MessageRequeue:
        bot = self.bot
        return MessageRequeue(bot.edges.store.ledger, lambda batch: bot.manager.receive(batch, None))

    @cached_property
    def live(self) -> LiveFixes:
        bot, store = self.bot, self.bot.edges.store
        return LiveFixes(
            buttons=self.buttons,
            waiting=self.waiting,
            post=self.post,
            tasks=bot.task_groups.cortex,
            clock=bot.edges.clock,
            compactions=store.compactions,
            watch=self.watch,
            requeue=self.requeue,
            renew=bot.manager.renew,
            undo=bot.manager.undo_reset,
            compact=self.facts.compact,
            ask_again=bot.mind.turns.models.ask_again,
            reload=ToolReload(bot.mind.toolbox, bot.skills, lambda: bot.foreign).run,
        )

    @cached_property
    def facts(self) -> LiveFacts:
        return LiveFacts(self.bot)

    @cached_property
    def menu(self) -> FixMenu:
        return FixMenu(
            store=self.bot.edges.store, offering=self.offering, waiting=self.waiting, facts=self.facts.fix_facts()
        )

    @cached_property
    def suggesting(self) -> ModeratorProposals:
        bot, edges = self.bot, self.bot.edges
        return ModeratorProposals(
            store=edges.store,
            clock=edges.clock,
            entropy=edges.entropy,
            config=bot.config,
            platforms=edges.platforms,
            targets=self.targets,
            threads=self.threads,
            buttons=self.buttons,
            post=self.post,
            redactor=bot.redactor,
            rules=memory_rules(bot),
            fixes=self.fixes,
        )

    async def _taken_back(self, proposal: int, by: str) -> None:
        await self.suggesting.undone(proposal, by)

    @cached_property
    def fixes(self) -> FixRunner:
        bot, store = self.bot, self.bot.edges.store
        return FixRunner(
            store=store,
            targets=self.targets,
            buttons=self.buttons,
            waiting=self.waiting,
            expiry=self.offering.expiry,
            clock=bot.edges.clock,
            changed=bot.book.reload,
            reload_channel=bot.reload_channel,
            announce=self.post.announce,
            stop=bot.mind.work.stop,
            private_work=self.private_work,
            privacy=self.privacy,
            forgetting=self.forgetting,
            proving=self.proving,
            live=self.live,
            taken_back=self._taken_back,
        )

    @cached_property
    def presses(self) -> PressHandler:
        bot, store = self.bot, self.bot.edges.store
        return PressHandler(
            store=store,
            buttons=self.buttons,
            targets=self.targets,
            opener=self.opener,
            reading=self.reading,
            spreads=self.spreads,
            offering=self.offering,
            menu=self.menu,
            picker=AnswerPicker(
                store=store, buttons=self.buttons, targets=self.targets, menu=self.menu, post=self.post
            ),
            cards=CardPresses(
                store=store,
                alerts=bot.alerts,
                buttons=self.buttons,
                targets=self.targets,
                threads=self.threads,
                platforms=bot.edges.platforms,
                menu=self.menu,
                offering=self.offering,
            ),
            fixes=self.fixes,
            resends=bot.resends,
            delivery=bot.sender,
            proving=self.proving,
            checks=self.checks,
            suggesting=self.suggesting,
        )

    @cached_property
    def proving(self) -> ProofRunner:
        bot, mind, edges = self.bot, self.bot.mind, self.bot.edges
        replayer = Replayer(mind.turns.models, edges.store.journal, edges.clock)

        def known() -> KnownNow:
            tools = [tool.name for tool in mind.toolbox.of(ProcessKind.CHANNEL)]
            return KnownNow(frozenset(tools), frozenset(skill.name for skill in bot.skills.usable(MAIN)))

        planner = ProofPlanner(replayer, edges.store.journal, known)
        single = SingleReplays(
            store=edges.store,
            clock=edges.clock,
            replayer=replayer,
            planner=planner,
            looking=self.looking,
            offering=self.offering,
            buttons=self.buttons,
            post=self.post,
            redactor=bot.redactor,
            tasks=bot.task_groups.cortex,
        )
        return ProofRunner(
            store=edges.store,
            clock=edges.clock,
            replayer=replayer,
            planner=planner,
            single=single,
            notes=ProofCheckpoints(edges.store.checkpoints, edges.clock),
            looking=self.looking,
            targets=self.targets,
            tracing=self.tracing,
            offering=self.offering,
            buttons=self.buttons,
            post=self.post,
            redactor=bot.redactor,
            tasks=bot.task_groups.cortex,
            config=bot.config.cortex,
            daily_cost=lambda: bot.config.limits.daily_cost_usd,
            keeps=mind.turns.keeps,
        )

    # who answers

    @cached_property
    def conversation(self) -> CortexConversation:
        edges = self.bot.edges
        return CortexConversation(
            audit=edges.store.audit,
            clock=edges.clock,
            platforms=edges.platforms,
            threads=self.threads,
            post=self.post,
            inquiry=self.inquiry,
            chat=self.chat,
            context=self.context,
            opener=self.opener,
            invitations=self.invitations,
            notice_in_channel=self.bot.config.cortex.notice_in_channel,
        )

    @cached_property
    def inquiry(self) -> DiagnosisRunner:
        bot, mind, limits = self.bot, self.bot.mind, self.bot.config.cortex
        keeping = InspectionCheckpoints(bot.edges.store.checkpoints, bot.edges.clock)
        branches = InspectionBranchRunner(
            turns=mind.turns,
            toolbox=mind.toolbox,
            directory=bot.registry,
            looking=self.looking,
            records=self.records,
            briefing=InspectionBriefing(
                mind.turns.contexts, CachedRedactor(bot.redactor), self.last, added_pieces(bot.plugins)
            ),
            keeping=keeping,
            config=limits,
        )
        inspecting = InspectionRunner(
            branches=branches,
            keeping=keeping,
            slots=InspectionSlots(limits.inspections),
            buttons=self.buttons,
            post=self.post,
            targets=self.targets,
            redactor=bot.redactor,
            tasks=bot.task_groups.cortex,
            price=self._price,
            most_tokens=limits.tokens,
        )
        return DiagnosisRunner(
            rules=bot.plugins.rules,
            collector=self.collector,
            inspecting=inspecting,
            buttons=self.buttons,
            opener=self.opener,
            waiting=self.waiting,
            menu=self.menu,
            watch=self.watch,
            requeue=self.requeue,
            post=self.post,
            targets=self.targets,
            tasks=bot.task_groups.cortex,
            price=self._price,
            most_tokens=limits.tokens,
            watchers=bot.edges.watchers,
        )

    def _price(self, tokens: int) -> float | None:
        """Say what an inspection that reads so many tokens costs at most; None where no price is set."""
        models = self.bot.mind.turns.models
        model = models.chain(self.bot.config.cortex.model)[0]
        return models.price(model, TokenUsage(input=tokens, output=EXPECTED_ANSWER_TOKENS))

    @cached_property
    def chat(self) -> CortexChat:
        bot, store = self.bot, self.bot.edges.store
        return CortexChat(
            store=store,
            turns=bot.mind.turns,
            toolbox=bot.mind.toolbox,
            directory=bot.registry,
            inquiry=self.inquiry,
            records=self.records,
            offering=self.offering,
            servers=self.servers,
            private_work=self.private_work,
            patients=patients_of(bot, self.last),
            explained=lambda: (*explain(bot.loaded), *explain_learnt(store.lessons.known)),
            post=self.post,
            targets=self.targets,
            redactor=bot.redactor,
            config=bot.config.cortex,
            tasks=bot.task_groups.cortex,
        )

    @cached_property
    def context(self) -> CommandSources:
        bot, edges, toolbox = self.bot, self.bot.edges, self.bot.mind.toolbox
        return CommandSources(
            added=bot.plugins.pages,
            store=edges.store,
            clock=edges.clock,
            looking=self.looking,
            views=self.views,
            bundles=self.bundles,
            checks=self.checks,
            tracing=self.tracing,
            proving=self.proving,
            facts=FactPages(edges.store, edges.clock, self.looking, self.buttons, bot.redactor),
            reading=self.reading,
            offering=self.offering,
            menu=self.menu,
            buttons=self.buttons,
            compactions=CompactionList(edges.store.compactions, self.targets, self.buttons, edges.clock),
            versions=self.versions,
            memories=self.memories,
            memory_charts=MemoryChartPages(self.memories, self.pictures),
            memory_recall=MemoryRecallPages(
                edges.store.memories,
                bot.mind.meaning or BY_WORDS_ALONE,
                self.memories,
                edges.clock,
                bot.redactor,
            ),
            memory_files=MemoryFilePages(
                store=edges.store,
                clock=edges.clock,
                data_dir=Path(bot.config.bot.data_dir),
                targets=self.targets,
                audit=self.memories,
                offering=self.offering,
                platforms=edges.platforms,
                limits=memory_rules(bot),
                redactor=bot.redactor,
                can=bot.sender.capabilities,
            ),
            suggesting=self.suggesting,
            spreads=self.spreads,
            privacy=self.privacy,
            patients=patients_of(bot, self.last),
            would=bot.judge.would,
            skills=SkillPages(bot.skills, bot.book.of),
            tools=ToolPages(toolbox, toolbox.grants, self._broken),
            servers=self.servers,
            redactor=bot.redactor,
            page_links=self._page_links(),
        )

    @cached_property
    def servers(self) -> ServerPages:
        bot, edges = self.bot, self.bot.edges
        return ServerPages(
            edges.store.channels,
            self.targets,
            edges.clock,
            lambda: health_of_platforms(edges, bot.started_at),
            lambda: bot.foreign.health() if bot.foreign is not None else (),
        )

    def _page_links(self) -> PageLinks | None:
        edges, config, page = self.bot.edges, self.bot.config, self.bot.config.web_page
        if not page.enabled:
            return None
        signer = LinkSigner(edges.store.secret_key, page.url)
        telegrams = config.enabled_of_kind("telegram") if page.telegram_app else ()
        apps = dict.fromkeys(telegrams, f"{page.url}/app")
        services = frozenset(filter(None, [config.sign_in_platform]))
        return PageLinks(signer, edges.clock, edges.entropy, lambda: self.bot.page_trouble, apps, services)

    @cached_property
    def versions(self) -> VersionPages:
        bot, edges = self.bot, self.bot.edges
        return VersionPages(
            store=edges.store,
            targets=self.targets,
            offering=self.offering,
            redactor=bot.redactor,
            clock=edges.clock,
        )

    @cached_property
    def memories(self) -> MemoryAudit:
        edges = self.bot.edges
        return MemoryAudit(edges.store, self.targets, self.buttons, self.bot.redactor, edges.clock)

    @cached_property
    def reading(self) -> PartReading:
        edges = self.bot.edges
        return PartReading(
            store=edges.store,
            clock=edges.clock,
            looking=self.looking,
            buttons=self.buttons,
            redactor=self.bot.redactor,
        )

    @cached_property
    def spreads(self) -> MemorySpreadPages:
        return MemorySpreadPages(
            store=self.bot.edges.store,
            targets=self.targets,
            buttons=self.buttons,
            offering=self.offering,
            pictures=self.pictures,
            redactor=self.bot.redactor,
        )

    @cached_property
    def tracing(self) -> TracePages:
        store = self.bot.edges.store
        return TracePages(
            store=store,
            clock=self.bot.edges.clock,
            looking=self.looking,
            buttons=self.buttons,
            behind=RequestPage(store, self.opener),
            reading=self.reading,
            redactor=self.bot.redactor,
        )

    @cached_property
    def views(self) -> UsagePages:
        edges, config = self.bot.edges, self.bot.config
        return UsagePages(
            store=edges.store,
            clock=edges.clock,
            data_dir=Path(config.bot.data_dir),
            looking=self.looking,
            reading=self.reading,
            can=self.bot.sender.capabilities,
            thresholds=lambda: thresholds_of(config.compaction),
            pictures=self.pictures,
        )

    @cached_property
    def pictures(self) -> ChartPictures:
        return ChartPictures(Path(self.bot.config.bot.data_dir), self._style, self.bot.sender.capabilities)

    @cached_property
    def checks(self) -> CheckPages:
        return CheckPages(self.bot.edges.store, self.bot.edges.clock, self.proving.planner, self.buttons)

    @cached_property
    def bundles(self) -> BundlePages:
        edges, config = self.bot.edges, self.bot.config

        def kind_of(provider: str) -> str:
            return config.providers[provider].kind if provider in config.providers else provider

        return BundlePages(
            store=edges.store,
            clock=edges.clock,
            data_dir=Path(config.bot.data_dir),
            looking=self.looking,
            planner=self.proving.planner,
            notes=self.proving.notes,
            kind_of=kind_of,
            can=self.bot.sender.capabilities,
        )

    def _style(self) -> ChartStyle | None:
        chosen = self.bot.config.cortex.picture
        return None if chosen == "off" else ChartStyle(chosen)


def offered_tools(grants: ToolGrants, key: ChannelKey) -> tuple[ProcessTool, ...]:
    """List every tool with the process that has it, whom it is for, and why it is closed in a channel."""
    return tuple(
        ProcessTool(
            name=spec.name,
            process=process,
            authority=spec.authority,
            closed=grants.refusal(spec.group, key, Authority.OWNER),
        )
        for process, specs in TOOLSETS.items()
        for spec in specs
    )


def _unusable(broken: Mapping[str, Sequence[BrokenTool]]) -> Iterator[ProcessTool]:
    """List what a server offers and nobody can use; people and models may call it by either name."""
    for one in (one for tools in broken.values() for one in tools):
        for name in dict.fromkeys((one.called, one.name)):
            yield ProcessTool(name=name, process=ProcessKind.CHANNEL, authority=Authority.EVERYONE, closed=one.why())
