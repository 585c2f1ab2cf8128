"""BOT-AUTHOR: the message came from a bot, a webhook or a channel, or the loop guard tripped."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    place_name,
)
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.messages import AuthorKind

_AUTHOR_WORDS = {
    AuthorKind.PERSON: "an author that may not be a person",
    AuthorKind.SELF: "the bot itself",
    AuthorKind.BOT: "another bot",
    AuthorKind.WEBHOOK: "a webhook",
    AuthorKind.CHANNEL_POST: "a channel, not a person",
    AuthorKind.ANONYMOUS_ADMIN: "an anonymous admin",
}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say what wrote the message, or how far the guard had counted."""
    stop = gate_stop(evidence)
    if stop is None:
        return
    if stop.gate == GateName.AUTHOR:
        yield _not_a_person(evidence, stop)
    elif stop.gate == GateName.LOOP:
        yield _loop(evidence, stop)


def _not_a_person(evidence: Evidence, stop: GateStop) -> Finding:
    found = message(evidence)
    kind = found.inbound.author.kind if found else AuthorKind.BOT
    return Finding(
        rule="BOT-AUTHOR",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: not written by a person",
        why=(f"It was written by {_AUTHOR_WORDS[kind]};", "such messages are not answered here."),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice="Let a person ask; the operator can allow bots.",
        operator_advice="To have bots answered that speak to it, set allow_bots = true and restart.",
    )


def _loop(evidence: Evidence, stop: GateStop) -> Finding:
    row, limit = stop.compared.get("bots_in_a_row", "?"), stop.compared.get("loop_guard_messages", "?")
    return Finding(
        rule="BOT-AUTHOR",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the loop guard tripped",
        why=("Bots seemed to answer each other:", f"{row} messages of bots in a row, limit {limit}."),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice="It ends when a person writes. Keep the other bot from answering this one.",
        operator_advice="Raise limits.loop_guard_messages, or set allow_bots = false, and restart.",
    )
