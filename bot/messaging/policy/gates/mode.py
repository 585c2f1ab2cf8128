"""Stop everything but private chats in a channel that only observes."""

from __future__ import annotations

from bot.domain.channel import ResponseMode
from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "mode"


def check(facts: GateFacts) -> GateVerdict:
    """Say which mode is set, by whom and when; private chats are always active."""
    settings = facts.settings
    if facts.inbound.place.is_dm:
        return passed(NAME, ("mode", "active"), ("place", "private chat"))
    compared = [("mode", settings.mode.value)]
    if settings.mode_by is not None:
        compared += [("set_by", settings.mode_by), ("set_at", str(settings.mode_at))]
    if settings.mode is ResponseMode.OBSERVE:
        return stopped(NAME, "mode_observe", *compared)
    return passed(NAME, *compared)
