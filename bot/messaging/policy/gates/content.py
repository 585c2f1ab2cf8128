"""Stop a message in which there is nothing to read: a platform that keeps words back delivers it empty."""

from __future__ import annotations

from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "content"


def check(facts: GateFacts) -> GateVerdict:
    """Look for words and files; neither an answer nor a history can be made of nothing."""
    inbound = facts.inbound
    compared = (("characters", str(len(inbound.text))), ("attachments", str(len(inbound.attachments))))
    if inbound.text.strip() or inbound.attachments:
        return passed(NAME, *compared)
    return stopped(NAME, "empty", *compared, store_text=False)
