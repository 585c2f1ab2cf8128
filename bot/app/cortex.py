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
from bot.config.explained import explain, explain_learnt
from bot.cortex.commands.command import CommandContext
from bot.cortex.fixes.fixes import Fixes
from bot.cortex.fixes.offers import Offering
from bot.cortex.fixes.privacy import Forgetting, Privacy
from bot.cortex.fixes.private_work import PrivateWork
from bot.cortex.fixes.proposing import Proposing
from bot.cortex.inspection.branch import Branches
from bot.cortex.inspection.briefing import Briefing
from bot.cortex.inspection.checkpoints import Keeping
from bot.cortex.inspection.context_probe import LastContext
from bot.cortex.inspection.inquiry import Inquiry
from bot.cortex.inspection.runner import Inspecting
from bot.cortex.inspection.slots import Slots
from bot.cortex.pages.capture import Looking
from bot.cortex.pages.compaction_page import CompactionList
from bot.cortex.pages.memory_audit import MemoryAudit
from bot.cortex.pages.request_page import Behind
from bot.cortex.pages.skill_page import SkillPages
from bot.cortex.pages.surroundings import Surroundings
from bot.cortex.pages.tracing import Tracing
from bot.cortex.pages.usage_page import Views, thresholds_of
from bot.cortex.service.chat import Chat
from bot.cortex.service.conversation import Conversation
from bot.cortex.service.cortex import Cortex
from bot.cortex.service.presses import Presses
from bot.cortex.sessions.buttons import Buttons
from bot.cortex.sessions.expiry import Expiry
from bot.cortex.sessions.invitations import Invitations
from bot.cortex.sessions.post import Post
from bot.cortex.sessions.requeue import Requeue
from bot.cortex.sessions.threads import Threads
from bot.cortex.sessions.unanswered import Waiting
from bot.cortex.targets.record_viewer import Opener
from bot.cortex.targets.records import Records
from bot.cortex.targets.target_parser import Finder
from bot.cortex.targets.targets import Targets
from bot.cortex.targets.tool_page import ToolPages
from bot.diagnostics.collect.collector import Collector, Live
from bot.diagnostics.evidence.model import Offered
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.health import ProbeResult
from bot.domain.ids import ChannelId, ChannelKey, platform_of
from bot.domain.messages import Inbound
from bot.inspect.capture.redact_view import CachedRedactor
from bot.inspect.charts.chart import ChartStyle
from bot.runtime.rate_limiter import RateLimiter
from bot.tools.runtime.grants import Grants
from bot.tools.toolsets import TOOLSETS

