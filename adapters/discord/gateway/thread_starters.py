"""Know what threads began with: those words stand in the channel above, where the bot may never have heard them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import discord
import structlog
from discord.errors import HTTPException

from adapters.discord.base.references import thread_beginning
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.rest.client import Failure, RestClient
from bot.domain.ids import ChannelId
from bot.domain.messages import AuthorKind, Inbound, InboundKind, MessageReference, ReferenceKind
from bot.errors import name_of
from bot.runtime.lru_cache import LRUCache

log = structlog.get_logger(__name__)

_MAX_KNOWN_THREADS = 500
_ASK_SECONDS = 5.0
"""Nobody waits longer for an answer because of what stands above the question."""
_POSTS = frozenset({discord.ChannelType.forum, discord.ChannelType.media})
"""Channels whose threads begin with a message of their own."""


class _WantedStarter(NamedTuple):
    """What is to be asked for: the message that a thread began with, and where it stands."""

    thread: discord.Thread
    channel: int


class ThreadStarters:
    """What threads began with, as far as it was told or asked for.

    Discord tells it once, when the thread is opened. Of an older thread it is asked for when somebody calls the bot.
    """

    def __init__(self, client: LibraryClient, rest: RestClient) -> None:
        self._client = client
        self._rest = rest
        self._known: LRUCache[int, MessageReference | None] = LRUCache(_MAX_KNOWN_THREADS)
        self._told: LRUCache[int, None] = LRUCache(_MAX_KNOWN_THREADS)
        self._wanted: LRUCache[ChannelId, _WantedStarter] = LRUCache(_MAX_KNOWN_THREADS)

    def seen(self, message: discord.Message, inbound: Inbound, me: int) -> Inbound:
        """Learn from a message of a thread; return it with what the thread began with, where that is known and needed.

        It is needed by the first that anybody says there, and by whoever calls the bot.
        """
        thread = message.channel
        if not isinstance(thread, discord.Thread):
            return inbound
        if message.type is discord.MessageType.thread_starter_message:
            resolved = message.reference.resolved if message.reference is not None else None
            if isinstance(resolved, discord.Message):
                self._learn(thread.id, thread_beginning(resolved, me))
            return inbound
        if inbound.kind is not InboundKind.MESSAGE or inbound.author.kind is not AuthorKind.PERSON:
            return inbound
        if message.id == thread.id:
            # a post of a forum begins with this very message
            self._learn(thread.id, None)
        elif thread.id in self._known:
            return self._with(inbound, thread.id)
        elif _calls(inbound) and (where := _starter_channel(thread)):
            self._wanted.put(inbound.channel, _WantedStarter(thread, where))
        return inbound

    def forget(self, message: int) -> None:
        """Drop the words of a message that was changed or deleted; they are asked for again."""
        self._known.drop(message)

    async def fill(self, batch: Sequence[Inbound], me: int) -> Sequence[Inbound]:
        """Return messages of one channel with what its thread began with, where somebody calls the bot; never raise."""
        wanted = self._wanted.get(batch[0].channel) if self._wanted and batch else None
        if wanted is None or not any(map(_calls, batch)):
            return batch
        if wanted.thread.id not in self._known:
            await self._ask(wanted, me)
        if self._known.get(wanted.thread.id) is None:
            return batch
        return [self._with(one, wanted.thread.id) if _calls(one) else one for one in batch]

    async def _ask(self, wanted: _WantedStarter, me: int) -> None:
        number = wanted.thread.id
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                path = "/channels/{channel_id}/messages/{message_id}"
                raw = await self._rest.call("GET", path, channel_id=wanted.channel, message_id=number)
            # whether in a forum or not, it is read as a message of the thread
            self._learn(number, thread_beginning(self._client.message(wanted.thread, raw), me))
        except HTTPException as error:
            log.info("discord_thread_began_unseen", thread=number, status=error.status, code=error.code)
            if 400 <= error.status < 500 and error.status != 429:
                self._learn(number, None)
        except (*Failure, TimeoutError) as error:
            log.info("discord_thread_began_unseen", thread=number, error=name_of(error))
        except Exception as error:  # noqa: BLE001 - the question is answered without it
            log.warning("discord_thread_began_unreadable", thread=number, error_type=type(error).__name__)
            self._learn(number, None)

    def _with(self, inbound: Inbound, thread: int) -> Inbound:
        known = self._known.get(thread)
        if known is None or any(one.kind is ReferenceKind.THREAD for one in inbound.refers):
            return inbound
        if thread in self._told and not _calls(inbound):
            return inbound
        self._told.put(thread, None)
        return inbound.replace(refers=(known, *inbound.refers))

    def _learn(self, thread: int, reference: MessageReference | None) -> None:
        self._known.put(thread, reference)


def _calls(inbound: Inbound) -> bool:
    return inbound.kind is InboundKind.MESSAGE and (inbound.mentions_bot or inbound.replies_to_bot)


def _starter_channel(thread: discord.Thread) -> int:
    """Return the channel in which the message stands that a thread began with; 0 where the bot may not read it.

    Refusals count, and too many of them cost the bot its access.
    """
    parent = thread.parent
    if parent is None or thread.type is discord.ChannelType.private_thread:
        return 0
    if parent.guild.me is not None:
        permissions = parent.permissions_for(parent.guild.me)
        if not permissions.view_channel or not permissions.read_message_history:
            return 0
    return thread.id if parent.type in _POSTS else parent.id
