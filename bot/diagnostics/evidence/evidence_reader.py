"""Read the evidence in the rules' own words: where the message stopped, what failed, what to point at."""

from __future__ import annotations

import re
from enum import StrEnum
from textwrap import wrap
from typing import NamedTuple

from bot.diagnostics.evidence.evidence import Evidence, MessageChoice
from bot.domain.finding import EvidenceRef
from bot.domain.handles import HandleKind, handle
from bot.domain.health import AwaitedModel, ModelHealth, TurnTime, WorkKind
from bot.domain.ledger import (
    ArrivalDisposition,
    FailReason,
    InboundTrail,
    LedgerStage,
    Outcome,
    StageRow,
    StageVerdict,
    StoredInbound,
)
from bot.domain.messages import InboundKind
from bot.domain.turn import AttemptRecord, StoredRequest
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import clock_time

STALLED_MESSAGE_MS = 15_000
"""How long an accepted message may be nowhere before that is a finding; far above debounce and hand-over."""

LATE_MESSAGE_MS = 300_000
"""How late a message must come to be called late."""

_NAME_WIDTH = 18
_CHOICES: dict[str, str] = {
    MessageChoice.NEWEST: "evidence.newest-message",
    MessageChoice.NEWEST_UNANSWERED: "evidence.newest-unanswered",
    MessageChoice.YOUR_NEWEST_UNANSWERED: "evidence.your-newest-unanswered",
    MessageChoice.NEWEST_FAILED_WORK: "evidence.failed-work",
    MessageChoice.REPLIED_TO: "evidence.replied-to",
}
"""What the message is called that was chosen, by how."""
_ROW_KEYS = frozenset({"gate", "reason", "verdicts"})
_WORD = re.compile(r"[A-Za-z0-9_]+")


class GateName(StrEnum):
    """The gates, as the ledger names them."""

    AUTHOR = "author"
    PLACE = "place"
    SENDER = "sender"
    PAUSE = "pause"
    MODE = "mode"
    CONTENT = "content"
    ADDRESSING = "addressing"
    RATE = "rate"
    BUDGET = "budget"
    LOOP = "loop"


class GateStop(NamedTuple):
    """The gate that stopped a message, with the values that it compared then; `row` is its ledger row."""

    gate: str
    reason: str
    compared: dict[str, str]
    row: int
    at: int


class FailedAttempt(NamedTuple):
    """A posting of a request that brought nothing back."""

    request: StoredRequest
    attempt: AttemptRecord


def gate_stop(evidence: Evidence) -> GateStop | None:
    """Return what stopped the message at the gates, if anything did."""
    about = evidence.target.about
    row = _stopped_row(about) if about else None
    if row is None:
        return None
    compared = {name: value for name, value in row.detail if name not in _ROW_KEYS}
    return GateStop(row.reason, dict(row.detail).get("reason", ""), compared, row.id, row.at)


def message(evidence: Evidence) -> StoredInbound | None:
    """Return the message that is asked about."""
    about = evidence.target.about
    return about.inbound if about else None


def is_own_work(evidence: Evidence) -> bool:
    """Say whether what is asked about is a result of the bot's own work, which nobody wrote."""
    found = message(evidence)
    return found is not None and found.inbound.kind is InboundKind.RESULT


def message_word(evidence: Evidence) -> str:
    """Return what to call that which is asked about."""
    return "result" if is_own_work(evidence) else "message"


def outcome(evidence: Evidence) -> Outcome | None:
    """Return how the message ended; None while it is on its way, and when there is none."""
    found = message(evidence)
    return found.outcome if found else None


def is_pending(evidence: Evidence) -> bool:
    """Say whether the message was let in and has no outcome yet."""
    found = message(evidence)
    return found is not None and found.outcome is None


def fail_reason(evidence: Evidence) -> FailReason | None:
    """Return why the message failed, as the ledger's first word says; None when it did not fail."""
    found = message(evidence)
    if found is None or found.outcome is not Outcome.FAILED:
        return None
    word = first_word(found.outcome_reason)
    return FailReason(word) if word in {reason.value for reason in FailReason} else FailReason.INTERNAL


def waited_ms(evidence: Evidence) -> int:
    """Return how long ago the message arrived."""
    found = message(evidence)
    return max(0, evidence.now - found.arrived_at) if found else 0


def came_late(evidence: Evidence) -> bool:
    """Say whether the message was written before this process began, and came in only after."""
    found, alive = message(evidence), evidence.heartbeat
    if found is None or alive is None or not evidence.running:
        return False
    begun = found.inbound.sent_at < alive.started_at <= found.arrived_at
    return begun and found.arrived_at - found.inbound.sent_at > LATE_MESSAGE_MS


def last_request(evidence: Evidence) -> StoredRequest | None:
    """Return the last request of the turn that took the message."""
    turn = evidence.turn
    return turn.requests[-1] if turn and turn.requests else None


