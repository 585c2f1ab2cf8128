"""ATTACH: a file that came with the message was not read, and the answer was made without it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, outcome, place_name, quote_service_words, ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.messages import Attachment, AttachmentKind, Message, TextPart
from bot.sentences import say

_UNREAD = re.compile("not shown: ")
_TOO_LARGE = re.compile("at most")
_OF_KIND = re.compile("files of this kind")
_TOO_MANY = re.compile("more than")
"""What the line before a message says of a file that is not in the request, and why."""


class UnreadFile(NamedTuple):
    """A file, and why its content is not in the request; `is_blind`: the model sees no pictures."""

    file: Attachment
    reason: str
    is_blind: bool = False


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str = ""
    seen: str = ""


class _Header(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    files: tuple[_File, ...] = ()


def check(evidence: Evidence) -> Iterator[Finding]:
    """Read from the recorded request what became of every file of the message."""
    found = message(evidence)
    if found is None or outcome(evidence) is not Outcome.REPLIED or not found.inbound.attachments:
        return
    unread = _unread(evidence, found.inbound.attachments)
    if not unread:
        return
    first, turn = unread[0], evidence.turn
    request = turn.requests[0] if turn and turn.requests else None
    yield Finding(
        rule="ATTACH",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=say("attachment_unread.verdict", place=place_name(evidence)),
        why=(
            _how_many(len(unread), len(found.inbound.attachments)),
            say("attachment_unread.kind-size", kind=first.file.mimetype or "unknown", size=_size(first.file)),
            *((say("attachment_unread.takes-no-pictures"),) if first.is_blind else quote_service_words(first.reason)),
        ),
        evidence=(*_request(request.id if request else 0), *message_ref(evidence)),
        advice=say(_advice(first)),
        operator_advice=_operator_advice(first),
    )


def _unread(evidence: Evidence, files: tuple[Attachment, ...]) -> list[UnreadFile]:
    requests = evidence.turn.requests if evidence.turn else ()
    found = message(evidence)
    own = [m for m in requests[0].record.request.messages if found and m.inbound == found.id] if requests else []
    if not own:
        return []
    has_images = bool(own[-1].images)
    pairs = list(zip(files, _seen(own[-1]), strict=False))
    unread = [UnreadFile(file, _UNREAD.sub("", seen, count=1)) for file, seen in pairs if _UNREAD.match(seen)]
    # a model that sees nothing reads what the picture is, and not the picture
    blind = [
        UnreadFile(file, "", is_blind=True)
        for file, seen in pairs
        if seen == "above" and file.kind is AttachmentKind.IMAGE
    ]
    return unread or ([] if has_images else blind)


def _seen(own: Message) -> list[str]:
    """Return what the header of the message says of each file, in their order."""
    last = next((part.text for part in reversed(own.parts) if isinstance(part, TextPart)), "")
    for line in last.splitlines():  # what follows the header are people's words, which may look like another
        if line.startswith('{"at":'):
            try:
                return [file.seen for file in _Header.model_validate_json(line).files]
            except ValidationError:
                continue
    return []


def _how_many(unread: int, files: int) -> str:
    return say("attachment_unread.not-shown", unread="only" if files == 1 else unread, files=files)


def _size(file: Attachment) -> str | int:
    return -(-file.size // 1000) if file.size else "unknown"


def _request(row: int) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.REQUEST, row, say("attachment_unread.request"))


def _advice(first: UnreadFile) -> str:
    if first.is_blind:
        return "attachment_unread.describe"
    if _TOO_LARGE.search(first.reason) or _TOO_MANY.match(first.reason):
        return "attachment_unread.send-smaller"
    return "attachment_unread.send-as-text" if _OF_KIND.match(first.reason) else "attachment_unread.send-again"


def _operator_advice(first: UnreadFile) -> str:
    if first.is_blind:
        return say("attachment_unread.sees-images")
    if _TOO_LARGE.search(first.reason):
        is_image = first.file.kind is AttachmentKind.IMAGE
        return say("attachment_unread.raise", key="image_mb" if is_image else "text_kb")
    if _TOO_MANY.match(first.reason):
        return say("attachment_unread.raise-per-message")
    if _OF_KIND.match(first.reason):
        off = first.file.kind is not AttachmentKind.OTHER
        return say("attachment_unread.set-above-zero") if off else ""
    return say("attachment_unread.see-log")
