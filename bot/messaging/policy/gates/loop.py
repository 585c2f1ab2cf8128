"""Stop two bots from talking to each other for ever."""

from __future__ import annotations

from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.author import is_automatic
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "loop"


def check(facts: GateFacts) -> GateVerdict:
    """Count the bots' messages since a person last spoke here; 0 means no limit, and people always pass."""
    limit, row = facts.limits.loop_guard_messages, facts.load.bots_in_a_row
    compared = (("bots_in_a_row", str(row)), ("loop_guard_messages", str(limit)))
    if is_automatic(facts.inbound) and limit and row >= limit:
        return stopped(NAME, "loop_guard", *compared)
    return passed(NAME, *compared)
