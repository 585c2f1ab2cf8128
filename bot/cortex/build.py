"""Put the cortex together from what the rest of the bot hands it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.charts.chart import Style
from bot.config.explained import explain, explain_learnt
from bot.context.viewing import Remembering
from bot.cortex.answers import AnswerDesk, Answers
from bot.cortex.behind import Behind
from bot.cortex.briefing import Briefing
from bot.cortex.buttons import Buttons
from bot.cortex.chat import Chat, ChatDesk
from bot.cortex.compactions import CompactionList
from bot.cortex.context_check import LastContext
from bot.cortex.conversation import Conversation, ConversationDesk
from bot.cortex.expiry import Expiry
from bot.cortex.fixes import FixDesk, Fixes
from bot.cortex.inquiry import Inquiry, InquiryDesk
from bot.cortex.inspecting import Inspecting, InspectionDesk
from bot.cortex.inspection import Branches, BranchServices
from bot.cortex.invitations import Invitations
from bot.cortex.limits import Slots
from bot.cortex.looking import Looking
from bot.cortex.meant import Finder
from bot.cortex.memory_audit import MemoryAudit
from bot.cortex.offers import OfferDesk, Offering
from bot.cortex.open import Opener
from bot.cortex.parts import CortexParts
from bot.cortex.patients import patients_of
from bot.cortex.post import Post
from bot.cortex.presses import PressDesk, Presses
from bot.cortex.privacy import Forgetting, Privacy
from bot.cortex.private_work import PrivateWork
from bot.cortex.proposing import Proposing
from bot.cortex.records import Records
from bot.cortex.requeue import Requeue
from bot.cortex.resuming import Keeping
from bot.cortex.service import Cortex, CortexDesk
from bot.cortex.skills import SkillPages
from bot.cortex.surroundings import Surroundings
from bot.cortex.target import Targets
from bot.cortex.threads import Threads
from bot.cortex.tracing import Tracing
from bot.cortex.views import Views, thresholds_of
from bot.cortex.waiting import Waiting
from bot.cortex.work import ToolPages
from bot.diagnostics.collect import Collector, Live
from bot.diagnostics.evidence import Offered
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.health import AdapterHealth, AdapterState, Probe
from bot.domain.ids import ChannelId, ChannelKey, platform_of
from bot.domain.messages import Inbound
from bot.messaging.judge import Judge
from bot.messaging.rate_limiter import RateLimiter
from bot.tools.grants import Grants
from bot.tools.toolsets import TOOLSETS

if TYPE_CHECKING:
    from bot.tools.mcp.offer import Broken

_PRESSES = 5
"""A press costs far less than a question, and one answer is worth several of them."""


def collector_of(parts: CortexParts) -> Collector:
    """Return the collector of the running process."""
    edges, since = parts.edges, parts.edges.clock.now()

    def adapters() -> tuple[AdapterHealth, ...]:
        off = (AdapterHealth(name=name, state=AdapterState.DISABLED, since=since) for name in edges.off)
        return (*(platform.health() for platform in edges.platforms.values()), *off)

    async def probe(channel: ChannelId) -> Sequence[Probe]:
        platform = edges.platforms.get(platform_of(channel))
        return await platform.probe(channel) if platform else ()

    health, stale, preview = parts.turns.models.health, parts.running.stale, parts.inspector.preview
    broken = _broken(parts)

    def tools(key: ChannelKey) -> tuple[Offered, ...]:
        return *offered(parts.toolbox.grants, key), *_unusable(broken())

    live = Live(
        parts.registry, adapters, health, preview, probe, stale, tools, parts.vitals, lambda: edges.counter.trouble
    )
    return Collector(edges.store, edges.clock, parts.loaded.config, live)


def _broken(parts: CortexParts) -> Callable[[], Mapping[str, Sequence[Broken]]]:
    return parts.foreign.broken if parts.foreign is not None else dict


def offered(grants: Grants, key: ChannelKey) -> tuple[Offered, ...]:
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


@dataclass(frozen=True)
class _Bench:
    """What several parts share."""

    targets: Targets
    buttons: Buttons
    records: Records
    opener: Opener
    post: Post
    waiting: Waiting
    looking: Looking
    offering: Offering
    threads: Threads
    last: LastContext
    privacy: Privacy
    forgetting: Forgetting
    private_work: PrivateWork


def build_cortex(parts: CortexParts) -> Cortex:
    """Return the cortex, ready to be knocked at."""
    edges, bench, limits = parts.edges, _bench(parts), parts.loaded.config.cortex
    inquiry = _inquiry(parts, bench)
    invitations = Invitations(edges.store, edges.platforms, edges.clock, edges.entropy)
    conversation = ConversationDesk(
        audit=edges.store.audit,
        clock=edges.clock,
        platforms=edges.platforms,
        threads=bench.threads,
        post=bench.post,
        inquiry=inquiry,
        chat=_chat(parts, bench, inquiry),
        answers=_answers(parts, bench),
        opener=bench.opener,
        invitations=invitations,
        notice_in_channel=limits.notice_in_channel,
    )
    return Cortex(
        CortexDesk(
            store=edges.store,
            clock=edges.clock,
            platforms=edges.platforms,
            targets=bench.targets,
            threads=bench.threads,
            post=bench.post,
            typed=RateLimiter(edges.clock, limits.per_minute),
            pressed=RateLimiter(edges.clock, limits.per_minute * _PRESSES),
            inquiry=inquiry,
            conversation=Conversation(conversation),
            presses=_presses(parts, bench),
            invitations=invitations,
            words_of=_words_of(parts.judge),
            forgetting=bench.forgetting,
            proposing=_proposing(parts, bench),
            private_work=bench.private_work,
            tasks=parts.tasks,
        )
    )


def _proposing(parts: CortexParts, bench: _Bench) -> Proposing:
    return Proposing(
        config=parts.loaded.config,
        platforms=parts.edges.platforms,
        targets=bench.targets,
        threads=bench.threads,
        buttons=bench.buttons,
        post=bench.post,
        redactor=parts.redactor,
    )


def _words_of(judge: Judge) -> Callable[[Inbound], str | None]:
    def words_of(inbound: Inbound) -> str | None:
        line = judge.facts(inbound).command
        return line.words if line is not None and line.name == "cortex" else None

    return words_of


def _bench(parts: CortexParts) -> _Bench:
    edges, limits = parts.edges, parts.loaded.config.cortex
    store, clock = edges.store, edges.clock
    targets = Targets(parts.judge.agents, store, Finder(store), parts.registry, edges.platforms, parts.access)
    buttons, records = Buttons(store.secret_key), Records(store, clock)
    offers = OfferDesk(
        store=store,
        targets=targets,
        buttons=buttons,
        redactor=parts.redactor,
        clock=clock,
        entropy=edges.entropy,
        expiry=Expiry(clock, limits.confirm_seconds),
    )
    post, offering = Post(parts.sender, store.sessions, clock), Offering(offers)
    privacy = Privacy(store, clock, targets, offering, lambda key: parts.book.of(key).unrecorded)
    return _Bench(
        targets=targets,
        buttons=buttons,
        records=records,
        opener=Opener(records, targets, parts.redactor),
        post=post,
        waiting=Waiting(store, buttons, clock),
        looking=Looking(
            inspector=parts.inspector,
            targets=targets,
            store=store,
            redactor=Remembering(parts.redactor),
            not_recorded=privacy.not_recorded,
            surroundings=Surroundings(store, parts.loaded, parts.running.probe),
            settings=parts.book.of,
        ),
        offering=offering,
        threads=Threads(store, clock),
        last=LastContext(),
        privacy=privacy,
        forgetting=Forgetting(store, clock, targets, parts.tasks, post, parts.put_away, parts.forgotten),
        private_work=PrivateWork(
            store=store,
            clock=clock,
            targets=targets,
            offering=offering,
            toolbox=parts.toolbox,
            post=post,
            redactor=parts.redactor,
            send_out=parts.send_out,
            tasks=parts.tasks,
        ),
    )


def _inquiry(parts: CortexParts, bench: _Bench) -> Inquiry:
    limits = parts.loaded.config.cortex
    keeping = Keeping(parts.edges.store.checkpoints, parts.edges.clock)
    services = BranchServices(
        turns=parts.turns,
        toolbox=parts.toolbox,
        directory=parts.registry,
        looking=bench.looking,
        records=bench.records,
        briefing=Briefing(parts.turns.contexts, Remembering(parts.redactor), bench.last),
        keeping=keeping,
        config=limits,
    )
    inspections = InspectionDesk(
        branches=Branches(services),
        keeping=keeping,
        slots=Slots(limits.inspections),
        buttons=bench.buttons,
        post=bench.post,
        targets=bench.targets,
        redactor=parts.redactor,
        tasks=parts.tasks,
    )
    return Inquiry(
        InquiryDesk(
            collector=collector_of(parts),
            inspecting=Inspecting(inspections),
            buttons=bench.buttons,
            opener=bench.opener,
            waiting=bench.waiting,
            requeue=Requeue(parts.edges.store.ledger, parts.hear),
            post=bench.post,
            targets=bench.targets,
            tasks=parts.tasks,
        )
    )


def _chat(parts: CortexParts, bench: _Bench, inquiry: Inquiry) -> Chat:
    return Chat(
        ChatDesk(
            store=parts.edges.store,
            turns=parts.turns,
            toolbox=parts.toolbox,
            directory=parts.registry,
            inquiry=inquiry,
            records=bench.records,
            offering=bench.offering,
            private_work=bench.private_work,
            patients=patients_of(parts, bench.last),
            explained=lambda: (*explain(parts.loaded), *explain_learnt(parts.edges.store.lessons.known)),
            post=bench.post,
            targets=bench.targets,
            redactor=parts.redactor,
            config=parts.loaded.config.cortex,
            tasks=parts.tasks,
        )
    )


def _answers(parts: CortexParts, bench: _Bench) -> Answers:
    edges = parts.edges
    return Answers(
        AnswerDesk(
            store=edges.store,
            clock=edges.clock,
            looking=bench.looking,
            views=_views(parts, bench),
            tracing=_tracing(parts, bench),
            offering=bench.offering,
            compactions=CompactionList(edges.store.compactions, bench.targets, bench.buttons, edges.clock),
            memories=MemoryAudit(edges.store.memories, bench.targets, parts.redactor, edges.clock),
            privacy=bench.privacy,
            patients=patients_of(parts, bench.last),
            would=parts.judge.would,
            skills=SkillPages(parts.skills, parts.book.of),
            tools=ToolPages(parts.toolbox, parts.toolbox.grants, _broken(parts)),
            redactor=parts.redactor,
        )
    )


def _tracing(parts: CortexParts, bench: _Bench) -> Tracing:
    store = parts.edges.store
    return Tracing(
        store=store,
        clock=parts.edges.clock,
        looking=bench.looking,
        buttons=bench.buttons,
        behind=Behind(store, bench.opener),
        redactor=parts.redactor,
    )


def _views(parts: CortexParts, bench: _Bench) -> Views:
    edges, config = parts.edges, parts.loaded.config

    def style() -> Style | None:
        chosen = config.cortex.picture
        return None if chosen == "off" else Style(chosen)

    return Views(
        store=edges.store,
        clock=edges.clock,
        data_dir=Path(config.bot.data_dir),
        looking=bench.looking,
        can=parts.sender.capabilities,
        thresholds=lambda: thresholds_of(config.compaction),
        style=style,
    )


def _presses(parts: CortexParts, bench: _Bench) -> Presses:
    store = parts.edges.store
    fixes = FixDesk(
        store=store,
        targets=bench.targets,
        buttons=bench.buttons,
        waiting=bench.waiting,
        expiry=bench.offering.expiry,
        clock=parts.edges.clock,
        changed=parts.book.reload,
        put_away=parts.put_away,
        announce=bench.post.announce,
        stop=parts.stop_work,
        private_work=bench.private_work,
        privacy=bench.privacy,
        forgetting=bench.forgetting,
    )
    return Presses(
        PressDesk(
            store=store,
            buttons=bench.buttons,
            targets=bench.targets,
            opener=bench.opener,
            offering=bench.offering,
            fixes=Fixes(fixes),
            resends=parts.resends,
            delivery=parts.sender,
        )
    )
