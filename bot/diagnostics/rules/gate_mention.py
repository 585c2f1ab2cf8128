"""GATE-MENTION: the message was not addressed to the bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    place_name,
    stopped_count,
)
from bot.domain.channel import ResponseMode
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.messages import Mention
from bot.text.text import quote_line
from bot.text.times import clock_time

_MAX_NAMED = 3
_ASK_AGAIN = "Ask again: it answers every message here now."
_OPERATOR_ADVICE = "Say `active` to the bot in the channel to have all answered; `names` adds what it listens to."


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say in which mode the channel is and what was looked for."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate != GateName.ADDRESSING or edited_since(evidence):
        return
    over = evidence.target.settings.mode is ResponseMode.ACTIVE
    yield Finding(
        rule="GATE-MENTION",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: not addressed to the bot",
        why=(*_looked_for(evidence), *_mode(evidence), *_count(evidence, stop)),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice=_ASK_AGAIN
        if over
        else "Mention the bot or reply to it, or let it answer everything here with `active`.",
        operator_advice="" if over else _OPERATOR_ADVICE,
    )


def _looked_for(evidence: Evidence) -> tuple[str, ...]:
    found = message(evidence)
    mentioned = found.inbound.mentioned if found else ()
    if mentioned:
        named = ", ".join(quote_line(one.words, 60) for one in mentioned[:_MAX_NAMED])
        more = f" and {len(mentioned) - _MAX_NAMED} more" if len(mentioned) > _MAX_NAMED else ""
        return (f"It mentions {named}{more}, not the bot.", *_other_name(mentioned))
    if found and found.inbound.mentions_others:
        return ("It mentions somebody else, not the bot.",)
    if found and found.inbound.replies_to and not found.inbound.replies_to_bot:
        return ("It replies to somebody else.",)
    return ("No mention, reply or name of the bot.",)


def _other_name(mentioned: Sequence[Mention]) -> Iterator[str]:
    """Say how a role that the bot has would be the bot: it is not by itself, for many may have it."""
    if any(one.is_held for one in mentioned):
        yield "A role that the bot has calls the bot only where it bears one of its names."


def _mode(evidence: Evidence) -> tuple[str, ...]:
    settings = evidence.target.settings
    if settings.mode is ResponseMode.ACTIVE:
        return ("The mode has been changed since.",)
    if settings.mode is not ResponseMode.MENTION_ONLY:
        return ()
    since = f" since {clock_time(settings.mode_at)}" if settings.mode_at else ""
    return (f"Mode here is mention-only{since}.",)


def _count(evidence: Evidence, stop: GateStop) -> tuple[str, ...]:
    count = stopped_count(evidence, stop.gate)
    return (f"{count:,} such messages in 24 h.",) if count > 1 else ()
