"""Put the cortex together from what the rest of the bot hands it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.agent.compactor import Compactor
from bot.agent.turn import Turns
from bot.charts.chart import Style
from bot.config import LoadedConfig
from bot.context.inspector import ChannelContextInspector
from bot.context.viewing import Remembering
from bot.cortex import checks
from bot.cortex.alerts import AdminAlerts
from bot.cortex.answers import AnswerDesk, Answers
from bot.cortex.behind import Behind
from bot.cortex.briefing import Briefing
from bot.cortex.buttons import Buttons
from bot.cortex.compactions import CompactionList
from bot.cortex.context_check import LastContext
from bot.cortex.conversation import Conversation, ConversationDesk
from bot.cortex.doctor import Check, Patients
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
from bot.cortex.post import Post
from bot.cortex.presses import PressDesk, Presses
from bot.cortex.privacy import Forgetting, Privacy
from bot.cortex.records import Records
from bot.cortex.reload import RunningConfig
from bot.cortex.requeue import Hear, Requeue
from bot.cortex.resend import Resends
from bot.cortex.resuming import Keeping
from bot.cortex.service import Cortex, CortexDesk
from bot.cortex.surroundings import Surroundings
from bot.cortex.target import Targets
from bot.cortex.threads import Threads
from bot.cortex.tracing import Tracing
from bot.cortex.views import Views, thresholds_of
from bot.cortex.waiting import Waiting
from bot.diagnostics.collect import Collector, Live
from bot.diagnostics.evidence import Offered
from bot.domain.health import AdapterHealth, AdapterState, Probe
from bot.domain.ids import MAIN, ChannelId, ChannelKey, platform_of
from bot.domain.messages import Inbound
from bot.domain.redaction import Redactor
from bot.domain.snapshot import ContextSnapshot, Limits
from bot.errors import UserError
from bot.messaging.access import Access
from bot.messaging.bucket import Bucket
from bot.messaging.judge import Judge
from bot.messaging.settings import SettingsBook
from bot.ports.channels import ChannelDirectory
from bot.ports.delivery import Delivery
from bot.ports.edges import Edges
from bot.tasks import Tasks
from bot.tools.toolbox import Toolbox
from bot.tools.toolsets import TOOLSETS

_PRESSES = 5
"""A press costs far less than a question, and one answer is worth several of them."""


@dataclass(frozen=True)
class CortexParts:
    """Everything the cortex is made of; `app` builds it. `tasks` are its own; `hear` hands messages to messaging."""

    edges: Edges
    loaded: LoadedConfig
    redactor: Redactor
    access: Access
    registry: ChannelDirectory
    book: SettingsBook
    judge: Judge
    sender: Delivery
    alerts: AdminAlerts
    running: RunningConfig
    resends: Resends
    turns: Turns
    toolbox: Toolbox
    inspector: ChannelContextInspector
    tasks: Tasks
    hear: Hear
    compactor: Compactor
    put_away: Callable[[ChannelKey], None]


def collector_of(parts: CortexParts) -> Collector:
    """Return the collector of the running process."""
    edges, since = parts.edges, parts.edges.clock.now()

    def adapters() -> tuple[AdapterHealth, ...]:
        off = (AdapterHealth(name=name, state=AdapterState.DISABLED, since=since) for name in edges.off)
        return (*(platform.health() for platform in edges.platforms.values()), *off)

    async def preview(key: ChannelKey) -> ContextSnapshot | None:
        try:
            return (await parts.inspector.inspect(key)).snapshot
        except UserError:
            return None

    async def probe(channel: ChannelId) -> Sequence[Probe]:
        platform = edges.platforms.get(platform_of(channel))
        return await platform.probe(channel) if platform else ()

    health, stale = parts.turns.models.health, parts.running.stale
    live = Live(parts.registry, adapters, health, preview, probe, stale, offered())
    return Collector(edges.store, edges.clock, parts.loaded.config, live)


def offered() -> tuple[Offered, ...]:
    """List every tool with the process that has it, and whom it is for."""
    return tuple(
        Offered(name=spec.name, process=process, authority=spec.authority)
        for process, specs in TOOLSETS.items()
        for spec in specs
    )


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
            typed=Bucket(edges.clock, limits.per_minute),
            pressed=Bucket(edges.clock, limits.per_minute * _PRESSES),
            inquiry=inquiry,
            conversation=Conversation(conversation),
            presses=_presses(parts, bench),
            invitations=invitations,
            words_of=_words_of(parts.judge),
            forgetting=bench.forgetting,
            tasks=parts.tasks,
        )
    )


def _words_of(judge: Judge) -> Callable[[Inbound], str | None]:
    def words_of(inbound: Inbound) -> str | None:
        line = judge.facts(inbound).command
        return line.words if line is not None and line.name == "cortex" else None

    return words_of


def _bench(parts: CortexParts) -> _Bench:
    edges, limits = parts.edges, parts.loaded.config.cortex
    store, clock = edges.store, edges.clock
    targets = Targets(MAIN, store, Finder(store), parts.registry, edges.platforms, parts.access)
    buttons, records = Buttons(store.secret_key), Records(store, MAIN, clock)
    offers = OfferDesk(
        store=store,
        targets=targets,
        buttons=buttons,
        redactor=parts.redactor,
        clock=clock,
        entropy=edges.entropy,
        confirm_seconds=limits.confirm_seconds,
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
            sees_private=limits.inspect_dms,
            not_recorded=privacy.not_recorded,
            surroundings=Surroundings(store, parts.loaded, parts.running.probe),
        ),
        offering=offering,
        threads=Threads(store, clock),
        last=LastContext(),
        privacy=privacy,
        forgetting=Forgetting(store, clock, targets, parts.tasks, post, parts.put_away),
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
            patients=_patients(parts, bench),
            would=parts.judge.would,
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


def _asked(parts: CortexParts) -> tuple[Limits, ...]:
    """Return what every model can hold that is configured to answer or to summarise."""
    models, config = parts.turns.models, parts.loaded.config
    chains = (models.chain(), models.chain(config.compaction.summarization_model))
    return tuple(models.limits(model) for model in dict.fromkeys(name for chain in chains for name in chain))


def _patients(parts: CortexParts, bench: _Bench) -> Patients:
    edges, config = parts.edges, parts.loaded.config
    data = Path(config.bot.data_dir)

    async def here() -> Sequence[Probe]:
        now = edges.clock.now()
        files = await asyncio.to_thread(lambda: checks.files(data, checks.secret_files(parts.loaded)))
        return [
            checks.clock(await edges.store.heartbeat(), now),
            files,
            *checks.models(parts.turns.models.health(), now),
            *checks.windows(_asked(parts)),
            *parts.compactor.probe(),
        ]

    looks: dict[str, Check] = {
        "configuration": parts.running.probe,
        "inspection context": bench.last.probe,
        "clock": here,
        "admins": partial(checks.admins, config, edges.platforms, edges.store),
    }
    return Patients(edges.store, edges.providers, edges.platforms, parts.alerts.probe, looks)


def _presses(parts: CortexParts, bench: _Bench) -> Presses:
    store = parts.edges.store
    fixes = FixDesk(
        store=store,
        targets=bench.targets,
        buttons=bench.buttons,
        waiting=bench.waiting,
        clock=parts.edges.clock,
        changed=parts.book.reload,
        put_away=parts.put_away,
        announce=bench.post.announce,
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
