"""FLAG-OVERHEARD: the service's filter refused what was said before, and the answer came without that."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message_ref, outcome, place_name, ref
from bot.domain.channel import LeftOutMessage
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
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
    more = f" and {len(names) - _MAX_NAMES:,} more" if len(names) > _MAX_NAMES else ""
    yield Finding(
        rule=RULE,
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: answered without some words",
        why=(
            "The service's filter refused what was",
            "said before, not the message itself.",
            f"Left out of requests: {', '.join(names[:_MAX_NAMES])}{more}.",
        ),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, "request as sent, without them") if request else ()),
            *message_ref(evidence),
        ),
        advice=f"`undo {found[-1].handle}` shows it to models again; left out since {clock_time(found[-1].at)}.",
    )


def _left_out(evidence: Evidence) -> tuple[LeftOutMessage, ...]:
    turn = evidence.turn.turn.id if evidence.turn else 0
    return tuple(one for one in evidence.target.settings.left_out if turn and one.turn == turn)
