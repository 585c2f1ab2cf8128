"""A context laid out part by part, so that two of them can be compared by the names of their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, overload

import orjson

from bot.context.envelope import EnvelopeCarrier, find_carrier, section_texts
from bot.domain.base import Digest, digest_text
from bot.domain.compaction import CompactionSummary
from bot.domain.llm import LLMRequest, TokenUsage
from bot.domain.messages import Message, TextPart
from bot.domain.snapshot import CaptureKind, ContextStats, SectionFate, SectionStability
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.markdown import message_text
from bot.inspect.capture.reader_view import InspectedContext, ShownMessage

MODEL, MAX_OUTPUT, TOOL_CHOICE = "model", "max_output_tokens", "tool_choice"
"""Parameters of a request, by what they are called everywhere."""


class MessageOrigin(NamedTuple):
    """Where a message came from. `turn` is the turn that it is part of in the history (0: not known).

    `summary` is set on what stands for other messages.
    """

    role: str
    author: str = ""
    author_id: str = ""
    at: int = 0
    inbound: int = 0
    message_id: str = ""
    ambient: bool = False
    turn: int = 0
    summary: CompactionSummary | None = None


class DiffPiece(NamedTuple):
    """One part. Two are the same when their `name`s are; `text` is what the reader may see of it.

    `label` is the name of a section, tool or parameter, and empty for a message. `size` is UTF-8 bytes of the original.
    `missing` says why a section is not in the request (empty: it is). `moving`: it is rendered anew for every request.
    """

    label: str
    name: str
    text: str
    tokens: int = 0
    size: int = 0
    sources: tuple[str, ...] = ()
    missing: str = ""
    moving: bool = False
    origin: MessageOrigin | None = None


class SideMessages(Sequence[DiffPiece]):
    """The messages of a context by their names; what else there is of one is made when it is first asked for."""

    def __init__(self, names: Sequence[str], piece: Callable[[int], DiffPiece]) -> None:
        self.names = names
        self._piece = piece
        self._made: dict[int, DiffPiece] = {}

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> DiffPiece: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DiffPiece, ...]: ...
    def __getitem__(self, index: int | slice) -> DiffPiece | tuple[DiffPiece, ...]:
        """Return one, always the same; or those of a slice."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        place = range(len(self))[index]
        if place not in self._made:
            self._made[place] = self._piece(place)
        return self._made[place]


class SentRequest(NamedTuple):
    """What the journal says of a request beside its content. `cause`: the request that failed before this one."""

    row: int = 0
    turn: int = 0
    round: int = 0
    cause: int = 0


NOT_SENT = SentRequest()


@dataclass(frozen=True)
class DiffSide:
    """One of two contexts that are compared.

    `carrier` is the place of the message that the moving sections stand in front of (-1: none does); it is listed
    without them, because they are no part of it once it is history. `by_content`: messages are named by what a model
    reads of them, else by their digests. `ordered`: tools stand in the order in which they are sent. `hidden` counts
    what the reader does not see. `at` is UTC ms.
    """

    label: str
    which: CaptureKind
    channel: str
    at: int
    digest: str
    parameters: tuple[DiffPiece, ...]
    sections: tuple[DiffPiece, ...]
    tools: tuple[DiffPiece, ...]
    messages: Sequence[DiffPiece]
    stats: ContextStats
    carrier: int = -1
    sent: SentRequest = NOT_SENT
    usage: TokenUsage | None = None
    dropped_turns: tuple[int, ...] = ()
    hidden: int = 0
    by_content: bool = False
    ordered: bool = True
    notes: tuple[str, ...] = ()

    @property
    def kept(self) -> tuple[DiffPiece, ...]:
        """The sections that are in the request."""
        return tuple(piece for piece in self.sections if not piece.missing)


def side_of(inspection: ContextCapture, shown: InspectedContext, now: int, *, by_content: bool = False) -> DiffSide:
    """Lay a capture out: names from what was captured, words only from what its reader may see.

    `now` is the time of a request that was not sent (UTC ms).
    """
    request, stored = inspection.request, inspection.stored
    carrier, sections = find_carrier(request, inspection.numbers.sections), _sections(inspection, shown)
    opening = sum(piece.tokens for piece in sections if piece.moving)
    record = stored.record if stored else None
    return DiffSide(
        label=inspection.handle or inspection.which.value.replace("_", " "),
        which=inspection.which,
        channel=str(inspection.key),
        at=record.at if record else now,
        digest=inspection.digest,
        parameters=parameters(str(request.model), str(request.max_output_tokens), request.tool_choice.value),
        sections=sections,
        tools=tuple(
            DiffPiece(tool.name, tool.digest, seen.definition.json_text, seen.tokens, _size((tool.json_text,)))
            for tool, seen in zip(request.tools, shown.tools, strict=True)
        ),
        messages=_messages(inspection, shown, (carrier, opening), by_content=by_content),
        stats=shown.stats,
        carrier=carrier.at if carrier else -1,
        sent=SentRequest(stored.id, stored.record.turn, stored.record.round, stored.record.fallback_of)
        if stored
        else NOT_SENT,
        usage=stored.response.usage if stored and stored.response else None,
        dropped_turns=inspection.dropped_turns,
        hidden=shown.redactions + shown.withheld,
        by_content=by_content,
    )


