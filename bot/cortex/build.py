"""Put the cortex together from what the rest of the bot hands it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.agent.turn import Turns
from bot.config import LoadedConfig
from bot.context.inspector import ChannelContextInspector
from bot.context.viewing import Remembering
from bot.cortex.answers import AnswerDesk, Answers
from bot.cortex.buttons import Buttons
from bot.cortex.doctor import Patients
from bot.cortex.fixes import FixDesk, Fixes
from bot.cortex.inquiry import Inquiry, InquiryDesk
from bot.cortex.inspection import Branches, BranchServices
from bot.cortex.limits import Bucket, Slots
from bot.cortex.looking import Looking
from bot.cortex.memory_audit import MemoryAudit
from bot.cortex.open import Opener
from bot.cortex.post import Post
from bot.cortex.presses import Presses
from bot.cortex.records import Records
from bot.cortex.requeue import Hear, Requeue
from bot.cortex.service import Cortex, CortexDesk
from bot.cortex.sessions import Sessions
from bot.cortex.target import Targets
from bot.cortex.waiting import Waiting
from bot.diagnostics.collect import Collector, Live
from bot.domain.health import AdapterHealth, AdapterState
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.redaction import Redactor
from bot.domain.snapshot import ContextSnapshot
from bot.errors import UserError
from bot.messaging.access import Access
from bot.messaging.judge import Judge
from bot.messaging.settings import SettingsBook
from bot.ports.channels import ChannelDirectory
from bot.ports.clock import Clock, Entropy
from bot.ports.delivery import Delivery
from bot.ports.model import LLMProvider
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.tasks import Tasks
from bot.tools.toolbox import Toolbox


class World(Protocol):
    """The outside world, as far as the cortex uses it; `bot.edges.Edges` is one. `off`: platforms that are disabled."""

    @property
    def clock(self) -> Clock:
        """Time."""

    @property
    def entropy(self) -> Entropy:
        """Chance."""

    @property
    def store(self) -> Store:
        """The data directory."""

    @property
    def platforms(self) -> Mapping[str, Platform]:
        """The chat services, by name."""

    @property
    def providers(self) -> Mapping[str, LLMProvider]:
        """The model services, by name."""

    @property
    def off(self) -> tuple[str, ...]:
        """Platforms that are configured and disabled."""


@dataclass(frozen=True)
class CortexParts:
    """Everything the cortex is made of; `app` builds it. `tasks` are its own; `hear` hands messages to messaging."""

    edges: World
    loaded: LoadedConfig
    redactor: Redactor
    access: Access
    registry: ChannelDirectory
    book: SettingsBook
    judge: Judge
    sender: Delivery
    turns: Turns
    toolbox: Toolbox
    inspector: ChannelContextInspector
    tasks: Tasks
    hear: Hear


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

    live = Live(parts.registry, adapters, parts.turns.models.health, preview)
    return Collector(edges.store, edges.clock, parts.loaded.config, live)


def build_cortex(parts: CortexParts) -> Cortex:
    """Return the cortex, ready to be knocked at."""
    edges, config = parts.edges, parts.loaded.config
    store, clock, limits = edges.store, edges.clock, config.cortex
    targets = Targets(MAIN, store.channels, parts.registry, edges.platforms, parts.access)
    buttons = Buttons(store.secret_key)
    records = Records(store, MAIN, clock)
    opener = Opener(records, targets, parts.redactor)
    post = Post(parts.sender, store.governance, clock)
    waiting = Waiting(store, buttons, clock)
    fixes = Fixes(
        FixDesk(
            store=store,
            targets=targets,
            buttons=buttons,
            waiting=waiting,
            redactor=parts.redactor,
            clock=clock,
            entropy=edges.entropy,
            changed=parts.book.reload,
            confirm_seconds=limits.confirm_seconds,
        )
    )
    looking = Looking(parts.inspector, targets, store, Remembering(parts.redactor), limits.inspect_dms)
    desk = CortexDesk(
        store=store,
        clock=clock,
        platforms=edges.platforms,
        targets=targets,
        sessions=Sessions(store, clock),
        post=post,
        bucket=Bucket(clock, limits.per_minute),
        inquiry=Inquiry(
            InquiryDesk(
                collector=collector_of(parts),
                branches=Branches(BranchServices(parts.turns, parts.toolbox, parts.registry, looking, records, limits)),
                slots=Slots(limits.inspections),
                buttons=buttons,
                opener=opener,
                waiting=waiting,
                requeue=Requeue(store.ledger, parts.hear),
                post=post,
                targets=targets,
                redactor=parts.redactor,
                tasks=parts.tasks,
            )
        ),
        answers=Answers(
            AnswerDesk(
                store=store,
                clock=clock,
                data_dir=Path(config.bot.data_dir),
                looking=looking,
                opener=opener,
                fixes=fixes,
                memories=MemoryAudit(store.memories, targets, parts.redactor, clock),
                patients=Patients(store, edges.providers, edges.platforms),
                would=parts.judge.would,
            )
        ),
        opener=opener,
        presses=Presses(store, buttons, targets, opener, fixes),
        tasks=parts.tasks,
        notice_in_channel=limits.notice_in_channel,
    )
    return Cortex(desk)
