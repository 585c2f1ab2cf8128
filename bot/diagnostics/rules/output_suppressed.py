"""OUT-SUPPRESS: the model wrote more than was sent, because what it sends through `reply` ends its turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    last_request,
    message_ref,
    outcome,
    place_name,
    quote_service_words,
    ref,
)
from bot.domain.finding import Confidence, EvidenceQuote, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.turn import OutboxState, ToolCallRecord, TurnStatus
from bot.sentences import say

_MIN_TEXT_CHARS = 40
"""Characters; what is shorter than this after a message was sent is a word to itself."""
_NOT_SENT = re.compile("Not sent: ")
_BY_PLATFORM = re.compile("the platform")


class UnsentWords(NamedTuple):
    """Words that nobody read, and why they were not sent; no reason: they came after a call of `reply`."""

    text: str
    reason: str = ""


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str = ""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at turns that said something through the tool, and compare what they wrote with what went out."""
    turn, request = evidence.turn, last_request(evidence)
    if outcome(evidence) is not Outcome.REPLIED or turn is None or turn.turn.status is not TurnStatus.REPLIED:
        return
    held = _held(evidence)
    if not held or request is None:
        return
    length = sum(len(one.text) for one in held)
    yield Finding(
        rule="OUT-SUPPRESS",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("output_suppressed.verdict", place=place_name(evidence)),
        why=(
            say("output_suppressed.written", count=length),
            held[0].reason or say("output_suppressed.text-after-reply"),
            say("output_suppressed.has-words", count=len(held[0].text.split())),
        ),
        evidence=(
            *ref(HandleKind.REQUEST, request.id, say("output_suppressed.request")),
            *_sent(evidence),
            *message_ref(evidence),
        ),
        quotes=(EvidenceQuote(handle=handle(HandleKind.REQUEST, request.id), text=held[0].text),)
        if not held[0].reason
        else (),
        advice=say("output_suppressed.ask-for-rest"),
        operator_advice=say("output_suppressed.other-model"),
    )


def _held(evidence: Evidence) -> list[UnsentWords]:
    turn = evidence.turn
    replies = [call for call in turn.calls if call.tool_name == "reply"] if turn else []
    gone = [_text(call) for call in replies if call.success]
    if not gone:
        return []  # the last text is the answer then
    held = [UnsentWords(_text(call), _why(call)) for call in replies if not call.success and _is_ours(call)]
    request = last_request(evidence)
    response = request.response if request else None
    if response is not None and not response.calls:
        held.append(UnsentWords(response.text.strip()))
    return [one for one in held if len(one.text) >= _MIN_TEXT_CHARS and not any(_same(one.text, text) for text in gone)]


def _is_ours(call: ToolCallRecord) -> bool:
    """Say whether the bot held it back; what the platform refused is another rule's."""
    return bool(_NOT_SENT.match(call.result_output)) and not _BY_PLATFORM.search(call.result_output)


def _why(call: ToolCallRecord) -> str:
    return quote_service_words(_NOT_SENT.sub("", call.result_output, count=1), most=1)[0]


def _same(text: str, gone: str) -> bool:
    return text.strip() in gone or (gone.strip() in text and len(text) - len(gone) < _MIN_TEXT_CHARS)


def _text(call: ToolCallRecord) -> str:
    try:
        return _Reply.model_validate_json(call.raw_arguments_json).text
    except ValidationError:
        return ""


def _sent(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    rows = evidence.turn.outbox if evidence.turn else ()
    row = next((row for row in rows if row.state is OutboxState.SENT), None)
    return ref(HandleKind.DELIVERY, row.row, say("output_suppressed.sent")) if row else ()
