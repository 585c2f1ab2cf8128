"""The library's client as this program uses it: its parsing and its cache, without its own connecting and its tasks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

import discord
import structlog
from discord.abc import Messageable, PrivateChannel
from discord.gateway import DiscordWebSocket
from discord.voice_client import VoiceClient

from adapters.discord.base.settings import Settings
from adapters.discord.rest.client import RestClient

log = structlog.get_logger(__name__)

# at INFO the library writes sessions, at DEBUG every message and every token of an interaction
logging.getLogger("discord").setLevel(logging.WARNING)

_GUILD_SHIFT = 22
"""https://discord.com/developers/docs/events/gateway#sharding."""

TOLD = frozenset({"READY", "RESUMED", "GUILD_CREATE", "GUILD_DELETE"})
"""What is handed on as it came, because the library keeps a part of it to itself."""


class EventPosition(NamedTuple):
    """Where something stands in what a session is told."""

    session: str
    sequence: int


class DuplicateFilter:
    """Remembers which session a shard was greeted for, and the newest that was told of each guild.

    `place_of` says where in the stream of a guild's shard that stands which comes right now.
    """

    def __init__(self, place_of: Callable[[int], EventPosition]) -> None:
        self._place_of = place_of
        self._greeted: dict[str, object] = {}
        self._guilds: dict[int, EventPosition] = {}

    def has(self, name: str, data: Any) -> bool:
        """Say whether what comes right now was overtaken by what came before; note it if not."""
        if not isinstance(data, dict):
            return False
        if name == "READY":
            return self._is_greeted(data)
        number = str(data.get("id"))
        return name in {"GUILD_CREATE", "GUILD_DELETE"} and number.isdecimal() and self._is_overtaken(int(number))

    def _is_greeted(self, ready: dict[str, Any]) -> bool:
        # the library would forget every guild, and none shows itself a second time
        if not ready.get("session_id"):
            return False
        shard, session = str(ready.get("shard")), ready["session_id"]
        before, self._greeted[shard] = self._greeted.get(shard), session
        return bool(before == session)

    def _is_overtaken(self, guild: int) -> bool:
        # an outage that is over would begin again, and its end is told only once
        now, newest = self._place_of(guild), self._guilds.get(guild)
        if newest is not None and newest.session == now.session and 0 < now.sequence <= newest.sequence:
            return True
        self._guilds[guild] = now
        return False


class GatewayListener(Protocol):
    """Who hears of everything, in the order in which it came, and never waits."""

    def happened(self, event: str, args: tuple[Any, ...]) -> None:
        """Take what the library made of something, under its name for it."""

    def told(self, name: str, data: dict[str, Any]) -> None:
        """Take one of `TOLD` as it came, after the library has read it."""

    def unreadable(self, name: str, data: object, error: Exception) -> None:
        """Take an event that the library could not read."""


