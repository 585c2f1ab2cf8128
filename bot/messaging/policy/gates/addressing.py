"""Stop group talk that is not meant for the bot, where it answers only when addressed."""

from __future__ import annotations

from bot.domain.channel import ResponseMode
from bot.domain.ledger import GateVerdict
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "addressing"


def check(facts: GateFacts) -> GateVerdict:
    """Look for a mention, a reply to the bot, or one of its names."""
    inbound = facts.inbound
    compared: tuple[tuple[str, str], ...] = (
        ("mode", "active" if inbound.place.is_dm else facts.settings.mode.value),
        ("mentions_bot", _word(inbound.mentions_bot)),
        ("mentions_others", _word(inbound.mentions_others)),
        ("replies_to", ("the bot" if inbound.replies_to_bot else "somebody else") if inbound.replies_to else "nobody"),
        ("names", ", ".join(facts.names)),
        ("named", _word(facts.is_named)),
    )
    if facts.account_names:
        compared += (("account_names", ", ".join(facts.account_names)), ("called", _word(facts.is_called)))
    if inbound.mentioned:
        compared += (
            ("mentioned", ", ".join(one.words for one in inbound.mentioned)),
            ("own_role", facts.own_role or "none"),
        )
    if facts.piece_of:
        compared += (("goes_on_with", facts.piece_of),)
    if facts.settings.mode is ResponseMode.ACTIVE or facts.is_addressed or facts.piece_of:
        return passed(NAME, *compared)
    return stopped(NAME, "not_addressed", *compared)


def _word(value: bool) -> str:
    return "yes" if value else "no"
