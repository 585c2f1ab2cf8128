"""Hand what a platform tells on to whichever process has the channel; nothing is decided here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from bot.config.schema import Config
from bot.domain.heard import HeardInbound, HeardPress, heard_json, read_heard
from bot.domain.ids import ChannelId, first_parts, platform_of
from bot.domain.ledger import StreamCursor
from bot.domain.messages import ButtonPress, Inbound
from bot.errors import StoreError
from bot.messaging.intake.kept_presses import KEPT, Send, do_kept
from bot.ports.platform import Platform, PlatformListener
from bot.ports.relay import Relay, RelayedEvent
from bot.ports.store import Store
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say

log = structlog.get_logger(__name__)

HEARD = "heard"
"""The kind of event that is something heard on a platform."""
MAX_EVENTS = 500
"""How much of what was relayed is handled at once."""
PRESS_SECONDS = 2.5
"""Seconds that whoever presses a button waits for the process in charge; Discord gives an answer three."""


def leased_with(channel: ChannelId, platforms: Mapping[str, Platform]) -> ChannelId:
    """Return by what a process has a channel: alone, or with everything that its platform counts together with it."""
    platform = platforms.get(platform_of(channel))
    return first_parts(channel, platform.capabilities.pace_parts if platform is not None else 0)


def heard_in(event: RelayedEvent, platforms: Mapping[str, Platform]) -> Inbound | None:
    """Return what was heard and is told by an event, as it is read here; None where it tells of nothing heard."""
    if event.kind != HEARD:
        return None
    try:
        heard = read_heard(HeardInbound, event.body)
    except ValueError:
        log.error("relayed_not_read", channel=event.channel, kind=event.kind)
        return None
    return platforms[heard.inbound.adapter].take_up(heard.inbound, heard.handoff)


async def drain(relay: Relay, platforms: Mapping[str, Platform], ears: PlatformListener, send: Send) -> int:
    """Hear what was relayed and never handled, for the one process that has every channel; return how much it was.

    How far a platform was read is beyond it already, so nobody will tell it again. What is of a platform that is not
    configured here waits where it is.
    """
    foreign: list[int] = []
    many = 0
    while found := (await relay.events(None, MAX_EVENTS, foreign)).events:
        own = [one for one in found if platform_of(one.event.channel) in platforms]
        foreign += [one.number for one in found if one not in own]
        heard = [inbound for one in own if (inbound := heard_in(one.event, platforms)) is not None]
        if heard:
            await ears.receive(heard, None)
        for one in own:
            if one.event.kind == KEPT:
                await do_kept(one.event, platforms, ears, send)
        await relay.done([one.number for one in own])
        many += len(own)
    return many


@dataclass(frozen=True, kw_only=True, eq=False)
class ForwardingListener:
    """Implements `bot.ports.platform.PlatformListener` for a process that has no channels."""

    store: Store
    relay: Relay
    platforms: Mapping[str, Platform]
    tasks: TaskSupervisor
    config: Config

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        """Return when the batch and the cursor are stored; raise StoreError when they cannot be."""
        try:
            await self.relay.pass_on([self._event(inbound) for inbound in batch], cursor)
        except StoreError as error:
            # a full disk is waited out; whatever else it is, only a new start can mend it
            if self.store.has_room():
                await self.tasks.report("hearing", error)
            raise

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read, by whichever process."""
        return await self.store.ledger.cursor(adapter, stream)

    async def pressed(self, press: ButtonPress) -> str:
        """Return what the process in charge says, or that it says nothing."""
        heard = HeardPress(press=press, handoff=self.platforms[press.person.platform].handoff(press))
        place = leased_with(heard.channel, self.platforms)
        try:
            answer = await self.relay.ask(place, heard_json(heard), PRESS_SECONDS)
        except StoreError as error:
            await self.tasks.report("press", error)
            answer = None
        return say("processes.press-unanswered") if answer is None else answer

    async def settled(self) -> None:
        """Everything that was heard is stored already."""

    def language(self) -> str:
        """Return the language of what everybody reads."""
        return self.config.bot.language

    def _event(self, inbound: Inbound) -> RelayedEvent:
        handoff = self.platforms[inbound.adapter].handoff(inbound)
        heard = HeardInbound(inbound=inbound, handoff=handoff)
        return RelayedEvent(leased_with(heard.channel, self.platforms), HEARD, heard_json(heard), heard.key)
