"""The whole bot with its cortex: a real store and real turns; a fake platform in front, a scripted model behind."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.agent.aftermath import Aftermath
from bot.agent.answering import Answering
from bot.agent.channel import ChannelFactory, ChannelServices
from bot.agent.models import Models
from bot.agent.turn import TurnLimits, Turns
from bot.config import LoadedConfig
from bot.config.schema import Config
from bot.context.contexts import Contexts
from bot.context.gather import Gatherer
from bot.context.inspector import ChannelContextInspector
from bot.context.section import Facts, Sources
from bot.context.sections import ORDER
from bot.cortex.alerts import AdminAlerts
from bot.cortex.build import CortexParts, build_cortex
from bot.domain.ids import MAIN, ChannelId, ChannelKey, Person, UserId
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.memory import MemoryType
from bot.domain.messages import Button, Inbound, Outgoing, Place, Press
from bot.domain.redaction import Redactor
from bot.memory.write import MemoryRules
from bot.messaging.access import Access, tiers_of
from bot.messaging.judge import Judge
from bot.messaging.loads import Loads
from bot.messaging.manager import MessagingManager, MessagingServices
from bot.messaging.outbox import OutboxSender
from bot.messaging.posting import SendingServices
from bot.messaging.queues import Queues
from bot.messaging.registry import ChannelRegistry
from bot.messaging.settings import SettingsBook
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.memories import History, Memories
from bot.tasks import Tasks
from bot.tools.toolbox import fill
from bot.tools.toolsets import CAPTURED, TOOLSETS
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.counter import WordCounter
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import ScriptedProvider, Step, says

OWNER, ADMIN, ADMIN_TOO, STRANGER, ANN = "1", "2", "3", "9", "100"
GENERAL = v.GENERAL
SECRET = "sk-hunter2hunter2hunter2HUNTER2"
SILENCING = "Decision: do not answer ann any more."


class PatientClock(FakeClock):
    """A clock whose sleepers let the store's threads get on with their work."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        await asyncio.sleep(0.005)


def config(data_dir: Path, **tables: Any) -> Config:
    base: dict[str, Any] = {
        "bot": {"name": "Glass", "data_dir": str(data_dir)},
        "model": {"name": "scripted/scripted-1", "retries": 0, "context_window": 128_000, "cool_down": 0.001},
        "platforms": {"console": {"owner_ids": [OWNER], "admin_ids": [ADMIN, ADMIN_TOO], "default_mode": "active"}},
        "limits": {"user_per_minute": 0, "channel_per_minute": 0},
        "conversation": {"debounce": 0},
        "cortex": {"per_minute": 1000, **tables.pop("cortex", {})},
        "drift": {"sample": 1.0},
    }
    return Config.model_validate({**base, **tables})


