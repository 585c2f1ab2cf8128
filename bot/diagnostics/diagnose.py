"""Turn evidence into an answer: the first stage with negative evidence wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import structlog

from bot.diagnostics.answer_changes import reactions
from bot.diagnostics.evidence.adapter_facts import (
    NO_SUCH_PLACE,
    NOT_MEMBER,
    channel_probe,
    is_blind,
    recent_message_age,
    withholds_talk,
)
from bot.diagnostics.evidence.deliveries import WriteHindrance, has_arrived
from bot.diagnostics.evidence.evidence import Evidence, MessageChoice, MissingEvidence
from bot.diagnostics.evidence.evidence_reader import (
    awaited_model,
    cooling_models,
    gate_stop,
    is_own_work,
    message,
    message_word,
    place_name,
    ref,
    waited_ms,
)
from bot.diagnostics.failure_words import unread_part as could_not
from bot.diagnostics.funnel import checks
from bot.diagnostics.merged_messages import merged_message_lines
from bot.diagnostics.rules import RULES, Rule, overheard_flagged, plugin_gate
from bot.diagnostics.work_trouble import trouble_lines
from bot.domain.channel import ResponseMode
from bot.domain.dialect import PLAIN, Dialect
from bot.domain.finding import Diagnosis, Finding, FunnelStage, UnreadEvidence
from bot.domain.handles import HandleKind, handle
from bot.domain.health import WorkKind
from bot.domain.ledger import LedgerStage, Outcome, StageVerdict, StoredInbound
from bot.domain.process import ProcessState, StoredProcess
from bot.domain.turn import MarkKind, OutboxState
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import quantity
from bot.text.text import one_line_name, quote_line
from bot.text.times import age, clock_time, minute

log = structlog.get_logger(__name__)

T = TypeVar("T")
D = TypeVar("D")

_DOUBTED_HINDRANCES = frozenset({NOT_MEMBER, NO_SUCH_PLACE, WriteHindrance.NO_ACCESS, WriteHindrance.HIDDEN})
"""What a platform says of a channel from which nothing can come."""
_COOLING_RULES = frozenset({"LLM-AUTH", "BREAKER"})
"""Rules that say themselves how long a model is left alone."""
_TOLD_BY_RULES = frozenset(
    {"TOOL-MISSING", "FALSE-SUCCESS", "SKIP-REFUSED", "LOOP-BLOCK", "OUT-SUPPRESS", "OUT-SWALLOW"}
)
"""Rules that name the call that failed, or took so long."""
_ADVICE = ("advice", "operator_advice")
_CURRENT_STAGES = frozenset({FunnelStage.ARRIVAL, FunnelStage.GATE})
"""Stages whose findings are about the channel as it is now: a result came in without passing any of them."""


def diagnose(evidence: Evidence, added: Sequence[Rule] = ()) -> Diagnosis:
    """Ask every rule and keep what the first stage with negative evidence says; raises nothing.

    A rule that would rest on what could not be read says nothing, and neither does one that breaks. `added` are the
    rules of plugins.
    """
    unread = list(evidence.unread)
    found = sorted(_findings(evidence, unread, added), key=lambda finding: finding.stage)
    if any(one.stage is FunnelStage.GATE and one.rule != plugin_gate.RULE for one in found):
        # somebody who knows the gate speaks for it
        found = [one for one in found if one.rule != plugin_gate.RULE]
    winner = found[0] if found else None
    shown = tuple(
        _dated(evidence, _titled(evidence, finding)) for finding in found if winner and finding.stage is winner.stage
    )
    beside = tuple(finding for finding in found if not any(finding is one for one in found[:1]))
    about = _look(lambda: message(evidence), None, unread)
    return Diagnosis(
        channel=evidence.target.channel,
        channel_name=one_line_name(evidence.target.name),
        agent=evidence.target.agent,
        at=evidence.now,
        about=handle(HandleKind.INBOUND, about.id) if about else "",
        inbound=about.id if about else 0,
        findings=shown,
        beside=beside,
        checks=_look(lambda: checks(evidence, winner), (), unread),
        summary=tuple(_summary(evidence, about, winner, unread)),
        unread=tuple(dict.fromkeys(unread)),
    )


def _findings(evidence: Evidence, unread: list[UnreadEvidence], added: Sequence[Rule]) -> Iterator[Finding]:
    for rule in (*RULES, *added):
        try:
            # what it found before it came upon something missing stands
            yield from rule(evidence)
        except MissingEvidence:
            continue
        except Exception as error:
            name = rule.__module__.rpartition(".")[2]
            log.error("rule_failed", rule=name, error_type=type(error).__name__, exc_info=error)
            unread.append(could_not(say("diagnose.one-check"), error))


def _look(looking: Callable[[], T], default: D, unread: list[UnreadEvidence]) -> T | D:
    """Return what can be seen; `default` where that rests on something missing, or breaks."""
    try:
        return looking()
    except MissingEvidence:
        return default
    except Exception as error:
        log.error("diagnosis_failed", error_type=type(error).__name__, exc_info=error)
        unread.append(could_not(say("diagnose.own-part"), error))
        return default


def _summary(
    evidence: Evidence, about: StoredInbound | None, winner: Finding | None, unread: list[UnreadEvidence]
) -> Iterator[str]:
    parts = (
        _heads,
        _awaits,
        _gathered,
        _work_lines,
        _trouble,
        _put_right,
        _searched,
        _left_out,
        _doubted,
        _privacy,
        _blindness,
        _recorded,
        _toolless,
        _too_many,
        _reactions,
        _pause,
        _mode,
        _cooling,
    )
    for part in parts:
        yield from _look(lambda part=part: tuple(part(evidence, about, winner)), (), unread)  # type: ignore[misc]


def _heads(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if winner is not None:
        return
    # looked at, because it may be missing: then nobody knows whether there is a message
    nothing = evidence.target.about is None
    yield _state(evidence, about) if about else say("diagnose.no-message")
    if nothing:
        yield say("diagnose.not-delivered")


def _gathered(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say which messages were one turn, where that is what somebody may wonder about."""
    trail = evidence.target.about
    if winner is None and trail is not None:
        yield from merged_message_lines(trail.stages)


