"""Where everything meets: the only module that knows every part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.agent.aftermath import Aftermath
from bot.agent.answering import Answering
from bot.agent.attachments import Attachments
from bot.agent.channel import ChannelFactory, ChannelServices
from bot.agent.compactor import Compactor, CompactorServices
from bot.agent.models import Models
from bot.agent.turn import TurnLimits, Turns
from bot.app import App, Circles, Fatal
from bot.config import Config, LoadedConfig
from bot.context.contexts import Contexts
from bot.context.gather import Gatherer
from bot.context.inspector import ChannelContextInspector
from bot.context.section import Facts, Sources
from bot.context.sections import ORDER
from bot.cortex.alerts import AdminAlerts, AlertServices
from bot.cortex.reload import RunningConfig
from bot.cortex.resend import Resends
from bot.cortex.target import Target
from bot.cortex.texts import channel_word
from bot.cortex.watch import Watch
from bot.diagnostics.known import heard_of
from bot.domain.channel import ChannelState
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Inbound, Press
from bot.domain.redaction import Redactor
from bot.domain.turn import NewOutbox, StoredTurn
from bot.imports import lean_imports
from bot.memory.write import MemoryRules
from bot.messaging.access import Access, tiers_of
from bot.messaging.door import CommandCall
from bot.messaging.judge import Judge
from bot.messaging.loads import Loads
from bot.messaging.manager import MessagingManager, MessagingServices
from bot.messaging.outbox import OutboxSender
from bot.messaging.posting import SendingServices
from bot.messaging.queues import Queues
from bot.messaging.registry import ChannelRegistry
from bot.messaging.settings import SettingsBook
from bot.ports.channels import Channels
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.edges import Edges
from bot.ports.memories import History, Memories
from bot.ports.store import Store
from bot.tasks import Tasks
from bot.tools.context_inspect import Inspections, InspectionStarted, InspectionWish
from bot.tools.toolbox import Toolbox, fill
from bot.tools.toolsets import CAPTURED, TOOLSETS

if TYPE_CHECKING:
    from bot.cortex.service import Cortex


class _Later:
    """Parts that are made after those which reach for them: messaging needs the cortex, and the cortex messaging.

    The cortex is made when it is first knocked at: a start waits for nothing that only looks at what has been done.
    Implements `bot.messaging.door.CortexDoor`.
    """

    manager: MessagingManager
    make_cortex: Callable[[], Cortex]

    def __init__(self) -> None:
        self._cortex: Cortex | None = None

    def cortex(self) -> Cortex:
        """Return the cortex, made by the first who asks."""
        if self._cortex is None:
            self._cortex = self.make_cortex()
        return self._cortex

    async def command(self, call: CommandCall) -> None:
        """Hand a command on."""
        await self.cortex().command(call)

    async def started(self, call: CommandCall) -> str | None:
        """Hand `/start` on."""
        return await self.cortex().started(call)

    async def pressed(self, press: Press) -> str:
        """Hand a press on."""
        return await self.cortex().pressed(press)

    async def said(self, stored: StoredInbound) -> bool:
        """Hand a private message on."""
        return await self.cortex().said(stored)

    async def owed(self, turn: StoredTurn) -> NewOutbox | None:
        """Ask what an inspection that was cut off owes."""
        return await self.cortex().owed(turn)

    @property
    def busy(self) -> bool:
        """Whether there is a cortex, and it is at work."""
        return self._cortex is not None and self._cortex.busy

    async def settled(self) -> None:
        """Return when it is not."""
        if self._cortex is not None:
            await self._cortex.settled()

    def put_away(self, key: ChannelKey) -> None:
        """Let a channel's next turn begin with what is stored."""
        self.manager.put_away(key)

    async def hear(self, batch: Sequence[Inbound]) -> None:
        """Hand messages to messaging, as an adapter does."""
        await self.manager.heard(batch, None)

    async def begin(self, wish: InspectionWish) -> InspectionStarted:
        """Start an inspection, for the tool that asks for one."""
        return await self.cortex().begin(wish)


