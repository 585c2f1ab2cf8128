"""Read how the model said that it will not answer."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, ref
from bot.domain.finding import EvidenceRef
from bot.domain.handles import HandleKind
from bot.sentences import say
from bot.text.figures import decimal

REACTED = "reacted"
"""The category of a turn that ended with a reaction and without words."""


class SkipReason(NamedTuple):
    """The model's own words; `called` is False when it was recognised by other signs than the tool."""

    called: bool
    reason: str
    category: str


class SkipArguments(BaseModel):
    """What the model handed to skip; empty where that cannot be read."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reason: str = ""
    category: str = ""


def read_skip(evidence: Evidence) -> SkipReason:
    """Return the last successful call of skip in the turn, else what the outcome keeps."""
    calls = evidence.turn.calls if evidence.turn else ()
    for call in reversed(calls):
        if call.tool_name == "skip" and call.success:
            arguments = read_arguments(call.raw_arguments_json)
            return SkipReason(True, arguments.reason, arguments.category)
    found = message(evidence)
    category, colon, reason = (found.outcome_reason if found else "").partition(": ")
    return (
        SkipReason(False, reason, category)
        if colon and category.isidentifier()
        else SkipReason(False, category + colon + reason, "")
    )


def turn_ref(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Point at the turn that decided, with its rounds and how long it took."""
    turn = evidence.turn
    if turn is None:
        return ()
    skip, stored = read_skip(evidence), turn.turn
    if skip.called:
        category = skip.category if skip.category.isidentifier() else "none"
        what = say("skip_reason.skipped", category=category, rounds=stored.rounds)
    else:
        what = say("skip_reason.ended", status=stored.status.value, rounds=stored.rounds)
    if stored.ended_at > stored.started_at:
        what = say("skip_reason.took", what=what, seconds=decimal((stored.ended_at - stored.started_at) / 1000, 1))
    return ref(HandleKind.TURN, stored.id, what)


def read_arguments(text: str) -> SkipArguments:
    """Read the arguments of a call of skip."""
    try:
        return SkipArguments.model_validate_json(text)
    except ValidationError:
        return SkipArguments()
