"""LOOP-BLOCK: one step held up the whole process, and every channel with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, ref
from bot.diagnostics.evidence.standstill import standstill
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import LoopLag
from bot.sentences import say
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
    seconds = round(sum(lag.ms for lag in lags) / 1000)
    turn = evidence.turn.turn.id if evidence.turn else 0
    yield Finding(
        rule="LOOP-BLOCK",
        stage=FunnelStage.QUEUE,
        confidence=Confidence.CONFIRMED if sure else Confidence.LIKELY,
        verdict=say("loop_blocked.verdict", place=place_name(evidence)),
        why=(
            say("loop_blocked.stood", seconds=seconds, count=len(lags), time=clock_time(lags[-1].at)),
            *_who(longest),
            say("loop_blocked.nobody-answered"),
        ),
        evidence=(*message_ref(evidence), *ref(HandleKind.TURN, turn, say("loop_blocked.turn"))),
        advice=say("loop_blocked.ask-again"),
        operator_advice=say("loop_blocked.switch-off", what=_which(lags) or "none"),
        settle="" if sure else say("loop_blocked.settle"),
    )


def _who(lag: LoopLag) -> Iterator[str]:
    names = _named(lag.what)
    if names:
        yield say("loop_blocked.tool-held" if lag.certain else "loop_blocked.tool-ran", tools=names)
    if lag.stack:
        yield say("loop_blocked.stood-at", where=quote_line(lag.stack[0], 44))
    elif not names:
        yield say("loop_blocked.not-known")


def _which(lags: Sequence[LoopLag]) -> str:
    return _named([name for lag in lags for name in lag.what])


def _named(tools: Sequence[str]) -> str:
    """Name the first two of some tools."""
    names = list(dict.fromkeys(quote_line(name, 24) for name in tools))[:_MAX_NAMED]
    return say("loop_blocked.two", one=names[0], other=names[1]) if len(names) > 1 else "".join(names)