@dataclass(frozen=True)
class _Core:
    """What both messaging and the cortex stand on."""

    edges: Edges
    loaded: LoadedConfig
    fatal: Fatal
    later: _Later
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
    inspector: ChannelContextInspector


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
    )


def _core(edges: Edges, loaded: LoadedConfig) -> _Core:
    config, redactor, later = loaded.config, Redactor.of(loaded.secrets), _Later()
    fatal = Fatal()
    circles = Circles.of(fatal.hear)
    access = Access(tiers_of(config), edges.platforms, config.cortex.inspect_dms)
    registry = ChannelRegistry(Queues(edges.clock), edges.clock, config.conversation)
    book = SettingsBook(edges.store.channels, config, registry)
    alerts = AdminAlerts(
        AlertServices(config, edges.platforms, edges.clock, circles.aside, redactor.redact, edges.caller)
    )
    running = RunningConfig(loaded, edges.clock, alerts, partial(_follow, config, access, book))
    resends = Resends(edges.store, access, edges.clock)
    sender = _sender(edges, config, circles, redactor, alerts, resends)
    turns = _turns(edges, config, circles.aside, redactor, book)
    toolbox = _toolbox(edges, config, sender, later)
    answering = Answering(turns.models, toolbox, _model_of(config, edges.store.channels))
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
        judge=Judge(MAIN, config, access, book, Loads(edges.clock, edges.store.meter)),
        alerts=alerts,
        running=running,
        resends=resends,
        sender=sender,
        turns=turns,
        toolbox=toolbox,
        answering=answering,
        inspector=_inspector(edges, registry, turns, answering),
    )


async def _follow(config: Config, access: Access, book: SettingsBook) -> None:
    """Let those who hold what was made of the configuration make it anew."""
    access.take_tiers(tiers_of(config))
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
        from bot.cortex.build import CortexParts, build_cortex

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
            name_of=partial(_name_of, edges.store),
        )
    )
    alerts.speak_through(sender)
    return sender


async def _name_of(store: Store, channel: ChannelId) -> str:
    key = ChannelKey(MAIN, channel)
    found = await store.channels.load(key) or await heard_of(store.ledger, key)
    return channel_word(Target(key, found.name, found.place)) if found else channel


def _turns(edges: Edges, config: Config, aside: Tasks, redactor: Redactor, book: SettingsBook) -> Turns:
    store = edges.store
    facts = Facts(
        bot_name=config.bot.name,
        persona=config.bot.persona,
        personas={ChannelId(key): one.persona for key, one in config.channels.items() if one.persona is not None},
        platforms={name: platform.capabilities for name, platform in edges.platforms.items()},
        bulletin_words=config.memory.bulletin_words,
    )
    sources = Sources(store.memories, store.channels, store.journal, facts, redactor)
    contexts = Contexts(Gatherer(ORDER, sources), edges.counter, store.meter)
    models = Models(edges.providers, config.model, edges.clock)
    aftermath = Aftermath(contexts, models, store.ledger, edges.clock, aside, config.drift.sample)
    return Turns(contexts, models, store.journal, edges.clock, aftermath, lambda key: book.of(key).unrecorded is None)


def _toolbox(edges: Edges, config: Config, sender: OutboxSender, later: _Later) -> Toolbox:
    services: dict[type, object] = {
        Clock: edges.clock,
        Delivery: sender,
        Memories: edges.store.memories,
        History: edges.store.history,
        MemoryRules: MemoryRules(config.memory.importance_cap, config.memory.per_user_per_day),
        Inspections: later,
    }
    return fill(TOOLSETS, services, CAPTURED)


def _model_of(config: Config, channels: Channels) -> Callable[[ChannelState], str]:
    def model_of(state: ChannelState) -> str:
        return state.settings.model or config.channel(state.id, channels.moves.before(state.id)).model or ""

    return model_of


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
