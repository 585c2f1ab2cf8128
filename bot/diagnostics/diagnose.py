"""Turn evidence into an answer: the first stage with negative evidence wins."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.deliveries import has_arrived
from bot.diagnostics.evidence import Evidence
from bot.diagnostics.hearing import holds_back, is_blind
from bot.diagnostics.progress import checks
from bot.diagnostics.reading import gate_stop, is_own_work, message, place, ref, thing, waited_ms
from bot.diagnostics.rules import ALL
from bot.domain.channel import ResponseMode
from bot.domain.finding import Diagnosis, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.process import ProcessState, StoredProcess
from bot.domain.text import one_line_name, quote_line
from bot.domain.times import age, minute
from bot.domain.turn import MarkKind, OutboxState

_SUBJECT = {
    "newest": "Newest message",
    "newest unanswered": "Newest unanswered message",
    "your newest unanswered": "Your newest unanswered message",
    "newest failed work": "The bot's own work",
    "replied to": "The message replied to,",
}

_ENDED = {
    ProcessState.FAILED: "failed",
    ProcessState.TIMEOUT: "ran out of time",
    ProcessState.CANCELLED: "was stopped",
}
_OF_NOW = frozenset({FunnelStage.ARRIVAL, FunnelStage.GATE})
"""Stages whose findings are about the channel as it is now: a result came in without passing any of them."""


def diagnose(evidence: Evidence) -> Diagnosis:
    """Ask every rule and keep what the first stage with negative evidence says."""
    found = sorted((finding for rule in ALL for finding in rule(evidence)), key=lambda finding: finding.stage)
    winner = found[0] if found else None
    shown = tuple(_titled(evidence, finding) for finding in found if winner and finding.stage is winner.stage)
    about = message(evidence)
    return Diagnosis(
        channel=evidence.target.channel,
        channel_name=one_line_name(evidence.target.name),
        agent=evidence.target.agent,
        at=evidence.now,
        about=handle(HandleKind.INBOUND, about.id) if about else "",
        inbound=about.id if about else 0,
        findings=shown,
        checks=checks(evidence, winner),
        summary=tuple(_summary(evidence, about, winner)),
    )


def _summary(evidence: Evidence, about: StoredInbound | None, winner: Finding | None) -> Iterator[str]:
    if winner is None:
        yield _state(evidence, about) if about else "No message of a person is on record here."
    if winner is None and about is None:
        yield "If somebody wrote, the platform did not deliver it: try `doctor`."
    if evidence.work is not None and (winner is None or winner.stage not in _OF_NOW):
        yield _work(evidence.work)
    yield from _notes(evidence, winner)


def _state(evidence: Evidence, about: StoredInbound) -> str:
    what = _SUBJECT.get(evidence.target.about_why, thing(evidence).capitalize())
    subject = f"{what} {handle(HandleKind.INBOUND, about.id)}"
    at = minute(about.outcome_at)
    match about.outcome:
        case None:
            return f"{subject} {_doing(evidence)}"
        case Outcome.REPLIED:
            return f"{subject} was answered {at}{_delivery(evidence)}"
        case Outcome.GATED | Outcome.STORED_ONLY:
            stop = gate_stop(evidence)
            gate = quote_line(stop.gate if stop else about.outcome_reason, 30)
            return f"{subject} was stopped by gate {gate or 'unknown'}"
        case Outcome.COMMAND:
            return f"{subject} was a command, carried out {at}"
        case Outcome.SUPERSEDED:
            return (
                f"{subject} was replaced: {quote_line(about.outcome_reason, 60) or 'edited or joined with a later one'}"
            )
        case Outcome.UNCERTAIN if has_arrived(evidence):
            return f"{subject} was answered; the answer was sent once more on request{_delivery(evidence)}"
        case Outcome.CANCELLED:
            return f"{subject} was stopped on request {at}"
        case _:
            return f"{subject} ended {at}: {about.outcome.value}"


def _titled(evidence: Evidence, finding: Finding) -> Finding:
    """Say in the verdict that it is no message of a person that failed, unless the channel itself is what is wrong."""
    where = place(evidence)
    if not is_own_work(evidence) or finding.stage in _OF_NOW or not finding.verdict.startswith(where):
        return finding
    return finding.replace(verdict=f"{where}, own work{finding.verdict.removeprefix(where)}")


def _work(work: StoredProcess) -> str:
    name = f"{work.body.kind.value} {work.handle}"
    if work.state is ProcessState.DONE:
        return f"The turn was about what {name} brought back."
    reason = f": {quote_line(work.reason, 60)}" if work.reason else ""
    return f"The turn was about {name}, which {_ENDED.get(work.state, work.state.value)}{reason}."


def _doing(evidence: Evidence) -> str:
    turn, queue = evidence.turn, evidence.queue
    if turn is not None and turn.outbox:
        return "is answered and being sent"
    if turn is not None:
        ran = queue.running_ms if queue.running_turn == turn.turn.id else evidence.now - turn.turn.started_at
        return f"is in progress: turn {handle(HandleKind.TURN, turn.turn.id)}, {age(ran)}"
    behind = f" behind a turn of {age(queue.running_ms)}" if queue.running_ms else ""
    return f"is in progress: waiting {age(waited_ms(evidence))}{behind}"


def _delivery(evidence: Evidence) -> str:
    rows = evidence.turn.outbox if evidence.turn else ()
    sent = next((row for row in reversed(rows) if row.state is OutboxState.SENT), None)
    last = evidence.last_answer
    row = sent.row if sent else last.delivery if last and last.inbound == _about_row(evidence) else 0
    refs = ref(HandleKind.DELIVERY, row, "")
    return f" · {refs[0].handle}" if refs else ""


def _wordless(evidence: Evidence) -> str | None:
    """Say that what was sent is not on record, where that is so: the rules had to do without."""
    kinds = {request.mark.kind for request in evidence.turn.requests if request.mark} if evidence.turn else set()
    holds = evidence.target.settings.unrecorded
    if MarkKind.UNRECORDED in kinds or (holds is not None and not kinds):
        when = f" since {minute(holds.at)}, by {holds.by_role} (id {holds.by})" if holds and holds.at else ""
        return f"Not recorded here{when}: digests and sizes only."
    return "Words of the request were erased on request." if MarkKind.REDACTED in kinds else None


def _about_row(evidence: Evidence) -> int:
    about = message(evidence)
    return about.id if about else 0


def _notes(evidence: Evidence, winner: Finding | None) -> Iterator[str]:
    """Say what is set now and was not what stopped the message."""
    settings = evidence.target.settings
    if winner is None and holds_back(evidence):
        yield "Group privacy is on: plain talk never reaches the bot here; commands and replies to it do."
        yield "→ @BotFather: /setprivacy, Disable, then add it to the group again. Or make it an admin there."
    if winner is None and is_blind(evidence):
        yield "Messages come without their words here: the message content intent is off. Mentions work."
        yield "→ Developer Portal, Bot, Privileged Gateway Intents: Message Content; then restart the bot."
    if (wordless := _wordless(evidence)) is not None:
        yield wordless
    claimed = winner is not None and winner.rule == "PAUSED"
    if settings.pause and not claimed:
        yield f"Paused now, since {minute(settings.pause.at)}."
    if settings.mode is ResponseMode.OBSERVE and not claimed and not evidence.target.place.is_dm:
        yield "It only observes now."
    cooling = [model for model in evidence.models if model.cooling_until > evidence.now]
    if cooling and not (winner and winner.rule == "LLM-AUTH"):
        longest = max(model.cooling_until for model in cooling) - evidence.now
        yield f"A model is cooling down for {age(longest)}."
