"""Take an admin's question mark on a message for the question why: answered in private, and in the channel nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.config.schema import CortexConfig
from bot.diagnostics.collect.lookup import find_message
from bot.domain.access import Authority
from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import AuthorKind, EventKind, Inbound
from bot.messaging.policy.access import AccessPolicy
from bot.ports.clock import Clock
from bot.ports.cortex import CommandCall, CortexPort
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.runtime.rate_limiter import RateLimiter
from bot.runtime.tasks import TaskSupervisor

_WHY = "why"
_OF_CORTEX = frozenset({"finding", "file"})
"""Kinds of messages by which the cortex answers: a sign on one of those is no new question."""
_TEXT_STYLE = "\ufe0f"


class ReactionQuestions:
    """Hears reactions; whoever may not ask is not answered, and one message is asked about once a minute at most."""

    def __init__(
        self,
        config: CortexConfig,
        store: Store,
        clock: Clock,
        tasks: TaskSupervisor,
        platforms: Mapping[str, Platform],
        access: AccessPolicy,
        cortex: Callable[[], CortexPort],
    ) -> None:
        self._config = config
        self._store = store
        self._tasks = tasks
        self._platforms = platforms
        self._access = access
        self._cortex = cortex
        self._asked = RateLimiter[tuple[PersonKey, ChannelKey, str]](clock, 1)

    def note(self, stored: StoredInbound) -> None:
        """Take an arrival that may be such a question; return at once."""
        inbound = stored.inbound
        if not self._config.why_by_reaction or not self._is_question(inbound):
            return
        if self._asked.take((inbound.person, stored.key, inbound.replies_to)):
            self._tasks.spawn(f"asked {stored.id}", self._ask(stored))

    def _is_question(self, inbound: Inbound) -> bool:
        event, platform = inbound.event, self._platforms.get(inbound.adapter)
        if event is None or event.kind is not EventKind.REACTION or platform is None:
            return False
        added = {one[1:].replace(_TEXT_STYLE, "") for one in event.what.split() if one.startswith("+")}
        by_admin = inbound.author.kind is AuthorKind.PERSON and self._access.tier(inbound.person) >= Authority.ADMIN
        return by_admin and not added.isdisjoint(platform.capabilities.question_signs)

    async def _ask(self, stored: StoredInbound) -> None:
        asked = await self._placed(stored)
        ours = await self._store.outbox.by_message(asked.key, asked.inbound.replies_to)
        if ours is not None and ours.body.kind in _OF_CORTEX:
            return
        caller = self._access.caller(asked.inbound.person, asked.inbound.author.name)
        await self._cortex().command(CommandCall(asked, caller, _WHY))

    async def _placed(self, stored: StoredInbound) -> StoredInbound:
        """Return a question where its message stands: a platform may name the chat and not the topic in it."""
        key, message = stored.key, stored.inbound.replies_to
        if await find_message(self._store, key, message) is not None:
            return stored
        for channel in await self._store.channels.known():
            is_below = channel.agent == key.agent and channel.id.startswith(f"{key.channel}:")
            if is_below and await find_message(self._store, channel.key, message) is not None:
                place = {"channel": channel.id, "channel_name": channel.name, "place": channel.place}
                return stored.replace(inbound=stored.inbound.replace(**place))
        return stored
