"""FLAG-OVERHEARD: the service's filter refused what was said before, and the answer came without that."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message_ref, outcome, place_name, ref
from bot.domain.channel import LeftOutMessage
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.times import clock_time

RULE = "FLAG-OVERHEARD"
_MAX_NAMES = 2


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name what the turn of this message left out; what was left out before is told beside other things."""
    found = _left_out(evidence)
    if not found or outcome(evidence) is not Outcome.REPLIED:
        return
    request = last_request(evidence)
    names = list(dict.fromkeys(one.words for one in found))
    yield Finding(
        rule=RULE,
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=say("overheard_flagged.verdict", place=place_name(evidence)),
        why=(
            say("overheard_flagged.filter-refused"),
            say("overheard_flagged.filter-refused-more"),
            say(
                "overheard_flagged.left-out",
                names=", ".join(names[:_MAX_NAMES]),
                more=max(len(names) - _MAX_NAMES, 0),
            ),
        ),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, say("overheard_flagged.request")) if request else ()),
            *message_ref(evidence),
        ),
        advice=say("overheard_flagged.undo", handle=found[-1].handle, time=clock_time(found[-1].at)),
    )


def _left_out(evidence: Evidence) -> tuple[LeftOutMessage, ...]:
    turn = evidence.turn.turn.id if evidence.turn else 0
    return tuple(one for one in evidence.target.settings.left_out if turn and one.turn == turn)
