"""What was pressed for a process that does not answer: kept until somebody has its channel, done then, and told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import structlog

from bot.domain.heard import HeardPress, read_heard
from bot.domain.ids import ChannelId
from bot.domain.messages import ButtonPress, OutboundAddress
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError
from bot.ports.platform import Platform, PlatformListener
from bot.ports.relay import RelayedEvent

log = structlog.get_logger(__name__)

KEPT = "kept press"
"""The kind of event that is a press which nobody has taken yet."""
Send = Callable[[NewOutbox], Awaitable[object]]


def kept_press(place: ChannelId, body: str) -> RelayedEvent:
    """Return what keeps a press for whoever has a channel next."""
    return RelayedEvent(place, KEPT, body)


async def do_kept(event: RelayedEvent, platforms: Mapping[str, Platform], ears: PlatformListener, send: Send) -> None:
    """Do it as if it was pressed now, and tell who pressed; what a button may do no more, it says itself."""
    try:
        heard = read_heard(HeardPress, event.body)
    except ValueError:
        log.error("relayed_not_read", channel=event.channel, kind=event.kind)
        return
    press = platforms[heard.press.person.platform].take_up(heard.press, heard.handoff)
    await tell_presser(press, await ears.pressed(press), send)


async def tell_presser(press: ButtonPress, text: str, send: Send) -> None:
    """Say where the button is, to whoever pressed it alone, what came of it later."""
    person, where = press.person, press.around or press.channel
    if text:
        to = OutboundAddress(platform=person.platform, channel=where, private_to=person.user_id)
        with suppress(DeliveryError):
            await send(NewOutbox(kind="finding", to=to, text=text))
