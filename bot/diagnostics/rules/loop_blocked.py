"""LOOP-BLOCK: one step held up the whole process, and every channel with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, ref
from bot.diagnostics.evidence.standstill import standstill
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import LoopLag
from bot.text.text import quote_line
from bot.text.times import clock_time

_MAX_NAMED = 2


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say how long, how often, and which tool did not let go."""
    lags = standstill(evidence)
    if not lags:
        return
    longest = max(lags, key=lambda lag: lag.ms)
    sure = longest.certain
    times = "once" if len(lags) == 1 else f"{len(lags):,} times"
    turn = evidence.turn.turn.id if evidence.turn else 0
    yield Finding(
        rule="LOOP-BLOCK",
        stage=FunnelStage.QUEUE,
        confidence=Confidence.CONFIRMED if sure else Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: everything stood still",
        why=(
            f"For {round(sum(lag.ms for lag in lags) / 1000):,} s, {times}; last until {clock_time(lags[-1].at)}.",
            *_who(longest),
            "No channel was answered in that time, nor `stop` heard.",
        ),
        evidence=(*message_ref(evidence), *ref(HandleKind.TURN, turn, "the turn")),
        advice="Ask again; if it stays so, tell the operator which tool it is.",
        operator_advice=f"Switch off {_which(lags)}, or have it wait in a thread; the log says event_loop_blocked.",
        settle="" if sure else "the log has the tool and the time of each event_loop_blocked.",
    )


def _who(lag: LoopLag) -> Iterator[str]:
    names = [quote_line(name, 24) for name in lag.what[:_MAX_NAMED]]
    if names:
        yield f"Tool {' and '.join(names)} {'did not let go' if lag.certain else 'ran meanwhile'}."
    if lag.stack:
        yield f"It stood at {quote_line(lag.stack[0], 44)}."
    elif not names:
        yield "At what it stood is not known."


def _which(lags: Sequence[LoopLag]) -> str:
    named = list(dict.fromkeys(quote_line(name, 24) for lag in lags for name in lag.what))
    return " and ".join(named[:_MAX_NAMED]) or "what was changed last"
