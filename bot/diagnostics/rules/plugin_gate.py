"""GATE-PLUGIN: a gate that is none of the bot's own stopped the message, and no rule of its plugin speaks for it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message_ref,
    place_name,
    stopped_line,
)
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import PLUGIN
from bot.sentences import say
from bot.text.text import quote_line

RULE = "GATE-PLUGIN"
_MAX_VALUES = 3
_OWN = frozenset(GateName)


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the gate and its plugin, and repeat what it compared."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate in _OWN:
        return
    place, gate = place_name(evidence), quote_line(stop.gate, 32)
    plugin = quote_line(stop.compared.get(PLUGIN, ""), 40)
    name = plugin.rpartition(" ")[0]
    yield Finding(
        rule=RULE,
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say("plugin_gate.verdict", place=place),
        why=(
            say("plugin_gate.by", plugin=plugin, gate=gate) if plugin else say("plugin_gate.by-unknown", gate=gate),
            *stopped_line(evidence, stop),
            *_compared(stop),
        ),
        evidence=(*message_ref(evidence), *gate_ref(stop, say("plugin_gate.record", gate=gate))),
        advice=say("plugin_gate.tell"),
        operator_advice=say("plugin_gate.settings", name=name) if name else say("plugin_gate.gone"),
    )


def _compared(stop: GateStop) -> Iterator[str]:
    if stop.reason:
        yield say("plugin_gate.reason", reason=quote_line(stop.reason, 60))
    values = [(name, value) for name, value in stop.compared.items() if name != PLUGIN]
    for name, value in values[:_MAX_VALUES]:
        yield say("plugin_gate.value", name=quote_line(name, 24), value=quote_line(value, 60))
