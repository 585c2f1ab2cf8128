"""Hear everything that the gateway tells: each thing goes into its channel's lane, and nothing here waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import discord
import structlog
from discord.abc import Messageable

from adapters.discord.base.authors import own_author
from adapters.discord.base.state import SECOND_PROGRAM, DiscordState
from adapters.discord.gateway.guilds import GuildTracker, Parts
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.gateway.thread_starters import ThreadStarters
from adapters.discord.rest import events
from adapters.discord.rest.message import DiscordParseContext, edit_of, read_message
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.second_program import SecondProgramWatch
from bot.domain.messages import Author, Inbound, InboundKind

log = structlog.get_logger(__name__)

_OF_PEOPLE = ("MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "INTERACTION")
QUESTION_SIGNS = ("❓", "❔")
"""Reactions that ask something, so that they are told of other people's messages too."""
Take = Callable[[discord.Interaction], None]


class EventReceiver:
    """Implements `library_client.Listener`, from its making on; `take` gets what people press and type as commands."""

    def __init__(
        self,
        client: LibraryClient,
        state: DiscordState,
        desk: DiscordDeps,
        starters: ThreadStarters,
        parts: Parts,
        take: Take,
    ) -> None:
        self._client = client
        self._starters = starters
        self._state = state
        self._lanes, self._marks, *_ = parts
        self._guilds = guilds = GuildTracker(client, state, parts, self._read)
        self._dms = desk.dms
        self._clock = desk.clock
        self._own = desk.own
        self._handlers: dict[str, Callable[..., None]] = {
            "message": self._message,
            "raw_message_edit": self._edited,
            "raw_message_delete": self._deleted,
            "raw_bulk_message_delete": self._deleted,
            "raw_reaction_add": self._reacted,
            "raw_reaction_remove": self._reacted,
            "socket_event_type": lambda _: state.event(),
            "interaction": take,
            "guild_remove": guilds.removed,
        }
        self._second = SecondProgramWatch(self._own, self._clock, state.note, lambda inbound: self._put([inbound]))
        self._lanes.is_whole = lambda: guilds.are_all_there
        self._lanes.fill = lambda batch: starters.fill(batch, state.my_id)
        client.listener = self

    def happened(self, event: str, args: tuple[Any, ...]) -> None:
        """Take what the library made of something."""
        handler = self._handlers.get(event)
        if handler is not None:
            handler(*args)
        elif event in events.HAPPENINGS:
            guild = getattr(args[-1], "guild", None)
            number = self._client.place_of(guild.id if guild is not None else 0)
            self._put(events.change_events(event, args, number, self._hearing))

    def told(self, name: str, data: dict[str, Any]) -> None:
        """Follow which connections and guilds there are."""
        match name:
            case "READY":
                self._guilds.ready(data)
            case "RESUMED":
                self._state.shards.connected(data["__shard_id__"])
            case "GUILD_CREATE" if data.get("unavailable") is True:
                self._guilds.vanished(int(data["id"]), is_outage=True)
            case "GUILD_CREATE":
                self._guilds.arrived(data)
            case "GUILD_DELETE":
                self._guilds.vanished(int(data["id"]), is_outage=bool(data.get("unavailable")))

    def unreadable(self, name: str, data: object, error: Exception) -> None:
        """Leave a row for what people did."""
        if name.startswith(_OF_PEOPLE):
            self._put([self._unread(events.UnreadEvent(name, data, error))])

    def _message(self, message: discord.Message) -> None:
        if isinstance(message.channel, discord.DMChannel) and message.author.id != self._state.my_id:
            self._dms.learn(message.author.id, message.channel.id)
            self._marks.learn_dm(message.author.id, message.channel.id)
        heard = self._said(message)
        self._put([heard])
        if message.author.id == self._state.my_id and message.webhook_id is None and heard.event is None:
            self._heard_of_own(message, heard)

    def _heard_of_own(self, message: discord.Message, heard: Inbound) -> None:
        """Keep where a message of the bot's account stands, and see whether it was posted from here."""
        is_judged = message.guild is not None or not self._own.shares or not self._own.speaks
        if not self._second.heard(message.id, heard) and is_judged:
            self._own.told(message.id, message.nonce, message.channel.id)

    def _edited(self, payload: discord.RawMessageUpdateEvent) -> None:
        message = payload.message
        self._starters.forget(message.id)
        if message.author.id == self._state.my_id:
            self._changed_own(message)
            return
        if edit_of(message):
            self._put([read_message(message, self._hearing, InboundKind.EDIT)])
        if message.embeds:
            # a link that unfolds changes a message too, and nobody said anything new
            self._put(events.links_unfolded(read_message(message, self._hearing)))

    def _changed_own(self, message: discord.Message) -> None:
        """See whether a message of the bot's account was changed from here."""
        at = edit_of(message)
        if not at or message.webhook_id is not None or (message.guild is None and self._own.shares):
            return
        if self._own.was_changed_elsewhere(message.id, message.content, at):
            self._state.note(SECOND_PROGRAM, self._clock.now())
            self._put([events.changed_elsewhere(read_message(message, self._hearing), self._clock.now(), at)])

    def _deleted(self, payload: discord.RawMessageDeleteEvent | discord.RawBulkMessageDeleteEvent) -> None:
        many = payload.message_ids if isinstance(payload, discord.RawBulkMessageDeleteEvent) else {payload.message_id}
        for number in many:
            self._starters.forget(number)
        guild = self._client.get_guild(payload.guild_id or 0)
        known = guild.get_channel_or_thread(payload.channel_id) if guild is not None else None
        gone = events.deletion_events(sorted(many), payload, self._hearing, known)
        # what the bot takes back itself, it does
        self._put(
            one.replace(author=self._myself) if self._own.was_deleted_here(int(one.message_id)) else one for one in gone
        )

    def _reacted(self, payload: discord.RawReactionActionEvent) -> None:
        """Take what somebody thinks of a message of the bot, or asks about any message.

        Taking a reaction back is told without whose message it is.
        """
        is_ours = payload.message_author_id == self._state.my_id or self._own.was_posted_here(payload.message_id)
        is_question = payload.event_type == "REACTION_ADD" and payload.emoji.name in QUESTION_SIGNS
        if (is_ours or is_question) and payload.user_id != self._state.my_id:
            known = self._client.get_channel(payload.channel_id)
            number = self._client.place_of(payload.guild_id or 0)
            if payload.guild_id is None:
                # another process may have opened the private chat, and nobody else than its person is there
                self._dms.learn(payload.user_id, payload.channel_id)
            self._put([events.reaction_event(payload, number, self._hearing, known)])

    def _read(self, channel: Messageable, raw: dict[str, Any]) -> Inbound:
        """Take a message that was read back."""
        try:
            return self._said(self._client.message(channel, raw))
        except Exception as error:  # noqa: BLE001 - one message that nobody foresaw must not hide the others
            log.warning("discord_message_unreadable", error_type=type(error).__name__)
            guild = getattr(channel, "guild", None)
            found = {**raw, "channel_id": str(getattr(channel, "id", 0)), "guild_id": str(guild.id) if guild else None}
            return self._unread(events.UnreadEvent("message", found, error))

    def _unread(self, unread: events.UnreadEvent) -> Inbound:
        known = None
        with suppress(ValueError, TypeError, AttributeError, KeyError):
            known = self._client.get_channel(int(unread.data["channel_id"]))
        return events.unreadable_event(unread, self._client.place_of(0), self._hearing, known)

    @property
    def _myself(self) -> Author:
        return own_author(self._state.my_id)

    def _said(self, message: discord.Message) -> Inbound:
        return self._starters.seen(message, read_message(message, self._hearing), self._state.my_id)

    @property
    def _hearing(self) -> DiscordParseContext:
        return DiscordParseContext(self._state.my_id, self._dms, self._clock.now(), self._client.user)

    def _put(self, heard: Iterable[Inbound]) -> None:
        for inbound in heard:
            self._lanes.put(inbound)
