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
from bot.sentences import say


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
        verdict=say("bot_author.verdict-no-person", place=place_name(evidence)),
        why=(say("bot_author.written-by", author=kind.value), say("bot_author.not-answered-here")),
        evidence=(*gate_ref(stop, say("bot_author.record", gate=stop.gate)), *message_ref(evidence)),
        advice=say("bot_author.let-a-person-ask"),
        operator_advice=say("bot_author.allow-bots"),
    )


def _loop(evidence: Evidence, stop: GateStop) -> Finding:
    row, limit = stop.compared.get("bots_in_a_row", "?"), stop.compared.get("loop_guard_messages", "?")
    return Finding(
        rule="BOT-AUTHOR",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say("bot_author.verdict-loop", place=place_name(evidence)),
        why=(say("bot_author.loop"), say("bot_author.loop-count", row=row, limit=limit)),
        evidence=(*gate_ref(stop, say("bot_author.record", gate=stop.gate)), *message_ref(evidence)),
        advice=say("bot_author.let-a-person-write"),
        operator_advice=say("bot_author.raise-limit"),
    )