def parameters(model: str, max_output: str, tool_choice: str) -> tuple[DiffPiece, ...]:
    """List the parameters; one that is not known is left out."""
    known = ((MODEL, model), (MAX_OUTPUT, max_output), (TOOL_CHOICE, tool_choice))
    return tuple(DiffPiece(label, value, value) for label, value in known if value)


def content_name(role: str, content: str, calls: Iterable[object], results: Iterable[object]) -> str:
    """Name a message by what a model reads of it, whoever wrote it and whenever."""
    return digest_text(orjson.dumps([role, content, list(calls), list(results)]).decode())


def messages_without_envelope(request: LLMRequest, carrier: EnvelopeCarrier | None) -> tuple[Message, ...]:
    """Return the messages without the moving sections, as they stand in the history from then on."""
    if carrier is None:
        return request.messages
    found = list(request.messages)
    found[carrier.at] = _without(found[carrier.at], carrier.parts)
    return tuple(found)


def _without(message: Message, parts: int) -> Message:
    # not model_copy: it would carry the cached digest of the whole message along
    return Message(
        role=message.role,
        parts=message.parts[parts:],
        author=message.author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
        summary=message.summary,
    )


def _sections(inspection: ContextCapture, shown: InspectedContext) -> tuple[DiffPiece, ...]:
    originals = section_texts(inspection.request, inspection.numbers.sections)
    return tuple(
        DiffPiece(
            label=seen.trace.name,
            name=seen.trace.digest,
            text=seen.text,
            tokens=seen.trace.tokens if seen.trace.fate is SectionFate.KEPT else 0,
            size=_size((originals.get(seen.trace.name, ""),)),
            sources=seen.trace.sources,
            missing="" if seen.trace.fate is SectionFate.KEPT else seen.trace.reason or seen.trace.fate.value,
            moving=seen.trace.stability is SectionStability.VOLATILE,
        )
        for seen in shown.sections
    )


def _messages(
    inspection: ContextCapture,
    shown: InspectedContext,
    opening: tuple[EnvelopeCarrier | None, int],
    *,
    by_content: bool,
) -> SideMessages:
    """List the messages; `opening` is what stands before the newest one, and its tokens."""
    carrier, opened = opening
    originals, state = messages_without_envelope(inspection.request, carrier), inspection.state

    @cache
    def turns() -> Mapping[Digest, int]:
        return {message.digest: turn.id for turn in state.turns for message in turn.messages}

    def piece(index: int) -> DiffPiece:
        message, seen = originals[index], shown.messages[index]
        parts = carrier.parts if carrier and carrier.at == index else 0
        return DiffPiece(
            label="",
            name=names[index],
            text=_shown_text(seen, parts),
            tokens=max(0, seen.tokens - opened) if parts else seen.tokens,
            size=_size(message.texts),
            origin=_origin(message, seen, turns().get(message.digest, 0)),
        )

    names = tuple([_name(message) if by_content else message.digest for message in originals])
    return SideMessages(names, piece)


def _name(message: Message) -> str:
    seen = ShownMessage(0, message, 0, message.digest)
    calls = ([call.call_id, call.name, call.arguments] for call in message.calls)
    results = ([result.call_id, result.ok, result.text] for result in message.results)
    return content_name(message.role.value, seen.content, calls, results)


def _shown_text(seen: ShownMessage, opening: int) -> str:
    message = seen.message
    if not opening:
        return message_text(seen)
    parts = tuple(part for part in message.parts[opening:] if isinstance(part, TextPart))
    return "\n\n".join(part.text for part in parts)


def _origin(message: Message, seen: ShownMessage, turn: int) -> MessageOrigin:
    author = seen.message.author
    return MessageOrigin(
        role=message.role.value,
        author=author.name if author else "",
        author_id=author.user_id if author else "",
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
        turn=turn,
        summary=message.summary,
    )


def _size(texts: Iterable[str]) -> int:
    return sum(len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")) for text in texts)
