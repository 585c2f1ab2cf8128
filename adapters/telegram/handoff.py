"""What one process of the bot has to know of what another one heard, so that it can act on it."""

from __future__ import annotations

from pydantic import Field

from adapters.handoffs import AdapterHandoff
from adapters.telegram.places import KnownPlaces, is_business
from adapters.telegram.state import TelegramState
from bot.domain.messages import EventKind, Inbound


class TelegramHandoff(AdapterHandoff):
    """What goes with a message: `names` are the chats of the public names in it."""

    names: dict[str, int] = Field(default_factory=dict)


def take_up(inbound: Inbound, handoff: TelegramHandoff, known: KnownPlaces, state: TelegramState) -> Inbound:
    """Learn what the process that polls knew, and what the message itself tells; return it as it is read here."""
    for name, named in handoff.names.items():
        known.learn_name(name, named)
    state.is_called(inbound.account_names)
    if is_business(inbound.channel):
        state.note_business()
    chat, event = inbound.channel.partition(":")[2], inbound.event
    if event is None or not chat.removeprefix("-").isdecimal():
        return inbound
    if event.moved_to is not None:
        known.moved[int(chat)] = int(event.moved_to.partition(":")[2])
    # what happens to a message of the bot is told without its topic, and who sent it there knows that
    is_reaction = event.kind is EventKind.REACTION and inbound.replies_to.isdecimal()
    topic = known.place_of_sent(int(chat), int(inbound.replies_to)) if is_reaction else None
    return inbound if topic is None else inbound.replace(channel=topic)
