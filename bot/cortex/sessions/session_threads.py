"""Which conversation of an admin with the cortex something belongs to."""

from __future__ import annotations

import asyncio

from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.access import Caller
from bot.domain.finding import NewSession, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.ledger import ArrivalDisposition, StoredInbound
from bot.domain.messages import OutboundAddress
from bot.errors import DeliveryError
from bot.messaging.policy.access import is_home
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.text.text import quote_line

SESSION_IDLE_MS = 30 * 60 * 1000
_MAX_MESSAGES = 20


def session_handle(session: StoredSession) -> str:
    return handle(HandleKind.SESSION, session.id)


def _is_topic(session: StoredSession) -> bool:
    """Say whether a whole channel was made for a session: then everything in it belongs there, for ever."""
    body = session.body
    return not body.dm_thread and not is_home(body.dm_channel, PersonKey(body.platform, body.actor))


class SessionThreads:
    """Opens threads and finds the one that a private message belongs to; everything is in the store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def open(
        self,
        platform: Platform,
        caller: Caller,
        target: TargetChannel,
        title: str,
        aside: OutboundAddress | None = None,
    ) -> StoredSession:
        """Start a private thread; where the admin's direct messages are closed, use `aside` or raise DeliveryError."""
        try:
            address = await platform.open_thread(caller.person, quote_line(title, 90))
        except DeliveryError as error:
            if aside is None or not error.permanent:
                raise
            address = aside
        return await self._keep(address, caller, target, title)

    async def turn_to(self, session: StoredSession, caller: Caller, target: TargetChannel) -> StoredSession:
        """Go on in the same thread about another channel."""
        body = session.body
        address = OutboundAddress(
            platform=body.platform, channel=body.dm_channel, thread=body.dm_thread, private_to=body.actor
        )
        return await self._keep(address, caller, target, body.title)

    async def of_message(self, stored: StoredInbound) -> StoredSession | None:
        """Return the session that a private message goes to, or None: it is for the persona."""
        inbound = stored.inbound
        found = await self._store.sessions.of_thread(inbound.person, inbound.channel, "")
        if found is not None and _is_topic(found):
            return found
        if inbound.replies_to:
            return await self._replied_to(stored)
        if found is None or stored.arrived_at - found.last_at > SESSION_IDLE_MS:
            return None
        return found if await self._spoke_last(found, stored) else None

    async def _keep(self, address: OutboundAddress, caller: Caller, target: TargetChannel, title: str) -> StoredSession:
        return await self._store.sessions.open(
            NewSession(
                platform=caller.person.platform,
                actor=caller.person.user_id,
                actor_name=caller.name,
                agent=target.key.agent,
                target=target.key.channel,
                dm_channel=address.channel,
                dm_thread=address.thread,
                title=title,
                created_at=self._clock.now(),
            )
        )

    async def _replied_to(self, stored: StoredInbound) -> StoredSession | None:
        inbound = stored.inbound
        ours = await self._store.outbox.by_message(stored.key, inbound.replies_to)
        if ours is None or ours.body.kind not in {"finding", "file"}:
            return None
        thread = ours.body.to.thread
        return await self._store.sessions.of_thread(inbound.person, inbound.channel, thread)

    async def _spoke_last(self, session: StoredSession, stored: StoredInbound) -> bool:
        """Say whether nothing of the persona, and no other command's answer, came after the cortex spoke."""
        turns, newer = await asyncio.gather(
            self._store.journal.recent_turns(stored.key, 1),
            self._store.ledger.recent(ChannelKey(stored.agent, stored.inbound.channel), _MAX_MESSAGES),
        )
        if turns and turns[0].started_at > session.last_at:
            return False
        return not any(
            other.id != stored.id
            and other.arrived_at > session.last_at
            and other.disposition is ArrivalDisposition.COMMAND
            for other in newer
        )