class LibraryClient(discord.AutoShardedClient):
    """Reads what the gateway tells. It keeps guilds, roles and channels, but neither messages nor members.

    `sockets` are the open connections by shard; `intents_now` may change between two connections.
    """

    def __init__(self, rest: RestClient, settings: Settings) -> None:
        # who has no voice needs no warning that a library for it is missing
        VoiceClient.warn_nacl = VoiceClient.warn_dave = False
        self._rest = rest
        self.listener: GatewayListener | None = None
        self.sockets: dict[int, DiscordWebSocket] = {}
        self._known: set[str] = set()
        self._echoes = DuplicateFilter(partial(_place, self))
        super().__init__(
            intents=intents_of(content=settings.message_content),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0.0,
            heartbeat_timeout=settings.stalled_after * 2 / 3,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        state = self._connection
        state.parsers = {name: partial(self._parse, name, parse) for name, parse in state.parsers.items()}
        # the only place where the library tells of a connection before it is ready
        state._update_references = self._made  # type: ignore[method-assign, assignment]

    async def prepare(self, shard_ids: list[int], shard_count: int) -> None:
        """Take the running loop, and the shards that will be connected."""
        await self._async_setup_hook()
        self.shard_ids, self.shard_count = shard_ids, shard_count
        self._connection.shard_ids, self._connection.shard_count = shard_ids, shard_count

    def ask_for(self, *, content: bool) -> None:
        """Choose the intents of the next connection."""
        self._connection._intents = intents_of(content=content)

    def message(self, channel: Messageable, raw: dict[str, Any]) -> discord.Message:
        """Read a message of the REST interface; raises whatever the library does for what is none."""
        return self._connection.create_message(channel=channel, data=raw)  # type: ignore[arg-type]

    def stand_in(self, channel: int, guild: int | None) -> Messageable:
        """Return what stands for a channel that the cache does not know; without a guild it is a private chat."""
        if guild is None:
            return discord.DMChannel._from_message(self._connection, channel)
        return discord.PartialMessageable(self._connection, channel, guild)

    def forget(self, guild: int) -> discord.Guild | None:
        """Take a guild out of the cache; return it as it was."""
        known = self.get_guild(guild)
        if known is not None:
            self._connection._remove_guild(known)
        return known

    def shard_of(self, guild: int) -> int:
        """Return the shard that a guild belongs to."""
        return (guild >> _GUILD_SHIFT) % (self.shard_count or 1)

    def place_of(self, guild: int) -> str:
        """Name what comes right now by its place in the stream; told again, it has the same."""
        place = _place(self, guild)
        return f"{place.session}-{place.sequence}"

    def guild_of(self, channel: int) -> int | None:
        """Return the guild of a channel or thread that the cache knows."""
        found = self.get_channel(channel)
        guild = getattr(found, "guild", None)
        return guild.id if guild is not None else None

    def is_channel(self, number: int) -> bool:
        """Say whether the cache knows a channel of a guild by this number, threads left out; it may be hidden."""
        found = self.get_channel(number)
        return found is not None and not isinstance(found, discord.Thread | PrivateChannel)

    async def may_view_audit_log(self, guild: int) -> bool:
        """Say whether the bot may view the audit log of a guild, as far as the cache knows."""
        known = self.get_guild(guild)
        return known is not None and known.me is not None and known.me.guild_permissions.view_audit_log

    def dispatch(self, event: str, /, *args: Any, **_: Any) -> None:
        """Hand on what happened, at once: the library would start a task for it, and tasks overtake each other."""
        if self.listener is None:
            return
        if event == "socket_event_type" and args[0] not in self._connection.parsers:
            self._unknown(args[0])
        self.listener.happened(event, args)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for nothing: who connects has waited already."""

    def _get_state(self, **options: Any) -> Any:
        self.http = self._rest
        return super()._get_state(**options)

    def _parse(self, name: str, parse: Callable[[Any], None], data: Any) -> None:
        if self._echoes.has(name, data):
            return
        _run_guarded(self.listener, name, parse, data)
        if name in TOLD and self.listener is not None:
            # what the library cannot read all of has happened all the same
            _run_guarded(self.listener, name, partial(self.listener.told, name), data)

    def _unknown(self, name: object) -> None:
        if len(self._known) < 1000 and str(name) not in self._known:
            self._known.add(str(name))
            log.info("discord_event_unknown", event_name=str(name)[:100])

    def _made(self, socket: DiscordWebSocket) -> None:
        self.sockets[socket.shard_id or 0] = socket


def _place(client: LibraryClient, guild: int) -> EventPosition:
    socket = client.sockets.get(client.shard_of(guild))
    return EventPosition(str(socket.session_id), socket.sequence or 0) if socket is not None else EventPosition("0", 0)


def _run_guarded(listener: GatewayListener | None, name: str, work: Callable[[Any], None], data: Any) -> None:
    """Do something with an event; one that nobody foresaw must not end the connection."""
    try:
        work(data)
    except Exception as error:  # noqa: BLE001 - whatever it is, the next event may be read
        log.warning("discord_event_unreadable", event_name=name, error_type=type(error).__name__)
        if listener is not None:
            listener.unreadable(name, data, error)


def intents_of(*, content: bool) -> discord.Intents:
    """Return what is asked for: guilds and messages; what messages say, only where the portal allows it."""
    intents = discord.Intents.none()
    intents.guilds = intents.guild_messages = intents.dm_messages = True
    # what people think of an answer; of all other reactions nothing is kept
    intents.guild_reactions = intents.dm_reactions = True
    intents.message_content = content
    return intents
