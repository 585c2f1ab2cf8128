"""What one process of the bot has to know of what another one heard, so that it can act on it."""

from __future__ import annotations

from pydantic import Field

from adapters.handoffs import AdapterHandoff
from bot.runtime.lru_cache import LRUCache

_MAX_CHANNELS = 20_000


class InteractionWindow(AdapterHandoff):
    """An interaction as it is handed over. `token` is its secret, `stage` how far it is answered.

    `is_shared`: the process that heard it answers it too.
    """

    number: int = 0
    application: int = 0
    token: str = Field("", repr=False)
    user: int = 0
    stage: str = "new"
    is_shared: bool = False


class DiscordHandoff(AdapterHandoff):
    """What goes with something that was heard.

    `channels` says of channels, by number, to which guild each belongs; those in `threads` are threads. Of these guilds
    those in `away` are unavailable, since when (UTC ms). `dms` are the numbers of private chats by person. A message of
    the bot's account was `posted_as` this nonce, which may be empty (None: it is no such message).
    """

    channels: dict[int, int] = Field(default_factory=dict, exclude_if=lambda channels: not channels)
    threads: tuple[int, ...] = Field((), exclude_if=lambda threads: not threads)
    away: dict[int, int] = Field(default_factory=dict, exclude_if=lambda away: not away)
    dms: dict[int, int] = Field(default_factory=dict, exclude_if=lambda dms: not dms)
    posted_as: str | None = Field(None, exclude_if=lambda posted_as: posted_as is None)
    window: InteractionWindow | None = Field(None, exclude_if=lambda window: window is None)


class KnownChannels:
    """Where channels are, as the process that listens has told; of a channel that never changes."""

    def __init__(self) -> None:
        self._guilds: LRUCache[int, int] = LRUCache(_MAX_CHANNELS)
        self._threads: LRUCache[int, None] = LRUCache(_MAX_CHANNELS)

    def learn(self, handoff: DiscordHandoff) -> None:
        """Take what was told."""
        for channel, guild in handoff.channels.items():
            self._guilds.put(channel, guild)
        for thread in handoff.threads:
            self._threads.put(thread, None)

    def guild_of(self, channel: int) -> int | None:
        """Return the guild of a channel or thread that was told of."""
        return self._guilds.get(channel)

    def is_channel(self, number: int) -> bool:
        """Say whether a channel of a guild was told of by this number, threads left out; it may be hidden."""
        return number in self._guilds and number not in self._threads
