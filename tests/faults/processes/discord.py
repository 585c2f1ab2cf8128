"""A house on Discord: a guild with a kitchen and more channels, an owner, and two who ask."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.dialogs.discord import KEYS, DiscordBot
from tests.dialogs.tide import TidalClock
from tests.faults.discord_story import DiscordStory
from tests.faults.processes.house import House
from tests.servers.discord import Guild, Message, World, discord_server
from tests.servers.model import model_server

PLATFORM = """
[platforms.discord]
token = "env:GLASSMIND_TOKEN"
names = ["glassmind"]
request_timeout = 5
"""
RANGES = """
shard_count = {many}
shard_ranges = {many}
"""


class Around(DiscordBot):
    """The people and what they see; the store is opened by who adds up."""

    store: Any = None


class Sums(DiscordStory):
    """One run."""

    async def check_more(self) -> None:
        for place in self.places:
            await self._is_heard_in_order(place)


@dataclass
class DiscordHouse(House):
    """What people do there is `around`: its world, its server, and what is to be seen."""

    name: ClassVar[str] = "discord"
    around: Around = None  # type: ignore[assignment]
    ranges: int = 1
    """How many parts of what there is to hear processes have apart, of one shard each."""

    async def open(self) -> None:
        self.story = Sums(0, self.around, rooms=list(self.rooms))

    @property
    def platform(self) -> str:
        around, server = self.around, self.around.server
        keys = {"rest_url": server.api_url, "cdn_url": server.cdn_url}
        parts = RANGES.format(many=self.ranges) if self.ranges > 1 else ""
        return PLATFORM + KEYS.format(**keys, root=around.root.id, admins=around.mod.id, pace=0.0) + parts

    @property
    def token(self) -> str:
        return self.around.me.token

    def addressed(self, text: str) -> str:
        return f"{self.around.at} {text}"

    async def speak(self, who: str, text: str, room: int) -> Message:
        mentions = [self.around.me] if text.startswith(self.around.at) else []
        words = text.removeprefix(self.around.at).strip() if mentions else text
        said = await self.around.says(getattr(self.around, who), words, self.rooms[room], mentions=mentions)
        assert isinstance(said, Message)
        return said

    def has_begun(self) -> bool:
        is_there = len(self.around.me.identifies) >= self.ranges
        return is_there and bool(self.rows("SELECT 1 FROM cursor WHERE stream = 'began'"))

    def private(self) -> list[str]:
        return self.around.texts(self.around.dm(self.around.root))

    def public(self) -> list[str]:
        own = self.around.dm(self.around.root)
        return [message.text for message in self.around.written() if message.channel is not own]


def _houses(around: Around, shards: int) -> Sequence[Guild]:
    """Return a guild of each shard, the first one first."""
    found = {(around.house.id >> 22) % shards: around.house}
    while len(found) < shards:
        around.world.wait(0.001)  # by when it was made goes which shard a guild is of
        guild = around.world.guild("Annexe", around.root, around.mod, around.ann, around.james, around.me)
        found.setdefault((guild.id >> 22) % shards, guild)
    return [*found.values()]


@asynccontextmanager
async def a_house(
    directory: Path, *, rooms: int = 2, kind: type[DiscordHouse] = DiscordHouse, **changes: Any
) -> AsyncIterator[DiscordHouse]:
    """Open a house with so many channels; `changes` are further fields of `House`."""
    world = World(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    async with discord_server(world) as server, model_server() as model:
        around = Around(directory, world, server, TidalClock(), {})
        houses = _houses(around, changes.get("ranges", 1))
        channels = [around.kitchen, *(houses[n % len(houses)].channel(f"room{n}") for n in range(1, rooms))]
        house = kind(directory, model, around=around, rooms=channels, **changes)
        await house.open()
        try:
            yield house
        finally:
            await house.close()
