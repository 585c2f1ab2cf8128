"""What a start needs, from top to bottom: each part is made by the first who asks for it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import structlog

from bot.app.named_plugins import plugins_of
from bot.app.retention import retention_of
from bot.config import LoadedConfig
from bot.cortex.alerts.admin_alerts import AdminAlerts
from bot.cortex.alerts.config_reload import RunningConfig
from bot.cortex.alerts.health_watcher import HealthWatcher
from bot.cortex.alerts.trusted_clock import TrustedClock, clock_slack_ms
from bot.cortex.alerts.turn_outcomes import TurnOutcomes
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.targets.texts import channel_word
from bot.diagnostics.collect.lookup import known_channel
from bot.domain.health import ChannelProcess
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, PersonKey
from bot.domain.ledger import StoredInbound
from bot.domain.process import StoredProcess
from bot.errors import StoreError
from bot.messaging.channels.queues import ChannelQueues
from bot.messaging.channels.registry import ChannelRegistry
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.delivery.outbox import OutboxSender
from bot.messaging.intake.gatekeeper import Gatekeeper
from bot.messaging.intake.manager import MessagingManager
from bot.messaging.policy.access import AccessPolicy, tiers_of
from bot.messaging.policy.agent_routing import AgentRouter
from bot.messaging.policy.languages import Languages
from bot.messaging.policy.local_times import LocalTimes
from bot.messaging.policy.traffic import TrafficCounters
from bot.plugins.plugins import Plugins
from bot.ports.clock import Clock
from bot.ports.edges import Edges
from bot.runtime.stall_detector import StallDetector
from bot.runtime.tasks import OnFailure, TaskSupervisor
from bot.skills import SkillLibrary, folders_of
from bot.text.redaction import Redactor

if TYPE_CHECKING:
    from bot.app.mind import AgentMind
    from bot.cortex.alerts.rights_alerts import RightsAlerts
    from bot.cortex.fixes.chunk_resender import ChunkResender
    from bot.cortex.service.cortex import Cortex
    from bot.ports.first_run import FirstRun
    from bot.tools.mcp.foreign_tools import ForeignTools
log = structlog.get_logger(__name__)


class FatalFailure:
    """The failure that ends the process: the first one of the store. Who runs the bot waits for it."""

    def __init__(self) -> None:
        self.error: StoreError | None = None
        self._came = asyncio.Event()

    async def hear(self, name: str, error: BaseException) -> None:
        """Take the failure of a task; every other kind than the store's has been dealt with where it happened."""
        if isinstance(error, StoreError) and self.error is None:
            log.critical("store_failed", task=name, error=str(error))
            self.error = error
            self._came.set()

    async def wait(self) -> None:
        """Return when there is one."""
        await self._came.wait()


class TaskGroups(NamedTuple):
    """The tasks, by who owns them, in the order in which they are closed: sending last, so that words still go out."""

    messaging: TaskSupervisor
    cortex: TaskSupervisor
    background: TaskSupervisor
    sending: TaskSupervisor

    @classmethod
    def of(cls, on_failure: OnFailure) -> TaskGroups:
        """Make them, with one who hears of every failure."""
        return cls(
            TaskSupervisor(on_failure),
            TaskSupervisor(on_failure),
            TaskSupervisor(on_failure),
            TaskSupervisor(on_failure),
        )

    async def idle(self) -> None:
        """Wait until none of them does anything."""
        circles = (self.messaging, self.cortex, self.background, self.sending)
        while any(tasks.busy for tasks in circles):
            for tasks in circles:
                await tasks.idle()


class ChannelSharing(NamedTuple):
    """What a process knows of channels that others have, where several share them."""

    has: Callable[[ChannelId], bool]
    """Says whether a channel is this process's."""
    reload_elsewhere: Callable[[ChannelKey], bool]
    """Tells the process that has a channel to read it anew; False where it is this one."""
    elsewhere: Callable[[ChannelId], Awaitable[ChannelProcess | None]] | None = None
    """Says which other process has a channel; None where there is no other."""


ALL_CHANNELS = ChannelSharing(lambda _: True, lambda _: False)


