"""Write what a person reads first: the rules' answer on one phone screen, and what a branch found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from bot.diagnostics.funnel import SEEN, step_name
from bot.domain.access import Authority
from bot.domain.finding import (
    Confidence,
    Diagnosis,
    EvidenceRef,
    Finding,
    ForgetMemory,
    FunnelCheck,
    FunnelStage,
    ResumeChannel,
)
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN
from bot.prompts import render
from bot.sentences import say
from bot.text.links import defang
from bot.text.text import count_invisible, excerpt, fence, one_line_name, quote_line, visible
from bot.text.times import plain_times

MAX_LINES = 15
MAX_CHARACTERS = 900
MAX_BUTTONS = 4
MAX_CLAIM_CHARS = 600
_MAX_LINE_CHARS = 120
_MAX_FACT_CHARS = 200
_MAX_BODY_LINES = 6
"""Lines for why, advice and evidence together; head, headings, blank lines and checks take the other nine."""
_MAX_EVIDENCE = 3
_MAX_UNREAD = 3
_MAX_QUOTES = 2
_MAX_QUOTE_CHARS = 300
_DOUBTFUL_STATES = frozenset({"not_reached", "not_checkable"})


class ReportPress(Enum):
    """What a press on a button below the first message asks for."""

    SHOW = auto()
    FORGET = auto()
    RESUME = auto()
    PROVE = auto()
    EVIDENCE = auto()
    ASK = auto()
    CHECKS = auto()


class ReportButton(NamedTuple):
    """A button below the first message: what a press asks for, and what it says."""

    press: ReportPress
    label: str


class _Body(NamedTuple):
    why: tuple[str, ...]
    advice: tuple[str, ...]
    evidence: tuple[EvidenceRef, ...]
    below: tuple[str, ...] = ()


def silence_message(diagnosis: Diagnosis, session: str, ways: Sequence[tuple[str, ...]]) -> str:
    """Write the first message where suspects of a silence are known: they stand in the place of advice and evidence.

    `ways` tell of them, the longest first; the longest for which there is room is taken, and how to try them, if there
    is room for that as well: the buttons below say it too, where there are any.
    """
    step = render("cortex/suspects_step", on=handle(HandleKind.INBOUND, diagnosis.inbound)).strip()
    for way in ways:
        for below in ((*way[1:], step), way[1:]):
            text = "\n".join(_lines(diagnosis, session, _Body(way[:1], (), (), below)))
            if text.count("\n") < MAX_LINES and _length(text) <= MAX_CHARACTERS:
                return text
    return text


def first_message(diagnosis: Diagnosis, session: str, viewer: Authority, *, has_buttons: bool = True) -> str:
    """Write the first message: at most 15 lines and 900 characters; an owner reads what an operator can do."""
    body = _body(diagnosis, viewer, has_buttons=has_buttons)
    text = "\n".join(_lines(diagnosis, session, body))
    # what could not be looked at is said in any case: without it the rest would promise too much
    while _length(text) > MAX_CHARACTERS and (body.evidence or len(body.why) > 1):
        shorter = body.evidence[:-1] if body.evidence else ()
        body = body._replace(evidence=shorter, why=body.why if body.evidence else body.why[:-1])
        text = "\n".join(_lines(diagnosis, session, body))
    if _length(text) <= MAX_CHARACTERS:
        return text
    # a time that would be cut in two is written out
    return plain_times(text)[: MAX_CHARACTERS - 1].rstrip() + "…"


def report_buttons(diagnosis: Diagnosis, price: str = "") -> tuple[ReportButton, ...]:
    """Name a few buttons by their effect, `price` included; `…` where a preview follows."""
    winner = diagnosis.findings[0] if diagnosis.findings else None
    found: list[ReportButton] = []
    match winner.fix if winner else None:
        case ForgetMemory(memory=row):
            name = handle(HandleKind.MEMORY, row)
            found.append(ReportButton(ReportPress.SHOW, say("report.show", handle=name)))
            found.append(ReportButton(ReportPress.FORGET, say("report.forget", handle=name)))
        case ResumeChannel():
            place = one_line_name(diagnosis.channel_name, 20)
            found.append(ReportButton(ReportPress.RESUME, say("report.resume", place=place)))
    proves = winner is not None and winner.stage is FunnelStage.DECISION and diagnosis.inbound > 0
    found += [ReportButton(ReportPress.PROVE, say("report.prove"))] if proves else []
    found += [ReportButton(ReportPress.EVIDENCE, say("report.open-evidence"))] if winner and winner.evidence else []
    ask = say("report.ask-for", price=price) if price else say("report.ask")
    found += [ReportButton(ReportPress.ASK, ask), ReportButton(ReportPress.CHECKS, say("report.open-checks"))]
    return tuple(found[: MAX_BUTTONS + proves])


def findings_text(findings: Sequence[Finding]) -> str:
    """Write what a branch found: a model's words fenced and said to be such, records quoted as they are."""
    return "\n\n".join(_finding(number, finding) for number, finding in enumerate(findings, 1))


