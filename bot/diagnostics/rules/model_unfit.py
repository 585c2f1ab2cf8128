"""MODEL-TOOLS, IMG-POISON and FLAGGED: the model does not take what was sent to it, and its service says what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_failure, message_ref, place_name, quote_service_words, ref
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.messages import ImagePart, Message
from bot.domain.turn import StoredRequest
from bot.sentences import say
from bot.text.text import quote_line

_STATUS_PREFIX = re.compile(r"^HTTP \d{3}: |^error inside the answer: ")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say what was sent, in which words it was refused, and where a picture came from."""
    failure, cause = last_failure(evidence), cause_of_failure(evidence)
    if failure is None:
        return
    if cause is FailureCause.TOOLS:
        yield _no_tools(evidence, failure.request, failure.attempt.error)
    elif cause is FailureCause.IMAGE:
        yield _picture(evidence, failure.request, failure.attempt.error)
    elif cause is FailureCause.FLAGGED:
        yield _flagged(evidence, failure.request, failure.attempt.error)


def _no_tools(evidence: Evidence, request: StoredRequest, words: str) -> Finding:
    sent = request.record.request
    return Finding(
        rule="MODEL-TOOLS",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=say("model_unfit.no-tools", place=place_name(evidence)),
        why=(
            say("model_unfit.refused-tools", model=quote_line(str(sent.model), 30), count=len(sent.tools)),
            *quote_service_words(words),
        ),
        evidence=(*_request(request), *message_ref(evidence)),
        advice=say("model_unfit.needs-tools"),
        operator_advice=say("model_unfit.no-tools-fix"),
    )


def _picture(evidence: Evidence, request: StoredRequest, words: str) -> Finding:
    sent, own = request.record.request, set(evidence.turn.turn.inbounds if evidence.turn else ())
    carriers = [message for message in sent.messages if message.images]
    new = [message for message in carriers if message.inbound in own]
    old = [message for message in carriers if message.inbound not in own]
    suspects = new or old
    return Finding(
        rule="IMG-POISON",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if len(_images(suspects)) == 1 and not (new and old) else Confidence.LIKELY,
        verdict=say("model_unfit.picture", place=place_name(evidence)),
        why=(_where(new, old), _sizes(suspects), *quote_service_words(words)),
        evidence=(*_request(request), *_carrier(suspects, own), *message_ref(evidence))[:3],
        advice=say("model_unfit.send-smaller" if new else "model_unfit.say-new"),
        operator_advice=say("model_unfit.lower-image" if new else "model_unfit.new-or-blind"),
        settle=say("model_unfit.settle"),
    )


def _flagged(evidence: Evidence, request: StoredRequest, words: str) -> Finding:
    sent, own = request.record.request, set(evidence.turn.turn.inbounds if evidence.turn else ())
    earlier = [message for message in sent.messages if message.inbound and message.inbound not in own]
    return Finding(
        rule="FLAGGED",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=say("model_unfit.flagged", place=place_name(evidence)),
        why=(
            say("model_unfit.filter-says"),
            *quote_service_words(_STATUS_PREFIX.sub("", words)),
            *((say("model_unfit.read-earlier", count=len(earlier)),) if earlier else ()),
        ),
        evidence=(*_request(request), *message_ref(evidence)),
        advice=say("model_unfit.reword-or-new" if earlier else "model_unfit.reword"),
        operator_advice=say("model_unfit.nothing-broken"),
    )


def _where(new: Sequence[Message], old: Sequence[Message]) -> str:
    if new:
        return say("model_unfit.came-with-message", old=len(_images(old)))
    return say("model_unfit.in-history")


def _sizes(messages: Sequence[Message]) -> str:
    images = _images(messages)
    size = round(len(images[0].data) * 3 / 4 / 1000) if images else 0
    return say(
        "model_unfit.size",
        kind=images[0].mimetype if images else "unknown",
        size=size,
        more=max(len(images) - 1, 0),
    )


def _images(messages: Sequence[Message]) -> list[ImagePart]:
    return [image for message in messages for image in message.images]


def _carrier(messages: Sequence[Message], own: set[int]) -> tuple[EvidenceRef, ...]:
    rows = [message.inbound for message in messages if message.inbound not in own]
    return ref(HandleKind.INBOUND, rows[0], say("model_unfit.brought-it")) if rows else ()


def _request(request: StoredRequest) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.REQUEST, request.id, say("model_unfit.request"))
