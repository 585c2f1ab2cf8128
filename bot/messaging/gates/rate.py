"""Stop what goes beyond the messages a minute that a person or a channel may send to a model, or beyond the queue."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.ledger import GateVerdict
from bot.messaging.gates.facts import Facts, passed, stopped

NAME = "rate"
CROWDED = "rate_waiting"
"""The reason where too much waits in the channel already."""


def check(facts: Facts) -> GateVerdict:
    """Compare the last minute with the limits; 0 means no limit."""
    load, limits = facts.load, facts.limits
    user = (("user_id", facts.inbound.author.user_id), ("user_per_minute", _of(load.user, limits.user_per_minute)))
    channel = ("channel_per_minute", _of(load.channel, limits.channel_per_minute))
    # an admin's private chat is where the cortex answers
    if facts.inbound.place.is_dm and facts.tier >= Authority.ADMIN:
        return passed(NAME, *user, channel)
    if limits.waiting_per_channel and load.waiting >= limits.waiting_per_channel:
        return stopped(NAME, CROWDED, ("waiting_per_channel", _of(load.waiting, limits.waiting_per_channel)))
    if limits.user_per_minute and load.user >= limits.user_per_minute:
        return stopped(NAME, "rate_user", *user)
    if limits.channel_per_minute and load.channel >= limits.channel_per_minute:
        return stopped(NAME, "rate_channel", channel)
    return passed(NAME, *user, channel)


def _of(count: int, limit: int) -> str:
    return f"{count} of {limit}" if limit else f"{count}, no limit"