def sureness(confidence: Confidence) -> str:
    """Say how sure a finding is."""
    return say("report.sure", confidence=confidence.value.replace(" ", "-"))


def _length(text: str) -> int:
    """Count the characters that a reader sees."""
    return len(plain_times(text))


def _lines(diagnosis: Diagnosis, session: str, body: _Body) -> Iterator[str]:
    yield _verdict(diagnosis)
    yield _certainty(diagnosis, session)
    yield ""
    for number, line in enumerate((*body.why, *body.advice)):
        shown = excerpt(line, _MAX_LINE_CHARS)
        yield say("report.why", line=shown) if number == 0 and diagnosis.findings else shown
    yield from body.below
    if body.evidence:
        yield ""
        yield say("report.evidence")
        yield from (f"{ref.handle} {excerpt(ref.what, _MAX_LINE_CHARS)}" for ref in body.evidence)
    yield ""
    yield from _checks(diagnosis)
    yield from _unread(diagnosis)


def _unread(diagnosis: Diagnosis) -> Iterator[str]:
    """Say what could not be looked at, why, and what to do: the first in full, the others by name."""
    if not diagnosis.unread:
        return
    first, *more = diagnosis.unread
    yield excerpt(say("report.unread", what=first.what, why=first.why), _MAX_LINE_CHARS)
    if first.fix:
        yield f"  → {excerpt(first.fix, _MAX_LINE_CHARS)}"
    if more:
        named = ", ".join(one.what for one in more[:_MAX_UNREAD])
        if (left := len(more) - _MAX_UNREAD) > 0:
            line = say("report.unread-others-more", names=named, more=left)
        else:
            line = say("report.unread-others", names=named)
        yield excerpt(line, _MAX_LINE_CHARS)


def _verdict(diagnosis: Diagnosis) -> str:
    if diagnosis.findings:
        winner = diagnosis.findings[0]
        return f"{'✗' if winner.confidence is Confidence.CONFIRMED else '?'} {excerpt(winner.verdict, 60)}"
    if diagnosis.unread:
        # from what nobody could look at nothing follows, least of all that all is well
        return say("report.could-not-look", place=excerpt(defang(one_line_name(diagnosis.channel_name)), 24))
    unknown = any(check.name == "arrival" and check.state == "not_checkable" for check in diagnosis.checks)
    # what is under way may still fail, and what never arrives leaves no trace
    doubtful = any(check.state in _DOUBTFUL_STATES and check.name != SEEN for check in diagnosis.checks)
    place = quote_line(one_line_name(diagnosis.channel_name), 24)
    if unknown:
        return say("report.no-message", place=place)
    return say("report.found-nothing" if doubtful else "report.all-is-well", place=place)


def _certainty(diagnosis: Diagnosis, session: str) -> str:
    sure = f"{sureness(diagnosis.findings[0].confidence)} · " if diagnosis.findings else ""
    agent = "main" if diagnosis.agent == MAIN else diagnosis.agent
    return sure + say("report.rules-only", agent=agent, session=session)


def _body(diagnosis: Diagnosis, viewer: Authority, *, has_buttons: bool) -> _Body:
    """Share the lines out: a button speaks for a fix, so its advice needs none; every answer keeps one record."""
    also = _also(diagnosis)
    room = _MAX_BODY_LINES - min(len(list(_unread(diagnosis))), 2) - len(also)
    if not diagnosis.findings:
        return _Body(diagnosis.summary[:room], (), ())
    winner = diagnosis.findings[0]
    advice = () if winner.fix and has_buttons else _advice(winner, viewer)
    why = (*winner.why, *diagnosis.summary)
    least = 1 if winner.evidence else 0
    records = min(len(winner.evidence), _MAX_EVIDENCE, max(least, room - len(advice) - len(why)))
    if len(why) + len(advice) + records < room and winner.confidence is not Confidence.CONFIRMED and winner.settle:
        why = (*why, say("report.to-be-sure", step=winner.settle))
    return _Body((*why[: max(1, room - len(advice) - records)], *also), advice, winner.evidence[:records])


