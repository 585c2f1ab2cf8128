"""Stop what comes from a server, channel or private chat that is not wanted."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.ledger import GateVerdict
from bot.domain.messages import Inbound
from bot.messaging.policy.agent_routing import spellings
from bot.messaging.policy.gates.facts import GateFacts, entries, passed, stopped

NAME = "place"


def check(facts: GateFacts) -> GateVerdict:
    """Look the place up in the lists: absent means all, empty means none; numbers and texts are the same.

    Commands are looked up like talk, but for those of owners and admins: their authority stands in the same file as
    the lists and wins, so that `!resume` and `!cortex` always work. Their talk is stopped like everybody's.
    """
    if facts.steers:
        return passed(NAME, ("tier", facts.tier.word))
    if facts.settings.is_admitted and not facts.inbound.place.is_dm:
        return passed(NAME, ("channel_id", facts.inbound.channel), ("let_in", "by an owner"))
    return _direct(facts) if facts.inbound.place.is_dm else _guild(facts) or _channel(facts)


def names_of(inbound: Inbound) -> tuple[str, ...]:
    """Return every way to write the channel in a list: its id, its bare path, what it lies in, its parents."""
    return tuple(spellings(inbound.channel, inbound.place))


def _direct(facts: GateFacts) -> GateVerdict:
    compared = (("allow_dms", "on" if facts.platform.allow_dms else "off"), ("author_id", facts.inbound.author.user_id))
    # an admin's private chat is where the cortex answers
    if facts.platform.allow_dms or facts.tier >= Authority.ADMIN or facts.asks_in_private:
        return passed(NAME, *compared)
    return stopped(NAME, "dm_denied", *compared, store_text=False)


def _guild(facts: GateFacts) -> GateVerdict | None:
    listed, guild = facts.platform.allowed_guilds, facts.inbound.place.guild_id
    if listed is None or not guild or any(one.place.guild_id in listed for one in _forms(facts)):
        return None
    compared = (("list", "allowed_guilds"), ("entries", entries(listed)), ("guild_id", guild))
    return stopped(NAME, "guild_denied", *compared, store_text=False)


def _channel(facts: GateFacts) -> GateVerdict:
    allowed, blocked = facts.platform.allowed_channels, facts.platform.blocked_channels
    is_listed = bool(blocked) or allowed is not None
    names = tuple(name for form in _forms(facts) for name in names_of(form)) if is_listed else ()
    looked_at = (
        ("channel_id", facts.inbound.channel),
        ("parents", ", ".join(facts.inbound.place.parents)),
        ("guild_id", facts.inbound.place.guild_id),
        *((("formerly", ", ".join(form.channel for form in facts.former)),) if facts.former else ()),
    )
    hit = next((name for name in names if name in blocked), "")
    if hit:
        found = (("list", "blocked_channels"), ("entries", entries(blocked)), ("matched", hit))
        return stopped(NAME, "channel_denied", *found, *looked_at, store_text=False)
    compared = (("list", "allowed_channels"), ("entries", entries(allowed)))
    if allowed is not None and not any(name in allowed for name in names):
        return stopped(NAME, "channel_denied", *compared, *looked_at, store_text=False)
    return passed(NAME, *compared, *looked_at)


def _forms(facts: GateFacts) -> tuple[Inbound, ...]:
    """Return the message as it came, and as it would have come before its channel got another id."""
    return (facts.inbound, *facts.former)
