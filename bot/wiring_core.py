"""What messaging, the mind and the cortex stand on: no more than a start needs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bot.app import Circles, Fatal
from bot.config import Config, LoadedConfig
from bot.cortex.alerts import AdminAlerts, AlertServices
from bot.cortex.reload import RunningConfig
from bot.cortex.target import Target
from bot.cortex.texts import channel_word
from bot.diagnostics.known import heard_of
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.domain.redaction import Redactor
from bot.messaging.access import Access, tiers_of
from bot.messaging.agents import Agents
from bot.messaging.judge import Judge
from bot.messaging.loads import Loads
from bot.messaging.local_times import LocalTimes
from bot.messaging.outbox import OutboxSender
from bot.messaging.posting import SendingServices
from bot.messaging.queues import Queues
from bot.messaging.registry import ChannelRegistry
from bot.messaging.settings import SettingsBook
from bot.ports.clock import Clock
from bot.ports.edges import Edges
from bot.ports.store import Store
from bot.skills import Skills, folders_of
from bot.stalls import Stalls
from bot.wiring_later import Later, LaterMind
from bot.wiring_mcp import foreign_tools

if TYPE_CHECKING:
    from bot.tools.mcp.source import ForeignTools


class Core(NamedTuple):
    """What is there before anything is heard."""

    edges: Edges
    loaded: LoadedConfig
    fatal: Fatal
    later: Later
    mind: LaterMind
    redactor: Redactor
    circles: Circles
    access: Access
    registry: ChannelRegistry
    book: SettingsBook
    judge: Judge
    alerts: AdminAlerts
    running: RunningConfig
    sender: OutboxSender
    skills: Skills
    times: LocalTimes
    foreign: ForeignTools | None
    stalls: Stalls


def core_of(edges: Edges, loaded: LoadedConfig) -> Core:
    """Wire it; raise ConfigError when a part lacks something."""
    config, redactor, mind, fatal = loaded.config, Redactor.of(loaded.secrets), LaterMind(), Fatal()
    circles = Circles.of(fatal.hear)
    access = Access(tiers_of(config), edges.platforms, config.cortex.inspect_dms)
    registry = ChannelRegistry(Queues(edges.clock), edges.clock, config.conversation, edges.platforms)
    book = SettingsBook(edges.store.channels, config, registry, edges.store.opt_outs)
    alerts = AdminAlerts(
        AlertServices(
            config, edges.platforms, edges.clock, circles.aside, redactor.redact, edges.caller, edges.store.outbox
        )
    )
    foreign = foreign_tools(edges, config, alerts, redactor)
    follow = partial(_follow, config, access, book, foreign)
    return Core(
        edges=edges,
        loaded=loaded,
        fatal=fatal,
        later=Later(),
        mind=mind,
        redactor=redactor,
        circles=circles,
        access=access,
        registry=registry,
        book=book,
        judge=_judge_of(edges, config, access, book, registry),
        alerts=alerts,
        running=RunningConfig(loaded, edges.clock, alerts, follow, edges.store.starts),
        sender=_sender(edges, config, circles, redactor, alerts, mind),
        skills=skills_of(loaded, edges.clock),
        times=LocalTimes(config, edges.store.zones, lambda: edges.store.channels.moves),
        foreign=foreign,
        stalls=Stalls(edges.clock.now),
    )


def skills_of(loaded: LoadedConfig, clock: Clock) -> Skills:
    """Return the skills; nothing is read yet."""
    config = loaded.config
    beside = loaded.path.parent if loaded.path else Path()
    folders = folders_of(config.skills, Path(config.bot.data_dir), beside)
    return Skills(config.skills, config.agents, folders, clock)


def _judge_of(edges: Edges, config: Config, access: Access, book: SettingsBook, registry: ChannelRegistry) -> Judge:
    """Return who asks the gates, and says to which agent a message goes."""
    agents = Agents(config.agents, lambda: edges.store.channels.moves)
    return Judge(agents, config, access, book, Loads(edges.clock, edges.store.meter, registry.queues.waiting))


async def _follow(config: Config, access: Access, book: SettingsBook, foreign: ForeignTools | None) -> None:
    """Let those who hold what was made of the configuration make it anew."""
    access.take_tiers(tiers_of(config))
    if foreign is not None:
        foreign.reloaded()
    await book.load()


def _sender(
    edges: Edges, config: Config, circles: Circles, redactor: Redactor, alerts: AdminAlerts, mind: LaterMind
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
            offer_resend=mind.offer_resend,
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
