"""SESS-KEY: the conversation begins where no history is: in a thread, or in a new thread each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.evidence import Evidence, SiblingThread
from bot.diagnostics.evidence.evidence_reader import last_request, outcome, place_name, ref
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
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
        verdict=f"{place_name(evidence)}: it begins without history",
        why=(*_why(found), "Each is a conversation of its own here."),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, "request as sent, with no earlier turn") if request else ()),
            *ref(HandleKind.INBOUND, found[0].inbound, f"answered {clock_time(found[0].at)}, in the other one"),
        ),
        advice=_advice(found),
        settle="what did the answer lack?",
    )


def _elsewhere(siblings: Sequence[SiblingThread]) -> tuple[SiblingThread, ...]:
    """Return the parent, or the threads beside this one when they are as short-lived as it is."""
    parents = tuple(one for one in siblings if one.is_parent)
    single = tuple(one for one in siblings if not one.is_parent and one.count == 1)
    return parents or (single if len(single) >= _MIN_SINGLE_THREADS else ())


def _why(found: Sequence[SiblingThread]) -> tuple[str, ...]:
    if found[0].is_parent:
        name = quote_line(one_line_name(found[0].name), 20)
        return ("The same person was answered shortly before", f"in {name}, which this thread lies in.")
    return (f"This is thread {len(found) + 1} for the same person", "within half an hour, with one question each.")


def _advice(found: Sequence[SiblingThread]) -> str:
    where = "where it was said" if found[0].is_parent else "in one thread"
    return f"Go on {where}, or say here what it needs to know; `context` shows what it was told."
