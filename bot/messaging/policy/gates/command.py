"""Recognise commands; this gate stops nothing, but what it recognises is not asked any further."""

from __future__ import annotations

from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, passed

NAME = "command"


def check(facts: GateFacts) -> GateVerdict:
    """Stop nothing; only keep on record which command a message is."""
    line = facts.command or facts.nobodys_command
    nobody = (("given_by", facts.inbound.author.kind.value),) if facts.nobodys_command is not None else ()
    return passed(NAME, ("command", line.name if line else "none"), *nobody)
