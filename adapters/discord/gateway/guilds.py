"""Know which guilds there are, and look into each that comes for what was missed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import discord
from discord.abc import Messageable

from adapters.discord.base.places import ELSEWHERE, dm_of, guild_channel
from adapters.discord.base.state import DiscordState
from adapters.discord.gateway.backfill import BackfillGap, BackfillReader
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.gateway.ordering import ChannelLanes
from adapters.discord.gateway.watermark import ReadWatermark
from adapters.discord.rest import events
from bot.domain.messages import Inbound
from bot.ports.clock import Clock

_SPOKEN_IN_TYPES = frozenset({0, 2, 5, 10, 11, 12, 13})
"""Types of channels with messages of their own; for a forum `last_message_id` names its newest thread."""
_DM_SHARD = 0
_MESSAGE_CONTENT = 1 << 18 | 1 << 19
"""The portal's switch: one bit for bots that Discord has verified, the other for those of few guilds."""

Parts = tuple[ChannelLanes, ReadWatermark, BackfillReader, Clock]
Read = Callable[[Messageable, dict[str, Any]], Inbound]


class GuildTracker:
    """Follows READY, GUILD_CREATE and GUILD_DELETE. `read` makes what is heard of a message of a channel."""

    def __init__(self, client: LibraryClient, state: DiscordState, parts: Parts, read: Read) -> None:
        self._client = client
        self._state = state
        self._lanes, self._marks, self._backfill, self._clock = parts
        self._read = read
        self._expected: dict[int, set[int]] = {}
        self._known: set[int] = set()
        self._latest = 0
        self._begins = False

    @property
    def are_all_there(self) -> bool:
        """Whether every guild has shown its channels since its connection began."""
        return self._state.is_up and not any(self._expected.values())

    def ready(self, data: dict[str, Any]) -> None:
        """Take a new session: all guilds of the shard will show themselves, and those that do not are left."""
        shard = int(data["shard"][0]) if "shard" in data else 0
        self._state.my_id = int(data["user"]["id"])
        self._state.content_intent(bool(int(data["application"]["flags"]) & _MESSAGE_CONTENT))
        self._state.shards.connected(shard)
        here = {int(guild["id"]) for guild in data["guilds"]}
        self._expected[shard] = set(here)
        for gone in sorted(one for one in self._known - here if self._client.shard_of(one) == shard):
            self._known.discard(gone)
            self._left(self._client.forget(gone))
        if shard == _DM_SHARD:
            self._look_into_dms()
        self._begin()

    def arrived(self, data: dict[str, Any]) -> None:
        """Take a guild with all of its channels: an expected one, one that is back, or a new one."""
        number = int(data["id"])
        expected = self._expected.setdefault(self._client.shard_of(number), set())
        guild = self._client.get_guild(number)
        if number not in expected and number not in self._known and guild is not None:
            self._lanes.put(events.guild_joined(guild, self._client.place_of(number), self._clock.now()))
        self._known.add(number)
        self._state.guild(number, is_away=False)
        expected.discard(number)
        for gap in _gaps(data, number):
            self._latest = max(self._latest, gap.newest)
            if self._is_missing(gap) and _may_read(guild, gap):
                known = guild.get_channel_or_thread(gap.number) if guild is not None else None
                self._look(gap, known if isinstance(known, Messageable) else self._client.stand_in(gap.number, number))
        self._begin()

    def vanished(self, number: int, *, is_outage: bool) -> None:
        """Take that a guild is not there: for a while, or because the bot is in it no more."""
        self._state.guild(number, is_away=is_outage)
        if is_outage:
            self._expected.setdefault(self._client.shard_of(number), set()).add(number)
        else:
            self._known.discard(number)

    def removed(self, guild: discord.Guild) -> None:
        """Take that the bot is in a guild no more."""
        self._left(guild)

    def _left(self, guild: discord.Guild | None) -> None:
        for inbound in events.guild_left(guild, self._client.place_of(guild.id), self._clock.now()) if guild else ():
            self._lanes.put(inbound)

    def _look_into_dms(self) -> None:
        # the gateway names none of them: only asking tells whether something was written
        for user, number in self._marks.dms:
            gap = BackfillGap(dm_of(user), number, 0)
            if self._is_missing(gap):
                self._look(gap, self._client.stand_in(number, None))

    def _is_missing(self, gap: BackfillGap) -> bool:
        return not self._marks.is_first and self._backfill.is_missing(gap)

    def _look(self, gap: BackfillGap, channel: Messageable) -> None:
        self._lanes.catch_up(gap.channel, self._backfill.of(gap, partial(self._read, channel)))

    def _begin(self) -> None:
        """Let everything begin now, the very first time, when all guilds have shown what there is."""
        if self._marks.is_first and self.are_all_there and not self._begins:
            self._begins = True
            self._lanes.catch_up(ELSEWHERE, _FirstRow(self._marks, self._latest))


class _FirstRow:
    """What has to be stored once, and tried until it is."""

    def __init__(self, marks: ReadWatermark, newest: int) -> None:
        self._marks = marks
        self._newest = newest

    async def pages(self) -> AsyncIterator[Sequence[Inbound]]:
        """Store it; there is nothing to read."""
        await self._marks.begin(self._newest)
        return
        yield ()


def _gaps(data: dict[str, Any], guild: int) -> Iterator[BackfillGap]:
    joined = data.get("joined_at")
    joined_at = round(datetime.fromisoformat(joined).timestamp() * 1000) if joined else 0
    channels: Sequence[dict[str, Any]] = [*data.get("channels", ()), *data.get("threads", ())]
    for channel in channels:
        number, newest = str(channel.get("id")), str(channel.get("last_message_id"))
        if channel.get("type") in _SPOKEN_IN_TYPES and number.isdecimal() and newest.isdecimal():
            yield BackfillGap(guild_channel(guild, number), int(number), int(newest), joined_at)


def _may_read(guild: discord.Guild | None, gap: BackfillGap) -> bool:
    """Say whether reading back is allowed; refusals count, and too many of them cost the bot its access."""
    channel = guild.get_channel_or_thread(gap.number) if guild is not None else None
    if guild is None or channel is None or guild.me is None:
        return True
    try:
        permissions = channel.permissions_for(guild.me)
    except discord.ClientException:
        return True  # a thread of a channel that is not known: the answer will tell
    return permissions.view_channel and permissions.read_message_history