class Chat:
    """Say things with `hears`; press with `presses`; what was said is in `platform`."""

    def __init__(
        self, store: SqliteStore, clock: FakeClock, config: Config, platform: FakePlatform, script: Sequence[Step]
    ) -> None:
        self.store, self.clock, self.config, self.platform = store, clock, config, platform
        self.provider = ScriptedProvider(*(script or (says("yes"),)))
        self.failures: list[str] = []
        self.tasks, self.sending = Tasks(self._failed), Tasks(self._failed)
        self.aside, self.cortex_tasks = Tasks(self._failed), Tasks(self._failed)
        platforms: dict[str, Any] = {platform.name: platform}
        self.redactor = Redactor.of({"key": SECRET})
        self.access = Access(tiers_of(config), platforms, config.cortex.inspect_dms)
        self.registry = ChannelRegistry(Queues(clock), clock, config.conversation)
        self.book = SettingsBook(store.channels, config, self.registry)
        self.judge = Judge(MAIN, config, self.access, self.book, Loads(clock, store.journal))
        alerts = AdminAlerts(config, platforms, clock, self.aside)
        self.sender = OutboxSender(
            SendingServices(
                outbox=store.outbox,
                platforms=platforms,
                clock=clock,
                tasks=self.sending,
                limits=config.limits,
                redact=self.redactor.redact,
                alert=alerts.tell,
            )
        )
        facts = Facts("Glass", "You are friendly.", platforms={"console": platform.capabilities})
        sources = Sources(memories=store.memories, channels=store.channels, facts=facts)
        contexts = Contexts(Gatherer(ORDER, sources), WordCounter(), store.journal)
        models = Models({"scripted": self.provider}, config.model, clock)
        aftermath = Aftermath(contexts, models, store.ledger, clock, self.aside, config.drift.sample)
        self.turns = Turns(contexts, models, store.journal, clock, aftermath)
        services: dict[type, object] = {
            Memories: store.memories,
            History: store.history,
            Clock: clock,
            Delivery: self.sender,
            MemoryRules: MemoryRules(0.9, 50),
        }
        self.toolbox = fill(TOOLSETS, services, CAPTURED)
        answering = Answering(models, self.toolbox, lambda state: state.settings.model)
        inspector = ChannelContextInspector(
            contexts=contexts,
            journal=store.journal,
            channels=store.channels,
            directory=self.registry,
            memories=store.memories,
            wires=models,
            ask_for=answering.ask_for,
            clock=clock,
        )
        edges = SimpleNamespace(
            clock=clock,
            entropy=FakeEntropy(f"{clock.now()}"),
            store=store,
            platforms=platforms,
            providers={"scripted": self.provider},
            off=(),
        )
        self.cortex = build_cortex(
            CortexParts(
                edges=edges,
                loaded=LoadedConfig(config=config, secrets={}, origins={}),
                redactor=self.redactor,
                access=self.access,
                registry=self.registry,
                book=self.book,
                judge=self.judge,
                sender=self.sender,
                turns=self.turns,
                toolbox=self.toolbox,
                inspector=inspector,
                tasks=self.cortex_tasks,
                hear=self._hear,
            )
        )
        channels = ChannelFactory(
            ChannelServices(
                turns=self.turns,
                answering=answering,
                delivery=self.sender,
                memories=store.memories,
                channels=self.registry,
                tasks=self.aside,
                alerts=alerts,
                limits=TurnLimits(rounds=10, seconds=5),
                authority=self.access.tier,
            )
        )
        self.manager = MessagingManager(
            MessagingServices(
                config=config,
                store=store,
                clock=clock,
                tasks=self.tasks,
                platforms=platforms,
                sender=self.sender,
                access=self.access,
                book=self.book,
                registry=self.registry,
                judge=self.judge,
                door=self.cortex,
                open_channel=channels.open,
            )
        )

    async def hears(self, text: str, by: str = ANN, channel: ChannelId = GENERAL, **changes: Any) -> Inbound:
        """Hear something and wait for everything that comes of it."""
        inbound = await self.arrives(text, by, channel, **changes)
        await self.settled()
        return inbound

    async def arrives(self, text: str, by: str = ANN, channel: ChannelId = GENERAL, **changes: Any) -> Inbound:
        """Hear something and do not wait."""
        is_dm = channel.startswith("console:dm:")
        place = changes.pop("place", Place(is_dm=is_dm, guild_id="" if is_dm else "1"))
        name = "direct messages" if is_dm else channel.removeprefix("console:")
        who = v.author(by, {ANN: "ann", OWNER: "root"}.get(by, f"user{by}"))
        said = v.inbound(
            text,
            f"{next(_MESSAGE_IDS)}",
            channel=channel,
            channel_name=name,
            place=place,
            author=who,
            sent_at=self.clock.now(),
            **changes,
        )
        await self.manager.heard([said], None)
        return said

    async def dm(self, text: str, by: str = OWNER, **changes: Any) -> Inbound:
        return await self.hears(text, by, dm_of(by), **changes)

    async def settled(self) -> None:
        for _ in range(4):
            await self.manager.settled()
            for tasks in (self.cortex_tasks, self.aside, self.sending):
                await tasks.idle()

    async def presses(self, label: str, by: str = OWNER, channel: ChannelId | None = None) -> str:
        """Press the newest button whose label begins so; return what only the presser sees."""
        return await self.press_data(self.button(label).data, by, channel)

    async def press_data(self, data: str, by: str = OWNER, channel: ChannelId | None = None) -> str:
        person = Person("console", UserId(by))
        press = Press(person=person, name=f"user{by}", channel=channel or dm_of(by), data=data)
        answer = await self.manager.pressed(press)
        await self.settled()
        return answer

    def button(self, label: str) -> Button:
        found = [b for sent in reversed(self.platform.sent) for b in sent.buttons if b.label.startswith(label)]
        assert found, f"no button {label!r}; there are {[b.label for s in self.platform.sent for b in s.buttons]}"
        return found[0]

    @property
    def private(self) -> list[Outgoing]:
        """What was sent to one person alone."""
        return [sent for sent in self.platform.sent if sent.to.private_to is not None]

    @property
    def public(self) -> list[str]:
        """What everybody could read."""
        return [sent.text for sent in self.platform.sent if sent.to.private_to is None]

    @property
    def last(self) -> str:
        return self.private[-1].text

    async def remembers(self, content: str = SILENCING, channel: ChannelId = GENERAL, **changes: Any) -> int:
        base: dict[str, Any] = {"channel": channel, "scope_id": channel, "created_at": self.clock.now()}
        base |= {"type": MemoryType.DECISION, "importance": 0.9, "subjects": (UserId(ANN),)}
        rows = await self.store.memories.add([v.memory(content, **{**base, **changes})])
        return rows[0]

    async def inbound(self, said: Inbound) -> StoredInbound:
        found = await self.store.ledger.by_message(ChannelKey(MAIN, said.channel), said.message_id)
        assert found is not None
        return found

    async def outcome(self, said: Inbound) -> Outcome | None:
        return (await self.inbound(said)).outcome

    async def dies(self) -> None:
        for tasks in (self.tasks, self.cortex_tasks, self.aside, self.sending):
            await tasks.close()

    async def _hear(self, batch: Sequence[Inbound]) -> None:
        await self.manager.heard(batch, None)

    async def _failed(self, name: str, error: BaseException) -> None:
        self.failures.append(f"{name}: {error!r}")


def dm_of(user: str) -> ChannelId:
    return ChannelId(f"console:dm:{user}")


_MESSAGE_IDS = itertools.count(1)


@asynccontextmanager
async def chat(
    directory: Path,
    *script: Step,
    settings: Config | None = None,
    clock: FakeClock | None = None,
    platform: FakePlatform | None = None,
) -> AsyncIterator[Chat]:
    """Open a chat; opening one in the same directory again is a restart."""
    clock = clock or PatientClock()
    data = directory / "data"
    store = await create(StoreSettings(data, clock, FakeEntropy(), 0, 0))
    platform = platform or FakePlatform(idempotent=True, max_units=4096)
    platform.admins |= {(ADMIN, GENERAL), (ADMIN_TOO, GENERAL)}
    platform.readers |= {(ADMIN, GENERAL), (ADMIN_TOO, GENERAL)}
    built = Chat(store, clock, settings or config(data), platform, script)
    try:
        await built.manager.start()
        yield built
        assert built.failures == []
    finally:
        await built.dies()
        await store.close()
