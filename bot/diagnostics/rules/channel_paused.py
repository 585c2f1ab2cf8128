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
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import clock_time, minute

_LIMITS = {
    "rate_user": ("user_per_minute", "channel_paused.limit-user-per-minute"),
    "rate_channel": ("channel_per_minute", "channel_paused.limit-channel-per-minute"),
    "rate_commands": ("user_commands_per_minute", "channel_paused.limit-user-commands-per-minute"),
    "rate_channel_commands": ("channel_commands_per_minute", "channel_paused.limit-channel-commands-per-minute"),
    "rate_waiting": ("waiting_per_channel", "channel_paused.limit-waiting-per-channel"),
}
"""The limit behind each reason of the rate gate, and the sentence that tells it."""


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
        verdict=say("channel_paused.is-paused" if pause else "channel_paused.was-paused", place=place_name(evidence)),
        why=(
            *stopped_line(evidence, stop),
            _setter(compared, is_over=pause is None),
            *(() if stop or message(evidence) is None else (say("channel_paused.newest-came-before"),)),
            *_last_answer(evidence),
        ),
        evidence=(
            *_refs(evidence, stop, say("channel_paused.gate-pause")),
            *ref(HandleKind.INBOUND, with_row, say("channel_paused.message-that-paused")),
        ),
        advice=say("channel_paused.say-resume" if pause else "channel_paused.ask-again"),
        fix=ResumeChannel(channel=evidence.target.channel, paused_at=pause.at) if pause else None,
    )


def _setter(compared: dict[str, str], *, is_over: bool) -> str:
    when = minute(_number(compared.get("set_at", "")))
    who = say("people.by-role", role=compared.get("set_by_role", ""))
    if reason := quote_line(compared.get("set_reason", ""), 60):
        told = "channel_paused.paused-for-until" if is_over else "channel_paused.paused-for"
        return say(told, when=when, who=who, words=reason)
    return say("channel_paused.paused-until" if is_over else "channel_paused.paused-by", when=when, who=who)


def _observing(evidence: Evidence, stop: GateStop | None) -> Finding:
    settings = evidence.target.settings
    still = settings.mode is ResponseMode.OBSERVE
    if still and settings.mode_at:
        now = say("channel_paused.observes-since", time=clock_time(settings.mode_at))
    else:
        now = say("channel_paused.observes" if still else "channel_paused.mode-changed")
    return Finding(
        rule="PAUSED",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say(
            "channel_paused.only-listens" if still else "channel_paused.only-listened", place=place_name(evidence)
        ),
        why=(
            *stopped_line(evidence, stop),
            now,
            *(() if stop or message(evidence) is None else (say("channel_paused.newest-came-before"),)),
            *_last_answer(evidence),
        ),
        evidence=_refs(evidence, stop, say("channel_paused.gate-mode")),
        advice=say("channel_paused.say-active") if still else _again(settings),
    )


def _again(settings: ChannelSettings) -> str:
    active = settings.mode is ResponseMode.ACTIVE
    return say("channel_paused.ask-again" if active else "channel_paused.ask-again-addressed")


def _limited(evidence: Evidence, stop: GateStop) -> Finding:
    key, limit = _LIMITS.get(stop.reason, _LIMITS["rate_channel"])
    waits = stop.reason == "rate_waiting"
    return Finding(
        rule="PAUSED",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say("channel_paused.too-many", place=place_name(evidence)),
        why=(*stopped_line(evidence, stop), say(limit, limit=quote_line(stop.compared.get(key, "?"), 24))),
        evidence=_refs(evidence, stop, say("channel_paused.gate-rate")),
        advice=say("channel_paused.wait-for-others" if waits else "channel_paused.wait-a-minute"),
        operator_advice=say("channel_paused.raise-limit", key=key),
    )


def _last_answer(evidence: Evidence) -> tuple[str, ...]:
    last = evidence.last_answer
    if last is None:
        return ()
    delivery = ref(HandleKind.DELIVERY, last.delivery, "")
    if not delivery:
        return (say("channel_paused.last-answer", when=minute(last.at)),)
    return (say("channel_paused.last-answer-sent", when=minute(last.at), handle=delivery[0].handle),)


def _refs(evidence: Evidence, stop: GateStop | None, what: str) -> tuple[EvidenceRef, ...]:
    return (*message_ref(evidence), *(gate_ref(stop, what) if stop else ()))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
