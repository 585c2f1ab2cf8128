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
from bot.text.text import quote_line
from bot.text.times import age, clock_time

_RESTART_ADVICE = {
    True: "Ask in other words: this very {what} may be what ends it. Tell the operator.",
    False: "Ask again: the {what} is not taken up a second time.",
}
"""By whether it happened over and over."""
SILENT_MS = 10_000
"""A process that shares channels says every second that it lives; after five any other one may take what it has."""
_TELL_OPERATOR = "Tell the operator: only the host can help."


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for the first part of the machine that does not run."""
    adapter = evidence.adapter
    silent = evidence.elsewhere
    if not evidence.running:
        yield _dead(evidence)
    elif silent is not None and silent.silent_ms > SILENT_MS and is_pending(evidence):
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
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: its process is silent",
        why=(
            f"{quote_line(process.process, 50)} has this channel",
            f"and was last heard from {age(process.silent_ms)} ago.",
        ),
        evidence=message_ref(evidence),
        advice="Wait a moment: another process takes the channel, and answers.",
        operator_advice="Look at that machine. Where no other worker runs, start one: glassmind run --role worker.",
    )


def _dead(evidence: Evidence) -> Finding:
    last = evidence.heartbeat
    if last is None:
        why: tuple[str, ...] = ("This data directory has never", "seen a running bot.")
    else:
        word = "It ended" if last.exit_reason else "It vanished without a word"
        why = (f"{word}; last sign of life", f"{clock_time(last.at)} (process {last.pid}).")
        why += (f"Reason: {last.exit_reason}",) if last.exit_reason else ()
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict="The bot is not running",
        why=why,
        evidence=last_seen_ref(evidence),
        advice=_TELL_OPERATOR,
        operator_advice="Start it: glassmind run. Its log and the service manager say why it ended.",
    )


def _turn(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    turn = evidence.turn
    return ref(HandleKind.TURN, turn.turn.id, f"the turn, {turn.turn.status}") if turn else ()


def _adapter_off(evidence: Evidence) -> Finding:
    platform = platform_of(evidence.target.channel)
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=f"The {platform} adapter is off",
        why=("The configuration has no enabled", f"platform named {platform}."),
        evidence=last_seen_ref(evidence),
        advice=_TELL_OPERATOR,
        operator_advice=f"Set enabled = true under [platforms.{platform}] and start the bot again.",
    )


def _adapter_down(evidence: Evidence, adapter: AdapterHealth) -> Finding:
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=f"The {adapter.name} adapter is {adapter.state}",
        why=(
            f"Since {clock_time(adapter.since)} nothing arrives here.",
            *((adapter.detail,) if adapter.detail else ()),
        ),
        evidence=last_seen_ref(evidence),
        advice=_TELL_OPERATOR,
        operator_advice=adapter.fix or "Look at `glassmind doctor`; it probes the platform.",
    )


def _interrupted(evidence: Evidence) -> Finding:
    started = evidence.heartbeat.started_at if evidence.heartbeat else 0
    again = (f"It runs again since {clock_time(started)}.",) if started else ()
    over_and_over = was_cut_off(evidence)
    what = message_word(evidence)
    how = ("The process ended in every turn that worked on", f"the {what}, so it was given up.")
    return Finding(
        rule="NOT-RUNNING",
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the bot was restarted",
        why=(*(how if over_and_over else ("The process ended while it worked on", f"the {what}.")), *again),
        evidence=(*_turn(evidence), *message_ref(evidence)),
        advice=_RESTART_ADVICE[over_and_over].format(what=what),
        operator_advice="Look why the process ended: exit reason, log, service manager.",
    )
