"""Stop everything while somebody has paused the channel."""

from __future__ import annotations

from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "pause"


def check(facts: GateFacts) -> GateVerdict:
    """Say who paused it, when and why."""
    pause = facts.settings.pause
    if pause is None:
        return passed(NAME, ("pause", "off"))
    return stopped(
        NAME,
        "paused",
        ("pause", "on"),
        ("set_by", pause.by),
        ("set_by_role", pause.by_role),
        ("set_at", str(pause.at)),
        ("set_with", str(pause.inbound)),
        ("set_reason", pause.reason),
    )
