"""Stop people who opted out, are blocked, or are not on the list."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, entries, passed, stopped

NAME = "sender"
OPTED_OUT = "opted_out"


def check(facts: GateFacts) -> GateVerdict:
    """Look the sender's numeric id up: absent means everybody, empty means nobody.

    Who opted out may still use commands, for one of them takes that back. Owners and admins may, whatever the lists
    say: their authority stands in the same file and wins.
    """
    platform, user = facts.platform, facts.inbound.author.user_id
    if facts.steers:
        return passed(NAME, ("user_id", user), ("tier", facts.tier.word))
    if facts.opted_out and facts.command is None:
        return stopped(NAME, OPTED_OUT, ("user_id", user), store_text=False)
    if user in facts.settings.admitted:
        return passed(NAME, ("user_id", user), ("let_in", "by an owner, in this channel"))
    if user in platform.blocked_users:
        compared = (("list", "blocked_users"), ("entries", entries(platform.blocked_users)), ("user_id", user))
        return stopped(NAME, "user_denied", *compared, store_text=False)
    compared = (("list", "allowed_users"), ("entries", entries(platform.allowed_users)), ("user_id", user))
    listed = platform.allowed_users is None or user in platform.allowed_users
    # an admin's private chat is where the cortex answers
    if listed or facts.asks_in_private or (facts.inbound.place.is_dm and facts.tier >= Authority.ADMIN):
        return passed(NAME, *compared)
    return stopped(NAME, "user_denied", *compared, store_text=False)
