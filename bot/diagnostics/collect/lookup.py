"""Find what is asked about in the store: channels, those that nobody ever met included, and their messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import ArrivalDisposition, StoredInbound
from bot.domain.messages import InboundKind
from bot.ports.channels import KnownChannel
from bot.ports.ledger import Ledger
from bot.ports.store import Store


async def every_channel(store: Store, agents: Sequence[AgentId], since: int) -> list[KnownChannel]:
    """List the channels that these agents have met, and those from which something arrived since then, in vain."""
    return await met_or_heard(store, agents, await heard_since(store, since))


async def heard_since(store: Store, since: int) -> Iterable[ChannelId]:
    """Name every channel from which something came to its outcome since a time (UTC ms)."""
    return dict.fromkeys(count.channel for count in await store.ledger.counts(None, since))


async def met_or_heard(store: Store, agents: Sequence[AgentId], heard: Iterable[ChannelId]) -> list[KnownChannel]:
    """List the channels that these agents have met, and of those that were heard the others."""
    known = [channel for channel in await store.channels.known() if channel.agent in agents]
    met = {channel.id for channel in known}
    for channel in heard:
        for agent in agents if channel not in met else ():
            if stopped := await known_channel(store.ledger, ChannelKey(agent, channel)):
                known.append(stopped)
    return known


async def known_channel(ledger: Ledger, key: ChannelKey) -> KnownChannel | None:
    """Return a channel as its newest message names it, by its id of now; None when nothing ever arrived from there."""
    newest = await ledger.recent(key, 1)
    if not newest:
        return None
    said = newest[0].inbound
    return KnownChannel(
        agent=key.agent,
        id=newest[0].key.channel,
        name=said.channel_name or said.channel,
        place=said.place,
        last_at=newest[0].arrived_at,
    )


async def find_message(store: Store, key: ChannelKey, message_id: str) -> StoredInbound | None:
    """Find a message by its platform id; one of ours stands for what it answered.

    Of a message that was edited or deleted it is the form whose fate was decided.
    """
    # a platform may tell us of our own message as of any other: its delivery knows what it answered
    ours = await store.outbox.by_message(key, message_id)
    found = await store.ledger.inbound(ours.body.inbound) if ours and ours.body.inbound else None
    if found is None:
        versions = await store.ledger.versions(key, message_id)
        found = next(filter(_was_judged, versions), next(iter(versions), None))
    return found


def _was_judged(form: StoredInbound) -> bool:
    """Say whether a form of a message is one that could be answered: no deletion, and no edit that came too late."""
    is_late_edit = form.disposition is ArrivalDisposition.AMEND and not form.turn
    return form.inbound.kind is not InboundKind.DELETE and not is_late_edit
