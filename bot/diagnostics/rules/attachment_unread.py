"""ATTACH: a file that came with the message was not read, and the answer was made without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, outcome, place_name, quote_service_words, ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.messages import Attachment, AttachmentKind, Message, TextPart

_UNREAD_MARK = "not shown: "
_BLIND_MARK = "the model takes no pictures"
_TOO_LARGE_MARK = "at most"
_KINDS_MARK = "files of this kind"
_TOO_MANY_MARK = "more than"


class UnreadFile(NamedTuple):
    """A file, and why its content is not in the request."""

    file: Attachment
    reason: str


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
        verdict=f"{place_name(evidence)}: a file was not read",
        why=(
            f"{_how_many(len(unread), len(found.inbound.attachments))} not shown to the model;",
            f"{first.file.mimetype or 'unknown kind'}, {_size(first.file)}:",
            *quote_service_words(first.reason),
        ),
        evidence=(*_request(request.id if request else 0), *message_ref(evidence)),
        advice=_advice(first.reason),
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
    unread = [
        UnreadFile(file, seen.removeprefix(_UNREAD_MARK)) for file, seen in pairs if seen.startswith(_UNREAD_MARK)
    ]
    # a model that sees nothing reads what the picture is, and not the picture
    blind = [
        UnreadFile(file, _BLIND_MARK) for file, seen in pairs if seen == "above" and file.kind is AttachmentKind.IMAGE
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
    return "A file was" if files == 1 else f"{unread} of {files} files were"


def _size(file: Attachment) -> str:
    return f"{-(-file.size // 1000):,} kB" if file.size else "size unknown"


def _request(row: int) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.REQUEST, row, "request as sent: what it says of the file")


def _advice(reason: str) -> str:
    if reason == _BLIND_MARK:
        return "Say in words what the picture shows: the model behind this channel sees none."
    if _TOO_LARGE_MARK in reason or reason.startswith(_TOO_MANY_MARK):
        return "Send it smaller, or in parts."
    if reason.startswith(_KINDS_MARK):
        return "Send it as plain text or as a PNG, JPEG, GIF or WebP picture."
    return "Send it again, with the question: links to files run out."


def _operator_advice(first: UnreadFile) -> str:
    if first.reason == _BLIND_MARK:
        return "If the model sees, set model.sees_images = true; else name one that does."
    if _TOO_LARGE_MARK in first.reason:
        key = "image_mb" if first.file.kind is AttachmentKind.IMAGE else "text_kb"
        return f"Raise attachments.{key}, if the model's window holds more."
    if first.reason.startswith(_TOO_MANY_MARK):
        return "Raise attachments.per_message."
    if first.reason.startswith(_KINDS_MARK):
        off = first.file.kind is not AttachmentKind.OTHER
        return "Set attachments.text_kb and image_mb above 0." if off else ""
    return "The log has `attachment_not_fetched` with the platform's words."