if TYPE_CHECKING:
    from bot.tools.mcp.offer import Broken

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
            invitations=self.invitations,
            words_of=self._words_of,
            forgetting=self.forgetting,
            proposing=self.proposing,
            private_work=self.private_work,
            tasks=self.bot.task_groups.cortex,
        )

    def _words_of(self, inbound: Inbound) -> str | None:
        line = self.bot.judge.facts(inbound).command
        return line.words if line is not None and line.name == "cortex" else None

    # what is meant, and where answers go

    @cached_property
    def targets(self) -> Targets:
        bot, store = self.bot, self.bot.edges.store
        return Targets(bot.judge.agents, store, Finder(store), bot.registry, bot.edges.platforms, bot.access)

    @cached_property
    def threads(self) -> Threads:
        return Threads(self.bot.edges.store, self.bot.edges.clock)

    @cached_property
    def buttons(self) -> Buttons:
        return Buttons(self.bot.edges.store.secret_key)

    @cached_property
    def post(self) -> Post:
        return Post(self.bot.sender, self.bot.edges.store.sessions, self.bot.edges.clock)

    @cached_property
    def invitations(self) -> Invitations:
        edges = self.bot.edges
        return Invitations(edges.store, edges.platforms, edges.clock, edges.entropy)

    # what is looked at

    @cached_property
    def records(self) -> Records:
        return Records(self.bot.edges.store, self.bot.edges.clock)

    @cached_property
    def opener(self) -> Opener:
        return Opener(self.records, self.targets, self.bot.redactor)

    @cached_property
    def waiting(self) -> Waiting:
        return Waiting(self.bot.edges.store, self.buttons, self.bot.edges.clock)

    @cached_property
    def looking(self) -> Looking:
        bot, store = self.bot, self.bot.edges.store
        return Looking(
            inspector=bot.mind.inspector,
            targets=self.targets,
            store=store,
            redactor=CachedRedactor(bot.redactor),
            not_recorded=self.privacy.not_recorded,
            surroundings=Surroundings(store, bot.loaded, bot.running.probe),
            settings=bot.book.of,
        )

    @cached_property
    def collector(self) -> Collector:
        bot, mind, edges, since = self.bot, self.bot.mind, self.bot.edges, self.bot.edges.clock.now()

        async def probe(channel: ChannelId) -> Sequence[ProbeResult]:
            platform = edges.platforms.get(platform_of(channel))
            return await platform.probe(channel) if platform else ()

        def tools(key: ChannelKey) -> tuple[Offered, ...]:
            return *offered_tools(mind.toolbox.grants, key), *_unusable(self._broken())

        live = Live(
            bot.registry,
            lambda: health_of_platforms(edges, since),
            mind.turns.models.health,
            mind.inspector.preview,
            probe,
            bot.running.stale,
            tools,
            mind.vitals,
            lambda: edges.counter.trouble,
        )
        return Collector(edges.store, edges.clock, bot.config, live)

    def _broken(self) -> Mapping[str, Sequence[Broken]]:
        return self.bot.foreign.broken() if self.bot.foreign is not None else {}

    @cached_property
    def last(self) -> LastContext:
        return LastContext()

    # what may be changed

    @cached_property
    def offering(self) -> Offering:
        bot, edges = self.bot, self.bot.edges
        return Offering(
            store=edges.store,
            targets=self.targets,
            buttons=self.buttons,
            redactor=bot.redactor,
            clock=edges.clock,
            entropy=edges.entropy,
            expiry=Expiry(edges.clock, bot.config.cortex.confirm_seconds),
        )

    @cached_property
    def privacy(self) -> Privacy:
        bot, edges = self.bot, self.bot.edges
        return Privacy(edges.store, edges.clock, self.targets, self.offering, lambda key: bot.book.of(key).unrecorded)

    @cached_property
    def forgetting(self) -> Forgetting:
        bot, edges = self.bot, self.bot.edges
        return Forgetting(
            edges.store,
            edges.clock,
            self.targets,
            bot.task_groups.cortex,
            self.post,
            bot.manager.reload_channel,
            bot.times.forget,
        )

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
    def proposing(self) -> Proposing:
        return Proposing(
            config=self.bot.config,
            platforms=self.bot.edges.platforms,
            targets=self.targets,
            threads=self.threads,
            buttons=self.buttons,
            post=self.post,
            redactor=self.bot.redactor,
        )

    @cached_property
    def presses(self) -> Presses:
        bot, store = self.bot, self.bot.edges.store
        fixes = Fixes(
            store=store,
            targets=self.targets,
            buttons=self.buttons,
            waiting=self.waiting,
            expiry=self.offering.expiry,
            clock=bot.edges.clock,
            changed=bot.book.reload,
            reload_channel=bot.manager.reload_channel,
            announce=self.post.announce,
            stop=bot.mind.work.stop,
            private_work=self.private_work,
            privacy=self.privacy,
            forgetting=self.forgetting,
        )
        return Presses(
            store=store,
            buttons=self.buttons,
            targets=self.targets,
            opener=self.opener,
            offering=self.offering,
            fixes=fixes,
            resends=bot.resends,
            delivery=bot.sender,
        )

    # who answers

    @cached_property
    def conversation(self) -> Conversation:
        edges = self.bot.edges
        return Conversation(
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
    def inquiry(self) -> Inquiry:
        bot, mind, limits = self.bot, self.bot.mind, self.bot.config.cortex
        keeping = Keeping(bot.edges.store.checkpoints, bot.edges.clock)
        branches = Branches(
            turns=mind.turns,
            toolbox=mind.toolbox,
            directory=bot.registry,
            looking=self.looking,
            records=self.records,
            briefing=Briefing(mind.turns.contexts, CachedRedactor(bot.redactor), self.last),
            keeping=keeping,
            config=limits,
        )
        inspecting = Inspecting(
            branches=branches,
            keeping=keeping,
            slots=Slots(limits.inspections),
            buttons=self.buttons,
            post=self.post,
            targets=self.targets,
            redactor=bot.redactor,
            tasks=bot.task_groups.cortex,
        )
        return Inquiry(
            collector=self.collector,
            inspecting=inspecting,
            buttons=self.buttons,
            opener=self.opener,
            waiting=self.waiting,
            requeue=Requeue(bot.edges.store.ledger, lambda batch: bot.manager.receive(batch, None)),
            post=self.post,
            targets=self.targets,
            tasks=bot.task_groups.cortex,
        )

    @cached_property
    def chat(self) -> Chat:
        bot, store = self.bot, self.bot.edges.store
        return Chat(
            store=store,
            turns=bot.mind.turns,
            toolbox=bot.mind.toolbox,
            directory=bot.registry,
            inquiry=self.inquiry,
            records=self.records,
            offering=self.offering,
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
    def context(self) -> CommandContext:
        bot, edges, toolbox = self.bot, self.bot.edges, self.bot.mind.toolbox
        return CommandContext(
            store=edges.store,
            clock=edges.clock,
            looking=self.looking,
            views=self.views,
            tracing=self.tracing,
            offering=self.offering,
            compactions=CompactionList(edges.store.compactions, self.targets, self.buttons, edges.clock),
            memories=MemoryAudit(edges.store.memories, self.targets, bot.redactor, edges.clock),
            privacy=self.privacy,
            patients=patients_of(bot, self.last),
            would=bot.judge.would,
            skills=SkillPages(bot.skills, bot.book.of),
            tools=ToolPages(toolbox, toolbox.grants, self._broken),
            redactor=bot.redactor,
        )

    @cached_property
    def tracing(self) -> Tracing:
        store = self.bot.edges.store
        return Tracing(
            store=store,
            clock=self.bot.edges.clock,
            looking=self.looking,
            buttons=self.buttons,
            behind=Behind(store, self.opener),
            redactor=self.bot.redactor,
        )

    @cached_property
    def views(self) -> Views:
        edges, config = self.bot.edges, self.bot.config
        return Views(
            store=edges.store,
            clock=edges.clock,
            data_dir=Path(config.bot.data_dir),
            looking=self.looking,
            can=self.bot.sender.capabilities,
            thresholds=lambda: thresholds_of(config.compaction),
            style=self._style,
        )

    def _style(self) -> ChartStyle | None:
        chosen = self.bot.config.cortex.picture
        return None if chosen == "off" else ChartStyle(chosen)


def offered_tools(grants: Grants, key: ChannelKey) -> tuple[Offered, ...]:
    """List every tool with the process that has it, whom it is for, and why it is closed in a channel."""
    return tuple(
        Offered(
            name=spec.name,
            process=process,
            authority=spec.authority,
            closed=grants.refusal(spec.group, key, Authority.OWNER),
        )
        for process, specs in TOOLSETS.items()
        for spec in specs
    )


def _unusable(broken: Mapping[str, Sequence[Broken]]) -> Iterator[Offered]:
    """List what a server offers and nobody can use; people and models may call it by either name."""
    for one in (one for tools in broken.values() for one in tools):
        for name in dict.fromkeys((one.called, one.name)):
            yield Offered(name=name, process=ProcessKind.CHANNEL, authority=Authority.EVERYONE, closed=one.why)
