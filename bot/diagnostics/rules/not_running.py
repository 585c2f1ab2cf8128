"""NOT-RUNNING: the process is dead, was restarted over the message, or its adapter is off or down."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import adapter_fault
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    is_pending,
    last_seen_ref,
    message_ref,
    message_word,
    outcome,
    place_name,
    ref,
)
from bot.diagnostics.evidence.failures import was_cut_off
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import AdapterHealth, AdapterState, ChannelProcess
from bot.domain.ids import platform_of
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age, clock_time

SILENT_MS = 10_000
"""A process that shares channels says every second that it lives; after five any other one may take what it has."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for the first part of the machine that does not run."""
    adapter = evidence.adapter
    silent = evidence.elsewhere
    if not evidence.running:
        yield _dead(evidence)
    elif silent is not None and silent.silent_ms > SILENT_MS and (silent.waiting or is_pending(evidence)):
        yield _silent(evidence, silent)
    elif not evidence.adapter_enabled:
        yield _adapter_off(evidence)
    elif adapter_fault(evidence):
        return  # the adapter knows why: see `connection`
    elif adapter and adapter.state in {AdapterState.DOWN, AdapterState.DISABLED}:
        yield _adapter_down(evidence, adapter)
    elif outcome(evidence) is Outcome.INTERRUPTED or was_cut_off(evidence):
        yield _interrupted(evidence)


def _silent(evidence: Evidence, process: ChannelProcess) -> Finding:
    waits = (say("not_running.waits", count=process.waiting),) if process.waiting else ()
    if process.process:
        verdict = say("not_running.verdict-silent", place=place_name(evidence))
        who = say("not_running.has-the-channel", process=quote_line(process.process, 50))
        why = (who, say("not_running.last-heard", span=age(process.silent_ms)), *waits)
    else:
        verdict = say("not_running.verdict-untaken", place=place_name(evidence))
        why = (*waits, say("not_running.waits-since", span=age(process.silent_ms)))
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=verdict,
        why=why,
        evidence=message_ref(evidence),
        advice=say("not_running.wait-for-another"),
        operator_advice=say("not_running.look-at-that-machine"),
    )


def _dead(evidence: Evidence) -> Finding:
    last = evidence.heartbeat
    if last is None:
        why: tuple[str, ...] = (say("not_running.never-ran"),)
    else:
        why = (
            say("not_running.ended" if last.exit_reason else "not_running.vanished"),
            say("not_running.last-sign", time=clock_time(last.at), pid=str(last.pid)),
        )
        why += (say("not_running.reason", words=last.exit_reason),) if last.exit_reason else ()
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=say("not_running.verdict-dead"),
        why=why,
        evidence=last_seen_ref(evidence),
        advice=say("not_running.tell-operator"),
        operator_advice=say("not_running.start-it"),
    )


def _turn(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    turn = evidence.turn
    return ref(HandleKind.TURN, turn.turn.id, say("not_running.turn", status=turn.turn.status.value)) if turn else ()


def _adapter_off(evidence: Evidence) -> Finding:
    platform = platform_of(evidence.target.channel)
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=say("not_running.verdict-off", platform=platform.capitalize()),
        why=(say("not_running.not-enabled", key=platform),),
        evidence=last_seen_ref(evidence),
        advice=say("not_running.tell-operator"),
        operator_advice=say("not_running.enable-it", key=platform),
    )


def _adapter_down(evidence: Evidence, adapter: AdapterHealth) -> Finding:
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=say("not_running.verdict-down", platform=adapter.name.capitalize(), state=adapter.state.value),
        why=(
            say("not_running.nothing-since", time=clock_time(adapter.since)),
            *((adapter.detail,) if adapter.detail else ()),
        ),
        evidence=last_seen_ref(evidence),
        advice=say("not_running.tell-operator"),
        operator_advice=adapter.fix or say("not_running.run-doctor"),
    )


def _interrupted(evidence: Evidence) -> Finding:
    started = evidence.heartbeat.started_at if evidence.heartbeat else 0
    again = (say("not_running.runs-again", time=clock_time(started)),) if started else ()
    over_and_over, what = was_cut_off(evidence), message_word(evidence)
    if over_and_over:
        how: tuple[str, ...] = (say("not_running.stopped-each-time", what=what), say("not_running.gave-up"))
    else:
        how = (say("not_running.stopped-at-it", what=what),)
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=say("not_running.verdict-restarted", place=place_name(evidence)),
        why=(*how, *again),
        evidence=(*_turn(evidence), *message_ref(evidence)),
        advice=say("not_running.ask-otherwise" if over_and_over else "not_running.ask-again", what=what),
        operator_advice=say("not_running.why-it-ended"),
    )
