"""PAUSED: somebody or something told the bot to be silent: pause, observe mode, its own rate limit."""

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
    outcome,
    place_name,
    ref,
    stopped_line,
)
from bot.domain.channel import ChannelSettings, ResponseMode
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage, ResumeChannel
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.text.text import quote_line
from bot.text.times import clock_time, minute

_WAIT_A_MINUTE = "Wait a minute and ask again."
_LIMITS = {
    "rate_user": ("user_per_minute", "a minute for the sender", _WAIT_A_MINUTE),
    "rate_channel": ("channel_per_minute", "a minute for the channel", _WAIT_A_MINUTE),
    "rate_commands": ("user_commands_per_minute", "commands a minute for the sender", _WAIT_A_MINUTE),
    "rate_channel_commands": ("channel_commands_per_minute", "commands a minute for the channel", _WAIT_A_MINUTE),
    "rate_waiting": ("waiting_per_channel", "waited in the channel", "Ask again when those before it are answered."),
}
"""The limit behind each reason of the rate gate, what it counts, and what to do."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at the gate that stopped the message; without one, at what is set now."""
    stop = gate_stop(evidence)
    if stop is None:
        yield from _set_now(evidence)
    elif stop.gate == GateName.PAUSE:
        yield _paused(evidence, stop)
    elif stop.gate == GateName.MODE:
        yield _observing(evidence, stop)
    elif stop.gate == GateName.RATE:
        yield _limited(evidence, stop)


def _set_now(evidence: Evidence) -> Iterator[Finding]:
    """A channel that answered its newest message and was silenced after it is silent all the same."""
    if message(evidence) is not None and outcome(evidence) not in {Outcome.REPLIED, Outcome.COMMAND}:
        return
    if evidence.target.settings.pause is not None:
        yield _paused(evidence, None)
    elif evidence.target.settings.mode is ResponseMode.OBSERVE and not evidence.target.place.is_dm:
        yield _observing(evidence, None)


def _paused(evidence: Evidence, stop: GateStop | None) -> Finding:
    pause = evidence.target.settings.pause
    compared = {"set_by_role": pause.by_role, "set_at": str(pause.at), "set_reason": pause.reason} if pause else {}
    with_row = pause.inbound if pause else 0
    if stop is not None and not pause:
        compared, with_row = stop.compared, _number(stop.compared.get("set_with", ""))
    return Finding(
        rule="PAUSED",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)} is paused" if pause else f"{place_name(evidence)} was paused",
        why=(
            *stopped_line(evidence, stop),
            _setter(compared, "no end set" if pause else "lifted since"),
            *(() if stop or message(evidence) is None else ("The newest message came before that.",)),
            *_last_answer(evidence),
        ),
        evidence=(
            *_refs(evidence, stop, "gate pause = on"),
            *ref(HandleKind.INBOUND, with_row, "the message that paused it"),
        ),
        advice="Say `resume` to the bot in the channel." if pause else "Ask again: it answers now.",
        fix=ResumeChannel(channel=evidence.target.channel, paused_at=pause.at) if pause else None,
    )


def _setter(compared: dict[str, str], end: str) -> str:
    reason = quote_line(compared.get("set_reason", ""), 60)
    role = compared.get("set_by_role", "") or "somebody"
    article = "" if role == "somebody" else "an " if role[:1] in "aeio" else "a "
    at = _number(compared.get("set_at", ""))
    return f"Set {minute(at)} by {article}{role} · {f'reason: {reason}' if reason else 'no reason'} · {end}."


def _observing(evidence: Evidence, stop: GateStop | None) -> Finding:
    settings = evidence.target.settings
    still = settings.mode is ResponseMode.OBSERVE
    since = f" since {clock_time(settings.mode_at)}" if still and settings.mode_at else ""
    now = f"Mode observe is set{since}." if still else "The mode has been changed since."
    return Finding(
        rule="PAUSED",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)} only observes" if still else f"{place_name(evidence)} only observed then",
        why=(
            *stopped_line(evidence, stop),
            now,
            *(() if stop or message(evidence) is None else ("The newest message came before that.",)),
            *_last_answer(evidence),
        ),
        evidence=_refs(evidence, stop, "gate mode = observe"),
        advice="Say `active` or `mention-only` to the bot in the channel." if still else _again(settings),
    )


def _again(settings: ChannelSettings) -> str:
    if settings.mode is ResponseMode.ACTIVE:
        return "Ask again: it answers now."
    return "Ask again: it answers now who speaks to it."


def _limited(evidence: Evidence, stop: GateStop) -> Finding:
    key, unit, wait = _LIMITS.get(stop.reason, _LIMITS["rate_channel"])
    return Finding(
        rule="PAUSED",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: too many messages",
        why=(*stopped_line(evidence, stop), f"{quote_line(stop.compared.get(key, '?'), 24)} {unit}."),
        evidence=_refs(evidence, stop, "gate rate"),
        advice=wait,
        operator_advice=f"If that is too little, raise limits.{key} and restart.",
    )


def _last_answer(evidence: Evidence) -> tuple[str, ...]:
    last = evidence.last_answer
    if last is None:
        return ()
    delivery = ref(HandleKind.DELIVERY, last.delivery, "")
    return (f"Last answer {minute(last.at)}" + (f" · {delivery[0].handle}" if delivery else ""),)


def _refs(evidence: Evidence, stop: GateStop | None, what: str) -> tuple[EvidenceRef, ...]:
    return (*message_ref(evidence), *(gate_ref(stop, what) if stop else ()))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
