"""The whole bot with its cortex: a real store and real turns; a fake platform in front, a scripted model behind."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.app.bot import Bot
from bot.config import LoadedConfig
from bot.config.schema import Config
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.memory import MemoryType
from bot.domain.messages import Button, ButtonPress, ChannelPlace, Inbound, OutgoingMessage
from bot.messaging.policy.access import AccessPolicy, tiers_of
from bot.ports.edges import Edges
from bot.ports.toolservers import ToolServers
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
        self,
        store: SqliteStore,
        clock: FakeClock,
        config: Config,
        platform: FakePlatform,
        script: Sequence[Step],
        tool_servers: ToolServers | None = None,
    ) -> None:
        self.store, self.clock, self.config, self.platform = store, clock, config, platform
        self.provider = ScriptedProvider(*(script or (says("yes"),)))
        providers: dict[str, Any] = {"scripted": self.provider}
        edges = Edges(
            clock=clock,
            entropy=FakeEntropy(f"{clock.now()}"),
            store=store,
            counter=WordCounter(),
            platforms={platform.name: platform},
            providers=providers,
            tool_servers=tool_servers,
        )
        self.app = Bot(edges, LoadedConfig(config=config, origins={}, secrets={"key": SECRET}))
        self.manager, self.cortex, self.registry = self.app.manager, self.app.cortex, self.app.registry
        self.access = AccessPolicy(tiers_of(config), edges.platforms, config.cortex.inspect_dms)

    async def hears(self, text: str, by: str = ANN, channel: ChannelId = GENERAL, **changes: Any) -> Inbound:
        """Hear something and wait for everything that comes of it."""
        inbound = await self.arrives(text, by, channel, **changes)
        await self.settled()
        return inbound

    async def arrives(self, text: str, by: str = ANN, channel: ChannelId = GENERAL, **changes: Any) -> Inbound:
        """Hear something and do not wait."""
        is_dm = channel.startswith("console:dm:")
        place = changes.pop("place", ChannelPlace(is_dm=is_dm, guild_id="" if is_dm else "1"))
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
        await self.manager.receive([said], None)
        return said

    async def dm(self, text: str, by: str = OWNER, **changes: Any) -> Inbound:
        return await self.hears(text, by, dm_of(by), **changes)

    async def settled(self) -> None:
        await self.app.settled()

    async def until(self, happens: Callable[[], bool]) -> None:
        """Let what runs go on until something has happened."""
        for _ in range(1000):
            if happens():
                return
            await asyncio.sleep(0.005)
        raise AssertionError("it did not happen")

    async def presses(self, label: str, by: str = OWNER, channel: ChannelId | None = None) -> str:
        """Press the newest button whose label begins so; return what only the presser sees."""
        return await self.press_data(self.button(label).data, by, channel)

    async def press_data(
        self, data: str, by: str = OWNER, channel: ChannelId | None = None, ephemeral: ChannelId | None = None
    ) -> str:
        person = PersonKey("console", UserId(by))
        press = ButtonPress(
            person=person, name=f"user{by}", channel=channel or dm_of(by), data=data, ephemeral=ephemeral
        )
        answer = await self.manager.pressed(press)
        await self.settled()
        return answer

    def button(self, label: str) -> Button:
        found = [b for sent in reversed(self.platform.sent) for b in sent.buttons if b.label.startswith(label)]
        assert found, f"no button {label!r}; there are {[b.label for s in self.platform.sent for b in s.buttons]}"
        return found[0]

    @property
    def private(self) -> list[OutgoingMessage]:
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
    tool_servers: ToolServers | None = None,
) -> AsyncIterator[Chat]:
    """Open a chat; opening one in the same directory again is a restart."""
    clock = clock or PatientClock()
    data = directory / "data"
    store = await create(StoreSettings(data, clock, FakeEntropy(), 0, 0))
    platform = platform or FakePlatform(idempotent=True, max_units=4096)
    platform.admins |= {(ADMIN, GENERAL), (ADMIN_TOO, GENERAL)}
    platform.readers |= {(ADMIN, GENERAL), (ADMIN_TOO, GENERAL)}
    built = Chat(store, clock, settings or config(data), platform, script, tool_servers)
    try:
        await built.app.start()
        yield built
    finally:
        await built.app.close("the test is over")
        await store.close()
