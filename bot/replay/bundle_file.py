"""A recorded request in one file: its words without secrets, its parts with their digests, and what was run of it.

Whoever has the file makes the request again from its parts, by the same assembly and encoder, and compares: nothing of
the bot is needed, no network and no key. The seal at its end tells damage; who wrote the file it does not tell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import orjson
from pydantic import Field, ValidationError

from bot.context.envelope import section_texts
from bot.domain.base import Digest, FrozenModel, canonical_json, digest_text
from bot.domain.ids import ChannelId
from bot.domain.llm import LLMRequest, WireRequest
from bot.domain.messages import Message
from bot.domain.snapshot import ContextSnapshot, ModelLimits, SectionTrace
from bot.domain.turn import RequestRecord, StoredRequest
from bot.errors import UserError
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.diff.export_reader import unpacked
from bot.prompts import render
from bot.replay.recorded_inputs import recorded_inputs, recorded_limits
from bot.replay.request_parts import DividedRequest, PartChange
from bot.text.text import excerpt

FORMAT, VERSION = "glassmind-replay", 1
_SEAL = "seal"

Encode = Callable[[ContextSnapshot], WireRequest]
"""Write the bytes of a request."""


class BundledPart(FrozenModel):
    """A part of the request and the name of its words."""

    id: str
    digest: Digest


class BundledRun(FrozenModel):
    """One run: how it differed from the record, what was decided, and the name of what was asked."""

    request: str
    left_out: tuple[str, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()
    neutral_tokens: int = 0
    model: str = ""
    decision: str
    digest: Digest = Digest("")

    @property
    def change(self) -> PartChange:
        """How the request is changed for it."""
        return PartChange(self.left_out, dict(self.replaced), self.neutral_tokens)


class SentDigests(FrozenModel):
    """What was sent, by its names; where words are blacked out they name what only the bot has."""

    request: str
    digest: Digest
    wire_sha256: str
    wire_bytes: int
    encoder: str


class ReplayBundle(FrozenModel):
    """The file. `kind` names the encoder's adapter; `redactions` and `withheld` count what is not as it was sent."""

    format: Literal["glassmind-replay"] = "glassmind-replay"
    version: int = VERSION
    program: str
    written_at: str
    written_by: str = ""
    kind: str
    redactions: int = Field(0, ge=0)
    withheld: int = Field(0, ge=0)
    sent: SentDigests
    decided: str = ""
    record: RequestRecord
    parts: tuple[BundledPart, ...]
    runs: tuple[BundledRun, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether it holds what was sent, to the byte."""
        return not self.redactions and not self.withheld and self.sent.encoder == self.record.encoder

    @property
    def encoder(self) -> str:
        """Who writes its bytes, without the dialect."""
        return self.record.encoder.split(" ")[0]

    @property
    def limits(self) -> ModelLimits:
        """The limits by which the request is assembled."""
        return recorded_limits(self.record)

    @property
    def request_parts(self) -> DividedRequest:
        """The request, taken apart."""
        return DividedRequest(recorded_inputs(self.record, self.limits))


class BundleHeader(NamedTuple):
    """Who writes a bundle, when, and with which program; `kind` is the encoder's adapter, `encoder` its name."""

    program: str
    written_at: str
    written_by: str
    kind: str
    encoder: str


class BundleCheck(NamedTuple):
    """One thing that was checked: `what` it is, and `wrong` names what does not hold (empty: all does)."""

    what: str
    wrong: tuple[str, ...] = ()
    amount: int = 1


def bundle_of(
    header: BundleHeader,
    stored: StoredRequest,
    shown: InspectedContext,
    decided: str,
    runs: Sequence[BundledRun],
    encode: Encode,
) -> ReplayBundle:
    """Put a request into a bundle as a reader may see it; whatever is taken out, digests are of what stands there."""
    record = _as_shown(stored.record, shown)
    parts = DividedRequest(recorded_inputs(record, recorded_limits(record)))
    snapshot = parts.with_change(PartChange())
    wire = encode(snapshot)
    signed = recorded_limits(record).dialect.signed(header.encoder)
    record = record.model_copy(update={"wire_sha256": wire.sha256, "wire_bytes": len(wire.body), "encoder": signed})
    known = parts.by_id
    usable = [run for run in runs if known.keys() >= {*run.left_out, *(name for name, _ in run.replaced)}]
    return ReplayBundle(
        program=header.program,
        written_at=header.written_at,
        written_by=header.written_by,
        kind=header.kind,
        redactions=shown.redactions,
        withheld=shown.withheld,
        sent=SentDigests(
            request=shown.handle,
            digest=stored.record.digest,
            wire_sha256=stored.record.wire_sha256,
            wire_bytes=stored.record.wire_bytes,
            encoder=stored.record.encoder,
        ),
        decided=decided,
        record=record,
        parts=tuple(BundledPart(id=part.id, digest=digest_text(part.text)) for part in parts.every),
        runs=tuple(run.replace(digest=parts.with_change(run.change).digest) for run in usable),
    )


def written(bundle: ReplayBundle) -> bytes:
    """Write a bundle with its seal."""
    document = orjson.loads(bundle.model_dump_json())
    return orjson.dumps({**document, _SEAL: _sealed(document)}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_bundle(content: bytes, label: str) -> tuple[ReplayBundle, bool]:
    """Read a bundle, packed or not, and whether its seal holds; raise UserError in one sentence."""
    shown = excerpt(label, 80)
    try:
        document = orjson.loads(unpacked(content, shown))
    except orjson.JSONDecodeError:
        raise UserError(render("replay/bundle", kind="broken", file=shown)) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        is_export = isinstance(document, dict) and "schema_version" in document
        raise UserError(render("replay/bundle", kind="foreign", file=shown, is_export=is_export))
    if document.get("version") != VERSION:
        newer = excerpt(str(document.get("version")), 20)
        raise UserError(render("replay/bundle", kind="newer", file=shown, version=newer, known=VERSION))
    seal = document.pop(_SEAL, "")
    try:
        bundle = ReplayBundle.model_validate_json(orjson.dumps(document))
    except ValidationError as error:
        where = ".".join(map(str, error.errors(include_url=False)[0]["loc"]))
        raise UserError(render("replay/bundle", kind="unreadable", file=shown, where=excerpt(where, 80))) from None
    return bundle, seal == _sealed(document)


def checked(bundle: ReplayBundle, *, seal_holds: bool, encode: Encode | None) -> Iterator[BundleCheck]:
    """Check every digest; without an encoder the bytes are not checked. Raises nothing for what does not hold."""
    yield BundleCheck("seal", () if seal_holds else ("seal",))
    record = bundle.record
    texts = section_texts(record.request, record.sections)
    kept = [one for one in record.sections if one.name in texts]
    yield BundleCheck("sections", tuple(t.name for t in kept if digest_text(texts[t.name]) != t.digest), len(kept))
    parts = bundle.request_parts
    found = {part.id: digest_text(part.text) for part in parts.every}
    named = {part.id: part.digest for part in bundle.parts}
    wrong = [one for one in dict.fromkeys((*found, *named)) if found.get(one) != named.get(one)]
    yield BundleCheck("parts", tuple(wrong), len(named))
    snapshot = parts.with_change(PartChange())
    yield BundleCheck("request", () if snapshot.digest == record.digest == record.request.digest else ("digest",))
    if encode is not None:
        wire = encode(snapshot)
        same = (wire.sha256, len(wire.body)) == (record.wire_sha256, record.wire_bytes)
        yield BundleCheck("bytes", () if same else ("sha256",))
    if bundle.is_exact:
        # its own name covers who said what, which is no part of the file
        yield BundleCheck("sent", () if bundle.sent.wire_sha256 == record.wire_sha256 else ("sha256",))
    yield BundleCheck("runs", tuple(_wrong_runs(bundle, parts)), len(bundle.runs))


def _wrong_runs(bundle: ReplayBundle, parts: DividedRequest) -> Iterator[str]:
    for run in bundle.runs:
        try:
            holds = parts.with_change(run.change).digest == run.digest
        except ValueError:
            holds = False
        if not holds:
            yield run.request


def _sealed(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical_json(document).encode("utf-8", "surrogatepass")).hexdigest()


def _as_shown(record: RequestRecord, shown: InspectedContext) -> RequestRecord:
    """Return a record as its reader may see it, under names of its own."""
    texts = {one.trace.name: one.text for one in shown.sections}
    request = LLMRequest.model_validate(
        {
            **record.request.model_dump(exclude={"system", "messages", "tools"}),
            "system": [
                {"name": block.name, "text": texts.get(block.name, block.text)} for block in record.request.system
            ],
            "messages": [_bare(one.message) for one in shown.messages],
            "tools": [one.definition for one in shown.tools],
        }
    )
    sections = tuple(_named_anew(trace, texts.get(trace.name, "")) for trace in record.sections)
    # model_copy: every value is validated already
    return record.model_copy(
        update={"request": request, "digest": request.digest, "sections": sections, "channel": ChannelId(""), "turn": 0}
    )


def _named_anew(trace: SectionTrace, text: str) -> SectionTrace:
    return trace.replace(digest=digest_text(text)) if text else trace


def _bare(message: Message) -> Message:
    """Return what a model reads of a message, and what a summary stands for; who wrote it is no part of the file."""
    return Message(role=message.role, parts=message.parts, at=message.at, summary=message.summary)