def _also(diagnosis: Diagnosis) -> tuple[str, ...]:
    """Name the other causes that were found, in the order in which they stand in the way."""
    causes = dict.fromkeys(finding.verdict.partition(": ")[2] or finding.verdict for finding in diagnosis.beside)
    return (render("cortex/also_wrong", what="; ".join(causes)).strip(),) if causes else ()


def _advice(winner: Finding, viewer: Authority) -> tuple[str, ...]:
    words = winner.operator_advice if viewer is Authority.OWNER and winner.operator_advice else winner.advice
    return (f"→ {words}",) if words else ()


def _checks(diagnosis: Diagnosis) -> Iterator[str]:
    by_state = {
        state: [check for check in diagnosis.checks if check.state == state]
        for state in ("passed", "failed", "not_reached", "not_checkable")
    }
    if by_state["passed"]:
        yield f"✓ {', '.join(_passed(by_state['passed'], diagnosis.checks))}"
    missed = ", ".join(_missed(by_state["not_reached"]))
    failed = ", ".join(_named(check) for check in by_state["failed"])
    if failed:
        failed_before = say("report.failed-before", checks=failed, missed=missed)
        yield failed_before if missed else say("report.failed", checks=failed)
    elif missed:
        yield say("report.not-reached", missed=missed)
    unknown = [_named(check) for check in by_state["not_checkable"]]
    if any(check.stage is FunnelStage.DECISION for check in by_state["failed"]):
        unknown.append(say("report.inside-the-provider"))
    yield say("report.not-checkable", checks=", ".join(unknown)) if unknown else say("report.all-checkable")


def _passed(passed: Sequence[FunnelCheck], every: Sequence[FunnelCheck]) -> Iterator[str]:
    gates = [check for check in passed if check.stage is FunnelStage.GATE]
    whole = len(gates) > 1 and len(gates) == sum(check.stage is FunnelStage.GATE for check in every)
    for check in passed:
        if not whole or check.stage is not FunnelStage.GATE:
            yield _named(check) if check.name in {"adapter", "pause", "mode"} else step_name(check.name)
        elif check is gates[0]:
            set_now = [gate.detail for gate in gates if gate.detail]
            yield say("report.all-gates-set", settings=", ".join(set_now)) if set_now else say("report.all-gates")


def _missed(missed: Sequence[FunnelCheck]) -> Iterator[str]:
    """Name what was not reached, shortly: the gates behind the one that stopped it, and the model, as one each."""
    names = [check.name for check in missed]
    gates = [check.name for check in missed if check.stage is FunnelStage.GATE]
    model = {"request", "decision"} <= set(names)
    for name in names:
        if name in gates[1:] or (model and name == "decision"):
            continue
        if name in gates:
            whole = "arrival" in names or name == "author"
            yield step_name(name) if len(gates) == 1 else say("report.gates" if whole else "report.later-gates")
        else:
            yield say("report.model") if model and name == "request" else step_name(name)


def _named(check: FunnelCheck) -> str:
    name = step_name(check.name)
    return f"{name} ({quote_line(check.detail, 40)})" if check.detail else name


def _finding(number: int, finding: Finding) -> str:
    names = ", ".join(ref.handle for ref in finding.evidence)
    head = f"{number}. {sureness(finding.confidence)}" + (f" · {names}" if names else "")
    hidden = count_invisible(finding.verdict)
    said = say("report.by-model-hidden", hidden=hidden) if hidden else say("report.by-model")
    lines = [head, said, fence(_cut(defang(finding.verdict), MAX_CLAIM_CHARS))]
    lines += [
        f"{ref.handle} {excerpt(ref.what, _MAX_FACT_CHARS)}" for ref in finding.evidence[:_MAX_EVIDENCE] if ref.what
    ]
    for quote in finding.quotes[:_MAX_QUOTES]:
        lines += [say("report.as-kept", handle=quote.handle), fence(_cut(visible(quote.text), _MAX_QUOTE_CHARS))]
    return "\n".join(lines)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