class BotCore(ABC):
    """One attribute a part. Two parts that need each other are no circle: one of them asks for the other when it acts.

    The last three no start needs, and so they are imported elsewhere: see `Bot`.
    """

    def __init__(self, edges: Edges, loaded: LoadedConfig, sharing: ChannelSharing = ALL_CHANNELS) -> None:
        self.plugins = edges.plugins if isinstance(edges.plugins, Plugins) else plugins_of(loaded)
        self.loaded, self.config = loaded, loaded.config
        self.edges = edges._replace(store=self.plugins.over(edges.store)) if self.plugins.memories else edges
        self.sharing = sharing
        self.started_at = edges.clock.now()
        self.fatal = FatalFailure()
        self.task_groups = TaskGroups.of(self.fatal.hear)
        self.redactor = Redactor.of(loaded.secrets)
        self.page_trouble = ""
        # set by the program around the bot, where there is one
        self.first_run: FirstRun | None = None
        self.stalls = StallDetector(edges.clock.now)

    # who may do what, and where

    @cached_property
    def access(self) -> AccessPolicy:
        return AccessPolicy(tiers_of(self.config), self.edges.platforms, self.config.cortex.inspect_dms)

    @cached_property
    def registry(self) -> ChannelRegistry:
        clock = self.edges.clock
        return ChannelRegistry(ChannelQueues(clock), clock, self.config.conversation, self.edges.platforms)

    @cached_property
    def book(self) -> SettingsBook:
        return SettingsBook(self.edges.store.channels, self.config, self.registry, self.edges.store.opt_outs)

    @cached_property
    def judge(self) -> Gatekeeper:
        agents = AgentRouter(self.config.agents, lambda: self.edges.store.channels.moves)
        loads = TrafficCounters(self.edges.clock, self.edges.store.meter, self.registry.queues.waiting)
        plugins = self.plugins
        commands = frozenset(command.name for command in plugins.commands)
        return Gatekeeper(agents, self.config, self.access, self.book, loads, plugins.gates, commands)

    @cached_property
    def skills(self) -> SkillLibrary:
        return skills_of(self.loaded, self.edges.clock)

    @cached_property
    def times(self) -> LocalTimes:
        return LocalTimes(self.config, self.edges.store.zones, lambda: self.edges.store.channels.moves)

    @cached_property
    def languages(self) -> Languages:
        return Languages(self.config, self.edges.store.languages, lambda: self.edges.store.channels.moves)

    # the way out

    @cached_property
    def alerts(self) -> AdminAlerts:
        edges = self.edges
        return AdminAlerts(
            config=self.config,
            platforms=edges.platforms,
            clock=edges.clock,
            tasks=self.task_groups.background,
            redact=self.redactor.redact,
            caller=edges.caller,
            outbox=edges.store.outbox,
            language=self.languages.of,
            delivery=lambda: self.sender,
            may_audit=lambda person, key: self.cortex.may_audit(person, key),
        )

    @cached_property
    def sender(self) -> OutboxSender:
        edges, config = self.edges, self.config
        return OutboxSender(
            outbox=edges.store.outbox,
            previews=edges.store.previews,
            platforms=edges.platforms,
            clock=edges.clock,
            tasks=self.task_groups.sending,
            limits=config.limits,
            conversation=config.conversation,
            redact=self.redactor.redact,
            redact_unfinished=self.redactor.redact_unfinished,
            data_dir=Path(config.bot.data_dir),
            alert=self.alerts.tell,
            moves=lambda: edges.store.channels.moves,
            offer_resend=lambda row: self.resends.offer(row),
            name_of=self._name_of,
            language=lambda body: self.languages.of_reader(body, edges.store.ledger),
            tells_of_right=lambda row, code: self.rights.refused(row, code),
            is_at_work=edges.is_at_work,
        )

    async def _name_of(self, channel: ChannelId) -> str:
        store = self.edges.store
        for agent in (MAIN, *map(AgentId, self.config.agents)):
            key = ChannelKey(agent, channel)
            if found := await store.channels.load(key) or await known_channel(store.ledger, key):
                return channel_word(TargetChannel(ChannelKey(MAIN, channel), found.name, found.place))
        return channel

    @cached_property
    def outcomes(self) -> TurnOutcomes:
        return TurnOutcomes()

    # the way in

    @cached_property
    def manager(self) -> MessagingManager:
        edges = self.edges
        return MessagingManager(
            config=self.config,
            store=edges.store,
            clock=edges.clock,
            tasks=self.task_groups.messaging,
            platforms=edges.platforms,
            sender=self.sender,
            access=self.access,
            book=self.book,
            registry=self.registry,
            judge=self.judge,
            cortex=lambda: self.cortex,
            cortex_tasks=self.task_groups.cortex,
            open_channel=lambda state: self.mind.channels.open(state),
            alert=self.alerts.tell,
            skills=self.skills,
            take_up=self._take_up,
            stop_work=self._stop_work,
            times=self.times,
            languages=self.languages,
            happened=self._happened,
            added_commands=self.plugins.commands,
        )

    def reload_channel(self, key: ChannelKey) -> None:
        """Let a channel's next turn begin with what is stored, in whichever process it is."""
        if not self.sharing.reload_elsewhere(key):
            self.manager.reload_channel(key)

    def _happened(self, stored: StoredInbound) -> None:
        # nearly everything that arrives is a message, and tells of no right
        if stored.inbound.event is not None:
            self.rights.note(stored)

    async def _take_up(self, left: Sequence[StoredProcess], again: Sequence[StoredInbound]) -> Sequence[StoredInbound]:
        # where an earlier process left nothing at work, nobody is needed to go on with it
        return await self.mind.work.resume(left, again) if left else ()

    async def _stop_work(self, key: ChannelKey, why: str, whose: PersonKey | None) -> int:
        # nothing works as long as nobody was made who could have begun it
        return await self.mind.stop_work(key, why, whose) if "mind" in vars(self) else 0

    # what is outside, and what changes while it runs

    @cached_property
    def foreign(self) -> ForeignTools | None:
        """Where the tools of MCP servers come from; None where there are none, or where nobody may connect to any."""
        edges, configured = self.edges, self.config.tools.mcp
        if not configured or edges.tool_servers is None:
            return None
        # imported here: a bot without such servers should not wait for it
        from bot.tools.mcp.approvals import ServerApprovals
        from bot.tools.mcp.foreign_server import ForeignServerContext
        from bot.tools.mcp.foreign_tools import ForeignTools

        supplies = ForeignServerContext(
            servers=edges.tool_servers,
            approvals=ServerApprovals(Path(self.config.bot.data_dir)),
            clock=edges.clock,
            tell=self.alerts.tell,
            redact=lambda text: self.redactor.redact(text).text,
            key=edges.store.secret_key,
        )
        return ForeignTools(configured, supplies)

    @cached_property
    def trusted_clock(self) -> TrustedClock:
        edges = self.edges
        return TrustedClock(
            edges.clock,
            lambda: (platform.health() for platform in edges.platforms.values()),
            lambda: clock_slack_ms(retention_of(self.config).copies_ms),
        )

    @cached_property
    def watch(self) -> HealthWatcher:
        return HealthWatcher(
            self.edges, self.config.alerts, self.alerts, self.task_groups.background, self.trusted_clock
        )

    @cached_property
    def running(self) -> RunningConfig:
        return RunningConfig(
            self.loaded, self.edges.clock, self.alerts, self._follow, self.edges.store.starts, self.edges.store.checks
        )

    async def _follow(self) -> None:
        """Let those who hold what was made of the configuration make it anew."""
        self.access.take_tiers(tiers_of(self.config))
        if self.foreign is not None:
            self.foreign.reloaded()
        await self.book.load()

    # what no start needs

    @property
    @abstractmethod
    def mind(self) -> AgentMind:
        """What answers people: made by `Bot`."""

    @property
    @abstractmethod
    def rights(self) -> RightsAlerts:
        """What tells owners that the bot lost a right somewhere: made by `Bot`."""

    @property
    @abstractmethod
    def resends(self) -> ChunkResender:
        """What sends uncertain messages once more: made by `Bot`."""

    @property
    @abstractmethod
    def cortex(self) -> Cortex:
        """What answers admins: made by `Bot`."""


def skills_of(loaded: LoadedConfig, clock: Clock) -> SkillLibrary:
    """Return the skills; nothing is read yet."""
    config = loaded.config
    beside = loaded.path.parent if loaded.path else Path()
    folders = folders_of(config.skills, Path(config.bot.data_dir), beside)
    return SkillLibrary(config.skills, config.agents, folders, clock)
