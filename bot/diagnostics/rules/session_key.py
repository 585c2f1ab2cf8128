"""SESS-KEY: the conversation begins where no history is: in a thread, or in a new thread each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.evidence import Evidence, SiblingThread
from bot.diagnostics.evidence.evidence_reader import last_request, outcome, place_name, ref
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.text import one_line_name, quote_line
from bot.text.times import clock_time

_MIN_SINGLE_THREADS = 2
"""Threads beside this one, each with a single question, before it looks like a new one for each."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say where the person was answered shortly before: nothing of it is known here."""
    if evidence.fresh_chat is not None:
        return  # then it begins without history because somebody wanted that
    if outcome(evidence) is not Outcome.REPLIED or not (found := _elsewhere(evidence.siblings)):
        return
    request = last_request(evidence)
    yield Finding(
        rule="SESS-KEY",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=say("session_key.verdict", place=place_name(evidence)),
        why=(*_why(found), say("session_key.own-conversation")),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, say("session_key.request")) if request else ()),
            *ref(
                HandleKind.INBOUND,
                found[0].inbound,
                say("session_key.answered-other", time=clock_time(found[0].at)),
            ),
        ),
        advice=say("session_key.go-on-parent" if found[0].is_parent else "session_key.go-on-thread"),
        settle=say("session_key.settle"),
    )


def _elsewhere(siblings: Sequence[SiblingThread]) -> tuple[SiblingThread, ...]:
    """Return the parent, or the threads beside this one when they are as short-lived as it is."""
    parents = tuple(one for one in siblings if one.is_parent)
    single = tuple(one for one in siblings if not one.is_parent and one.count == 1)
    return parents or (single if len(single) >= _MIN_SINGLE_THREADS else ())


def _why(found: Sequence[SiblingThread]) -> tuple[str, ...]:
    if found[0].is_parent:
        name = quote_line(one_line_name(found[0].name), 20)
        return (say("session_key.answered-before"), say("session_key.answered-in", name=name))
    return (say("session_key.nth-thread", count=len(found) + 1), say("session_key.one-question"))
