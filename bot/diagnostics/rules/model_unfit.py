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
from bot.text.text import quote_line

_TOOLS_FIX = (
    "Set model.name to a model with tools (its service lists them), or let the server offer them (vLLM: a flag)."
)
_IMAGE_FIX = "Lower attachments.image_mb, or set model.sees_images = false if the model takes no pictures."
_NEW_OR_BLIND_FIX = "Say `new` in the channel; if the model takes no pictures, set model.sees_images = false."
_REWORD_ADVICE = "Say it in other words; nobody else is affected."
_REWORD_OR_NEW_ADVICE = "Say it in other words. If other words are refused too, say `new` to the bot in the channel."
_STATUS_PREFIX = re.compile(r"^HTTP \d{3}: |^error inside the answer: ")
_NEW_FIX = "Say `new` to the bot in the channel: until then every turn sends that picture again."


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
        verdict=f"{place_name(evidence)}: the model takes no tools",
        why=(f"{quote_line(str(sent.model), 30)} refused {len(sent.tools)} tools:", *quote_service_words(words)),
        evidence=(*_request(request), *message_ref(evidence)),
        advice="Tell the operator: this model cannot work with tools, and the bot needs them.",
        operator_advice=_TOOLS_FIX,
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
        verdict=f"{place_name(evidence)}: a picture is refused",
        why=(_where(new, old), _sizes(suspects), *quote_service_words(words)),
        evidence=(*_request(request), *_carrier(suspects, own), *message_ref(evidence))[:3],
        advice=_NEW_FIX if not new else "Send it smaller, or as PNG or JPEG; the next message does not carry it along.",
        operator_advice=_IMAGE_FIX if new else _NEW_OR_BLIND_FIX,
        settle="the service's own words, in the request.",
    )


def _flagged(evidence: Evidence, request: StoredRequest, words: str) -> Finding:
    sent, own = request.record.request, set(evidence.turn.turn.inbounds if evidence.turn else ())
    earlier = [message for message in sent.messages if message.inbound and message.inbound not in own]
    return Finding(
        rule="FLAGGED",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the filter refused it",
        why=(
            "The service's content filter says:",
            *quote_service_words(_STATUS_PREFIX.sub("", words)),
            *_whose(earlier),
        ),
        evidence=(*_request(request), *message_ref(evidence)),
        advice=_REWORD_ADVICE if not earlier else _REWORD_OR_NEW_ADVICE,
        operator_advice="Nothing is broken: other messages and channels are not affected.",
    )


def _whose(earlier: Sequence[Message]) -> tuple[str, ...]:
    if not earlier:
        return ()
    count = "one earlier message" if len(earlier) == 1 else f"{len(earlier):,} earlier messages"
    return (f"It read {count} with it.",)


def _where(new: Sequence[Message], old: Sequence[Message]) -> str:
    if new:
        also = f", {len(_images(old))} in the history" if old else ""
        return f"It came with the message{also}:"
    return "It stands in the history, not in the message:"


def _sizes(messages: Sequence[Message]) -> str:
    images = _images(messages)
    first = f"{images[0].mimetype}, {round(len(images[0].data) * 3 / 4 / 1000):,} kB" if images else "unknown"
    return f"{first}{f', and {len(images) - 1} more' if len(images) > 1 else ''}."


def _images(messages: Sequence[Message]) -> list[ImagePart]:
    return [image for message in messages for image in message.images]


def _carrier(messages: Sequence[Message], own: set[int]) -> tuple[EvidenceRef, ...]:
    rows = [message.inbound for message in messages if message.inbound not in own]
    return ref(HandleKind.INBOUND, rows[0], "the message that brought it") if rows else ()


def _request(request: StoredRequest) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.REQUEST, request.id, "request as sent, and the refusal")