def _awaits(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say for which model a turn waits, since when, and until when."""
    found = awaited_model(evidence) if winner is None and about is not None and about.outcome is None else None
    if found is None:
        return
    since = age(evidence.now - found.since)
    yield say("diagnose.asked-at", model=quote_line(found.model, 40), time=clock_time(found.since), age=since)
    if found.loads:
        yield say("diagnose.may-load")
    yield say("diagnose.waits-until", time=clock_time(found.until))


def _work_lines(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if evidence.work is not None and (winner is None or winner.stage not in _CURRENT_STAGES):
        yield _work(evidence.work)


def _trouble(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Tell of calls and work that hang or failed, unless they are what the finding itself is about."""
    if winner is None or winner.rule not in _TOLD_BY_RULES:
        yield from trouble_lines(evidence)


def _state(evidence: Evidence, about: StoredInbound) -> str:
    which = evidence.target.about_why
    named = which if which and which != MessageChoice.ASKED_ABOUT else message_word(evidence)
    subject = say("diagnose.subject", which=named, handle=handle(HandleKind.INBOUND, about.id))
    at = minute(about.outcome_at)
    match about.outcome:
        case None:
            return _doing(evidence, subject)
        case Outcome.REPLIED:
            sent = _delivery(evidence)
            if not sent:
                return say("diagnose.answered", subject=subject, time=at)
            return say("diagnose.answered-as", subject=subject, time=at, handle=sent)
        case Outcome.GATED | Outcome.STORED_ONLY:
            stop = gate_stop(evidence)
            gate = quote_line(stop.gate if stop else about.outcome_reason, 30)
            return say("diagnose.gated", subject=subject, gate=gate or "unknown")
        case Outcome.COMMAND:
            return say("diagnose.was-command", subject=subject, time=at)
        case Outcome.SUPERSEDED:
            reason = quote_line(about.outcome_reason, 60) or "none"
            return say("diagnose.superseded", subject=subject, reason=reason)
        case Outcome.UNCERTAIN if has_arrived(evidence):
            sent = _delivery(evidence)
            if not sent:
                return say("diagnose.sent-once-more", subject=subject)
            return say("diagnose.sent-once-more-as", subject=subject, handle=sent)
        case Outcome.CANCELLED:
            return say("diagnose.cancelled", subject=subject, time=at)
        case _:
            return say("diagnose.ended", subject=subject, time=at, outcome=about.outcome.value)


def _titled(evidence: Evidence, finding: Finding) -> Finding:
    """Say in the verdict that it is no message of a person that failed, unless the channel itself is what is wrong."""
    try:
        where = place_name(evidence)
        if not is_own_work(evidence) or finding.stage in _CURRENT_STAGES or not finding.verdict.startswith(where):
            return finding
    except MissingEvidence:
        return finding
    verdict = say("diagnose.own-work", place=where, rest=finding.verdict.removeprefix(where))
    return finding.replace(verdict=verdict)


def _dated(evidence: Evidence, finding: Finding) -> Finding:
    """Say of what is over that it is over, from when to when, and what was answered since."""
    try:
        past, where = evidence.past, place_name(evidence)
    except MissingEvidence:
        return finding
    if past is None or finding.stage in _CURRENT_STAGES:
        return finding
    rest = finding.verdict.removeprefix(where)
    if rest != finding.verdict:
        verdict = say("diagnose.over-now", place=where, rest=rest)
    else:
        verdict = say("diagnose.over-now-whole", verdict=finding.verdict)
    begun = "same" if past.begun_at == past.ended_at else clock_time(past.begun_at)
    line = say("diagnose.was-so", begun=begun, ended=clock_time(past.ended_at), answered=past.answered)
    again = {name: say("diagnose.if-again", what=what) for name in _ADVICE if (what := getattr(finding, name))}
    return finding.replace(verdict=verdict, why=(line, *finding.why), **again)


def _work(work: StoredProcess) -> str:
    kind, name = work.body.kind.value, work.handle
    if work.state is ProcessState.DONE:
        return say("diagnose.work-done", kind=kind, handle=name)
    reason = quote_line(work.reason, 60) or "none"
    return say("diagnose.work-ended", kind=kind, handle=name, state=work.state.value, reason=reason)


def _doing(evidence: Evidence, subject: str) -> str:
    turn, queue = evidence.turn, evidence.queue
    if turn is not None and turn.outbox:
        return say("diagnose.being-sent", subject=subject)
    if turn is not None:
        ran = queue.running_ms if queue.running_turn == turn.turn.id else evidence.now - turn.turn.started_at
        return say("diagnose.in-progress", subject=subject, turn=handle(HandleKind.TURN, turn.turn.id), age=age(ran))
    waited = age(waited_ms(evidence))
    if not queue.running_ms:
        return say("diagnose.waiting", subject=subject, age=waited)
    return say("diagnose.waiting-behind", subject=subject, age=waited, running=age(queue.running_ms))


def _delivery(evidence: Evidence) -> str:
    rows = evidence.turn.outbox if evidence.turn else ()
    sent = next((row for row in reversed(rows) if row.state is OutboxState.SENT), None)
    last = evidence.last_answer
    row = sent.row if sent else last.delivery if last and last.inbound == _about_row(evidence) else 0
    refs = ref(HandleKind.DELIVERY, row, "")
    return refs[0].handle if refs else ""


def _wordless(evidence: Evidence) -> str | None:
    """Say that what was sent is not on record, where that is so: the rules had to do without."""
    kinds = {request.mark.kind for request in evidence.turn.requests if request.mark} if evidence.turn else set()
    holds = evidence.target.settings.unrecorded
    if MarkKind.UNRECORDED in kinds or (holds is not None and not kinds):
        if not holds or not holds.at:
            return say("diagnose.not-recorded")
        return say("diagnose.not-recorded-since", time=minute(holds.at), role=holds.by_role, id=str(holds.by))
    return say("diagnose.erased") if MarkKind.REDACTED in kinds else None


def _about_row(evidence: Evidence) -> int:
    about = message(evidence)
    return about.id if about else 0


def _dropped(evidence: Evidence) -> int:
    """Count the tool calls of the turn that were neither kept nor run, because one answer held too many."""
    about = evidence.target.about
    rows = (
        [row for row in about.stages if row.stage is LedgerStage.TOOL and row.verdict is StageVerdict.STOPPED]
        if about
        else []
    )
    return sum(int(value) for row in rows for name, value in row.detail if name == "dropped" and value.isdecimal())


def _toolless(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    requests = evidence.turn.requests if evidence.turn else ()
    dialect = Dialect.of_encoder(requests[-1].record.encoder) if requests else PLAIN
    if not dialect.takes_tools:
        model = quote_line(str(requests[-1].record.request.model), 30)
        yield say("diagnose.told-in-words" if dialect.writes_tools else "diagnose.no-tools", model=model)


def _too_many(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if dropped := _dropped(evidence):
        yield say("diagnose.too-many-calls", count=dropped)


def _reactions(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say what people think of the answer."""
    if found := reactions(evidence):
        shown = ", ".join(
            f"{quote_line(what, 30)} × {count}" if count > 1 else quote_line(what, 30) for what, count in found[:5]
        )
        yield say("diagnose.reacted", reactions=shown)


def _put_right(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say what had to be put right before the answer could be read, a line for each."""
    requests = evidence.turn.requests if winner is None and evidence.turn is not None else ()
    for repair in dict.fromkeys(r for one in requests if one.response is not None for r in one.response.repairs):
        yield render("cortex/repairs", repairs=[one_line_name(repair, 40)])


def _searched(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say what it took to find what the service's filter refuses."""
    requests = evidence.turn.requests if evidence.turn is not None else ()
    tries = [attempt for one in requests for attempt in one.attempts if attempt.searches]
    if tries:
        tokens = sum(attempt.response.usage.input or 0 for attempt in tries if attempt.response is not None)
        yield say("diagnose.searched", count=len(tries), tokens=quantity(tokens) if tokens else "none")


def _left_out(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Name what no model is shown, because the service's filter refused it."""
    left_out = evidence.target.settings.left_out
    if left_out and not (winner is not None and winner.rule == overheard_flagged.RULE):
        words = list(dict.fromkeys(one.words for one in left_out))
        names, more = ", ".join(words[-3:]), max(len(words) - 3, 0)
        yield say("diagnose.left-out", names=names, more=more, time=minute(left_out[-1].at))
        yield say("diagnose.undo-left-out", handle=left_out[-1].handle)


def _recorded(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if (wordless := _wordless(evidence)) is not None:
        yield wordless


def _doubted(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say that the platform says one thing now and showed another just before; what came weighs more."""
    told, heard = channel_probe(evidence), recent_message_age(evidence)
    if (
        winner is None
        and told is not None
        and told.code in _DOUBTED_HINDRANCES
        and heard
        and evidence.adapter is not None
    ):
        yield say("diagnose.platform-says", words=quote_line(told.evidence, 90))
        yield say("diagnose.but-a-message", age=age(heard))


def _privacy(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if winner is None and withholds_talk(evidence):
        yield say("diagnose.privacy")
        yield say("diagnose.privacy-fix")


def _blindness(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if winner is None and is_blind(evidence):
        yield say("diagnose.blind")
        yield say("diagnose.blind-fix")


def _pause(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    """Say what is set now and was not what stopped the message."""
    settings = evidence.target.settings
    if settings.pause and not _is_pause(winner):
        yield say("diagnose.paused-since", time=minute(settings.pause.at))


def _mode(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    settings = evidence.target.settings
    if settings.mode is ResponseMode.OBSERVE and not _is_pause(winner) and not evidence.target.place.is_dm:
        yield say("diagnose.observes")


def _is_pause(winner: Finding | None) -> bool:
    return winner is not None and winner.rule == "PAUSED"


def _cooling(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    cooling = cooling_models(evidence)
    if cooling and not (winner and winner.rule in _COOLING_RULES):
        longest = max(model.cooling_until for model in cooling) - evidence.now
        yield say("diagnose.cooling", age=age(longest))
    if behind := cooling_models(evidence, WorkKind.BACKGROUND):
        longest = max(model.cooling_until for model in behind) - evidence.now
        yield say("diagnose.cooling-background", age=age(longest))