def last_failure(evidence: Evidence) -> FailedAttempt | None:
    """Return the last posting of the turn if it brought nothing back."""
    request = last_request(evidence)
    attempt = request.attempts[-1] if request and request.attempts else None
    if request is None or attempt is None or attempt.response is not None or not (attempt.fault or attempt.error):
        return None
    return FailedAttempt(request, attempt)


def cooling_models(evidence: Evidence, work: WorkKind = WorkKind.CONVERSATION) -> list[ModelHealth]:
    """Return the models that are not asked now for a kind of work; answers to people are conversation."""
    return [one for one in evidence.models if one.work is work and one.cooling_until > evidence.now]


def time_of_turn(evidence: Evidence) -> TurnTime | None:
    """Return how long the turn may take that runs in the conversation, as it knows itself; None where none does."""
    running = evidence.queue.running_turn or (evidence.turn.turn.id if evidence.turn else 0)
    return next((one for one in evidence.vitals.turns if one.turn == running), None)


def awaited_model(evidence: Evidence) -> AwaitedModel | None:
    """Return the model that the running turn waits for, while it may still take its time."""
    time = time_of_turn(evidence)
    found = time.awaited if time else None
    return found if found is not None and evidence.now <= found.until else None


def place_name(evidence: Evidence) -> str:
    """Name the channel in a verdict: short, one line, and never by a person's name."""
    if evidence.target.place.is_dm:
        return say("evidence.this-dm")
    return one_line_name(evidence.target.name, _NAME_WIDTH)


def ref(kind: HandleKind, row: int, what: str) -> tuple[EvidenceRef, ...]:
    """Point at a record; nothing when it has no row."""
    return (EvidenceRef(handle=handle(kind, row), what=what),) if row > 0 else ()


def message_ref(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Refer to the message that the evidence is about, if there is one."""
    found = message(evidence)
    if found is None:
        return ()
    arrived = clock_time(found.arrived_at)
    chosen = _CHOICES.get(evidence.target.about_why)
    what = (
        say(chosen, time=arrived) if chosen else say("evidence.the-message", kind=message_word(evidence), time=arrived)
    )
    return ref(HandleKind.INBOUND, found.id, what)


def last_seen_ref(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Point at the last thing that is known to have come from the channel, where nothing comes any more."""
    found = message(evidence)
    if found is not None:
        ended = found.outcome
        what = say("evidence.last-message", outcome=ended.value) if ended else say("evidence.last-message-open")
        return ref(HandleKind.INBOUND, found.id, what)
    came = [trail.inbound for trail in evidence.recent]
    last = next((one for one in came if one.inbound.event is None), came[0] if came else None)
    return ref(HandleKind.INBOUND, last.id, _last_arrival(last)) if last else ()


def _last_arrival(stored: StoredInbound) -> str:
    if stored.inbound.event is not None:
        return say("evidence.last-event")
    is_command = stored.disposition is ArrivalDisposition.COMMAND
    return say("evidence.last-command" if is_command else "evidence.last-arrival")


def gate_ref(stop: GateStop, what: str) -> tuple[EvidenceRef, ...]:
    """Point at the gate's row."""
    return ref(HandleKind.GATE, stop.row, say("evidence.decided-at", what=what, time=clock_time(stop.at)))


def stopped_count(evidence: Evidence, gate: str) -> int:
    """Return how many messages of the channel the gate stopped, as far as the evidence counted."""
    return sum(
        count.count
        for count in evidence.counts
        if count.channel == evidence.target.channel
        and count.reason == gate
        and count.outcome in {Outcome.GATED, Outcome.STORED_ONLY}
    )


def stopped_line(evidence: Evidence, stop: GateStop | None) -> tuple[str, ...]:
    """Say in a line how many messages a gate stopped."""
    if stop is None:
        return ()
    more = stopped_count(evidence, stop.gate) - 1
    about = "newest" if evidence.target.about_why.startswith("newest") else "message"
    return (say("evidence.no-answer", about=about, more=max(more, 0)),)


def quote_service_words(words: str, width: int = 56, most: int = 2) -> tuple[str, ...]:
    """Quote the beginning of what a service said, in a few lines that fit; its record has the rest."""
    # a host without its path is enough, and what a record has whole needs no sign that something is left out
    lines = wrap(one_line_name(words, 4 * width * most).replace("[…]", ""), width, break_on_hyphens=False)
    shown = lines[:most]
    if len(lines) > most:
        shown[-1] = f"{shown[-1][: width - 4].rstrip()} ..."
    return tuple(shown)


def first_word(text: str) -> str:
    """Return the first word of a reason, in small letters: `send` of `send:50013`."""
    found = _WORD.search(text)
    return found[0].lower() if found else ""


def _stopped_row(about: InboundTrail) -> StageRow | None:
    if about.inbound.outcome not in {None, Outcome.GATED, Outcome.STORED_ONLY}:
        return None
    stopped = (row for row in about.stages if row.stage is LedgerStage.GATES and row.verdict is StageVerdict.STOPPED)
    return next(stopped, None)
