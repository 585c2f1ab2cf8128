"""Stop everything that would cost money once today's cap is reached."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "budget"


def check(facts: GateFacts) -> GateVerdict:
    """Compare today's cost with the cap; 0 means no cap."""
    cap, cost = facts.limits.daily_cost_usd, facts.load.cost_usd
    if not cap:
        return passed(NAME, ("daily_cost_usd", "no cap"))
    compared = (("daily_cost_usd", f"{cap:.2f}"), ("cost_today_usd", f"{cost:.4f}"))
    # an admin's private chat is where the cortex answers, also when the money is spent
    is_free = facts.inbound.place.is_dm and facts.tier >= Authority.ADMIN
    return stopped(NAME, "cost_cap", *compared) if cost >= cap and not is_free else passed(NAME, *compared)
