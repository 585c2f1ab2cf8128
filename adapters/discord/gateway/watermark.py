"""How far everything was read: for each channel the newest message that is stored, and one mark for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from pydantic import TypeAdapter, ValidationError

from adapters.discord.base.places import NAME, dm_of
from adapters.discord.rest.message import snowflake_at
from adapters.server_clock import ServerClock
from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor
from bot.domain.messages import Inbound, InboundKind
from bot.ports.clock import Clock
from bot.ports.platform import PlatformListener
from bot.runtime.lru_cache import LRUCache

log = structlog.get_logger(__name__)

BEGAN_STREAM, NEWEST_STREAM, DMS_STREAM = "began", "newest", "dms"
"""The streams that are no channel: where everything begins, how far all is stored, which private chats are known."""
LATE_SNOWFLAKES = 30_000 << 22
"""How far below a channel's mark it is read again, if at all; what is there already is not taken twice."""
_MAX_DISORDER_MS = 600_000
"""Messages of two channels may come in another order than that of their ids; nobody has seen more than seconds."""
_NOTE_SECONDS = 60.0
_MAX_DMS, _MAX_MARKS = 500, 20_000
_OF_DMS = dm_of("")
_FIRST_SEEN = frozenset({InboundKind.MESSAGE, InboundKind.EVENT})
_PAIRS: TypeAdapter[list[tuple[int, int]]] = TypeAdapter(list[tuple[int, int]])


class ReadWatermark:
    """What was stored, by the ids of messages. A mark moves only together with what it covers.

    How old something is goes by `their_time`, by which ids are made. Of `shards` alone it says how far all is stored:
    others, which another process hears, may be behind.
    """

    def __init__(
        self,
        ears: PlatformListener,
        clock: Clock,
        their_time: ServerClock,
        hours: float,
        shards: str = "",
    ) -> None:
        self._ears = ears
        self._clock = clock
        self._their_time = their_time
        self._hours = hours
        self._newest_stream = f"{NEWEST_STREAM} {shards}" if shards else NEWEST_STREAM
        self._marks: LRUCache[ChannelId, int] = LRUCache(_MAX_MARKS)
        self._began = 0
        self._newest = 0
        self._all_stored = 0
        self._noted_at = clock.monotonic()
        self._dms: LRUCache[int, int] = LRUCache(_MAX_DMS)
        self._is_new_dm = False

    @property
    def is_first(self) -> bool:
        """Whether nothing was ever read: then everything begins now."""
        return self._began == 0

    @property
    def dms(self) -> Sequence[tuple[int, int]]:
        """Whose private chats are known, and their numbers, the newest first."""
        return tuple(reversed(self._dms.items()))

    async def load(self) -> None:
        """Read what an earlier process left; raise StoreError."""
        self._began = _number(await self._ears.cursor(NAME, BEGAN_STREAM))
        # the mark of all shards may be older than that of some, and never newer than what is stored of them
        newest = [await self._ears.cursor(NAME, stream) for stream in (self._newest_stream, NEWEST_STREAM)]
        self._newest = self._all_stored = max(map(_number, newest))
        try:
            for user, channel in _PAIRS.validate_json(await self._ears.cursor(NAME, DMS_STREAM) or "[]"):
                self._dms.put(user, channel)
        except ValidationError:
            log.warning("discord_dms_unreadable")

    async def begin(self, newest: int) -> None:
        """Let everything begin behind the newest message there is; raise StoreError."""
        began = newest or snowflake_at(self._now())
        # who hears other shards may have begun a moment ago
        known = _number(await self._ears.cursor(NAME, BEGAN_STREAM))
        if not known or began < known:
            await self._ears.receive([], StreamCursor(adapter=NAME, stream=BEGAN_STREAM, value=str(began)))
        self._began = min(began, known or began)

    def floor(self, joined_at: int = 0) -> int:
        """Return the id behind which something can be missed in any channel; `joined_at` is UTC ms."""
        oldest = snowflake_at(self._now() - round(self._hours * 3_600_000))
        return max(self._began, oldest, snowflake_at(joined_at), self._all_stored - (_MAX_DISORDER_MS << 22))

    async def of(self, channel: ChannelId) -> int:
        """Return the newest message of a channel that is stored; 0 for none; raise StoreError.

        Of those a little older, one or the other may have been on its way yet: see `LATE_SNOWFLAKES`.
        """
        known = self._marks.get(channel)
        return known if known is not None else _number(await self._ears.cursor(NAME, channel))

    def cursor(self, channel: ChannelId, batch: Sequence[Inbound]) -> StreamCursor | None:
        """Return how far a channel is read with a batch; None when the batch moves nothing."""
        newest = max(map(_message, batch), default=0)
        if newest <= (self._marks.get(channel) or 0):
            return None
        return StreamCursor(adapter=NAME, stream=channel, value=str(newest))

    def stored(self, channel: ChannelId, cursor: StreamCursor | None) -> None:
        """Note that a batch and its cursor are stored."""
        if cursor is None:
            return
        newest = int(cursor.value)
        self._marks.put(channel, newest)
        self._newest = max(self._newest, newest)

    async def note(self) -> None:
        """Store the mark for all channels, now and then; only for who knows that nothing is under way."""
        now = self._clock.monotonic()
        if self._newest == self._all_stored or now - self._noted_at < _NOTE_SECONDS:
            return
        newest = self._newest
        await self._ears.receive([], StreamCursor(adapter=NAME, stream=self._newest_stream, value=str(newest)))
        self._all_stored, self._noted_at = newest, now

    def _now(self) -> int:
        return self._their_time.now(self._clock.now())

    def learn_dm(self, user: int, channel: int) -> None:
        """Remember a private chat; the gateway names none of them after a start."""
        if self._dms.peek(user) != channel:
            self._dms.put(user, channel)
            self._is_new_dm = True

    async def note_dms(self) -> None:
        """Store whose private chats are known, if that has changed; raise StoreError."""
        if self._is_new_dm:
            value = _PAIRS.dump_json(list(self._dms.items())).decode()
            await self._ears.receive([], StreamCursor(adapter=NAME, stream=DMS_STREAM, value=value))
            self._is_new_dm = False


def is_of_dm(channel: ChannelId) -> bool:
    """Say whether a channel is a private chat."""
    return channel.startswith(_OF_DMS)


def _message(inbound: Inbound) -> int:
    """Return the id of a message as it was first seen; 0 for everything else, which no history shows again."""
    return _number(inbound.message_id) if inbound.kind in _FIRST_SEEN else 0


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0
