"""ROUTE-WRONG: the answer was addressed to another channel than the one that the message came from."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, place_name, ref
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import OutboxState, StoredOutbox
from bot.sentences import say
from bot.text.text import quote_line

_SPOKEN_KINDS = frozenset({"reply", "notice"})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare every chunk's address with every id of the channel; what one person alone sees is addressed to them."""
    row = _astray(evidence)
    if row is None:
        return
    sent = row.state is OutboxState.SENT
    yield Finding(
        rule="ROUTE-WRONG",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("wrong_route.verdict", place=place_name(evidence)),
        why=(
            say("wrong_route.addressed-to", channel=quote_line(row.body.to.channel, 34)),
            say("wrong_route.not-here"),
            say("wrong_route.there-now" if sent else "wrong_route.not-sent-yet"),
        ),
        evidence=(*ref(HandleKind.DELIVERY, row.row, say("wrong_route.answer")), *message_ref(evidence)),
        advice=say("wrong_route.look-there"),
        operator_advice=say("wrong_route.report", handle=handle(HandleKind.DELIVERY, row.row)),
    )


def _astray(evidence: Evidence) -> StoredOutbox | None:
    found, rows = message(evidence), evidence.turn.outbox if evidence.turn else ()
    if found is None:
        return None
    homes = {*evidence.names, evidence.target.channel, found.inbound.channel}
    strays = (row for row in rows if row.body.kind in _SPOKEN_KINDS and row.body.to.private_to is None)
    return next((row for row in strays if row.body.to.channel not in homes), None)
