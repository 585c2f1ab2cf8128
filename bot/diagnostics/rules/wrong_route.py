"""ROUTE-WRONG: the answer was addressed to another channel than the one that the message came from."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, place_name, ref
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import OutboxState, StoredOutbox
from bot.text.text import quote_line

_SPOKEN_KINDS = frozenset({"reply", "notice"})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare every chunk's address with every id of the channel; what one person alone sees is addressed to them."""
    row = _astray(evidence)
    if row is None:
        return
    went = "It stands there now." if row.state is OutboxState.SENT else "It is not sent yet."
    yield Finding(
        rule="ROUTE-WRONG",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: answered elsewhere",
        why=(
            f"The answer is addressed to {quote_line(row.body.to.channel, 34)},",
            "not to where it was asked.",
            went,
        ),
        evidence=(*ref(HandleKind.DELIVERY, row.row, "the answer, with its address"), *message_ref(evidence)),
        advice="Look in the other channel; tell the operator, because an answer must never leave its channel.",
        operator_advice=f"This is a fault of the program: report {handle(HandleKind.DELIVERY, row.row)}.",
    )


def _astray(evidence: Evidence) -> StoredOutbox | None:
    found, rows = message(evidence), evidence.turn.outbox if evidence.turn else ()
    if found is None:
        return None
    homes = {*evidence.names, evidence.target.channel, found.inbound.channel}
    strays = (row for row in rows if row.body.kind in _SPOKEN_KINDS and row.body.to.private_to is None)
    return next((row for row in strays if row.body.to.channel not in homes), None)
