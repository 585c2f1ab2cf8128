"""Read an export back as one side of a comparison; whatever stands in the file, it is a value or a clear refusal."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.domain.base import Digest, JsonText, canonical_json
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.snapshot import CaptureKind, ContextStats, CountMethod, SectionFate, SectionStability, Tokenizer
from bot.errors import UserError
from bot.inspect.diff.diff_side import DiffPiece, DiffSide, MessageOrigin, content_name, parameters
from bot.sentences import say
from bot.text.text import excerpt

MAX_BYTES = 64 * 1024 * 1024
"""An export of the largest windows that there are takes a tenth of this."""
_GZIP = b"\x1f\x8b"
_NO_LIMITS = ("max_completion_tokens", "max_tokens")


class _Filed(BaseModel):
    """What is read of a table of the file; what a newer version adds is left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


class _Author(_Filed):
    id: str = ""
    name: str = ""


class _Stands(_Filed):
    """What a summary stands for."""

    compaction: int = 0
    model: str = ""
    created_at: str | None = None
    turns: tuple[int, ...] = ()
    sources: tuple[Digest, ...] = ()


class _Message(_Filed):
    role: str
    content: str
    tokens: int = 0
    message_id: str = ""
    author: _Author | None = None
    created_at: str | None = None
    summary_type: SummaryType | Literal[""] = ""
    summary_count: int = 0
    summary_method: str = ""
    summary: _Stands | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    tool_results: tuple[dict[str, Any], ...] = ()

    @property
    def name(self) -> str:
        calls = ([call.get("id"), call.get("name"), call.get("arguments")] for call in self.tool_calls)
        results = ([result.get("id"), result.get("ok"), result.get("text")] for result in self.tool_results)
        return content_name(self.role, self.content, calls, results)

    @property
    def text(self) -> str:
        lines = [self.content] if self.content and not self.tool_results else []
        lines += [f"[calls {call.get('name')} {call.get('id')}] {call.get('arguments')}" for call in self.tool_calls]
        lines += [
            f"[result of {r.get('id')}, {'ok' if r.get('ok') else 'failed'}] {r.get('text')}" for r in self.tool_results
        ]
        return "\n".join(lines)


class _Section(_Filed):
    name: str
    stability: SectionStability
    fate: SectionFate
    reason: str = ""
    tokens: int = 0
    digest: str
    sources: tuple[str, ...] = ()
    text: str = ""


class _Tool(_Filed):
    name: str
    description: str = ""
    parameters: Any = None
    tokens: int = 0
    digest: str


class _Workspace(_Filed):
    channel_id: str = ""


class _Tokens(_Filed):
    system_prompt: int = 0
    conversation: int = 0
    tools: int = 0
    overhead: int = 0
    max_context: int = 0
    tokenizer: str = ""
    method: CountMethod = CountMethod.BYTES
    ratio: float = 1.0

    @property
    def stats(self) -> ContextStats:
        return ContextStats(
            system_prompt=self.system_prompt,
            tools=self.tools,
            history=self.conversation,
            overhead=self.overhead,
            window=self.max_context,
            tokenizer=Tokenizer(name=self.tokenizer, method=self.method, ratio=self.ratio),
        )


class _Export(_Filed):
    schema_version: int
    exported_at: datetime
    kind: CaptureKind
    workspace: _Workspace = _Workspace()
    token_summary: _Tokens
    digest: str
    model: str = ""
    redactions: int = 0
    withheld: int = 0
    dropped_turns: tuple[int, ...] = ()
    messages: tuple[_Message, ...] = Field(min_length=1)
    sections: tuple[_Section, ...]
    tools: tuple[_Tool, ...]
    request: Any = None


def read_export(content: bytes, label: str) -> DiffSide:
    """Lay an export out, packed or not; raise UserError that says what is wrong with it and what to do."""
    shown = excerpt(label, 80)
    try:
        document = _Export.model_validate(orjson.loads(unpacked(content, shown)))
    except orjson.JSONDecodeError as error:
        raise UserError(say("export_reader.not-json", file=shown, why=str(error))) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        if not where:
            raise UserError(say("export_reader.not-export-whole", file=shown, why=first["msg"])) from None
        raise UserError(say("export_reader.not-export", file=shown, where=where, why=first["msg"])) from None
    if document.schema_version != 1:
        raise UserError(say("export_reader.other-version", file=shown, version=str(document.schema_version)))
    return _side(document, shown)


def _side(document: _Export, label: str) -> DiffSide:
    said, carrier = _bare(document)
    return DiffSide(
        label=label,
        which=document.kind,
        channel=document.workspace.channel_id,
        at=round(document.exported_at.timestamp() * 1000),
        digest=document.digest,
        parameters=_parameters(document),
        sections=tuple(_section(section) for section in document.sections),
        tools=tuple(_tool(tool) for tool in document.tools),
        messages=tuple(_piece(message) for message in said),
        stats=document.token_summary.stats,
        carrier=carrier,
        dropped_turns=document.dropped_turns,
        hidden=document.redactions + document.withheld,
        by_content=True,
        ordered=False,
        notes=tuple(_notes(document, label)),
    )


def unpacked(content: bytes, label: str) -> bytes:
    """Return the document; a small file that unpacks to a huge one is refused before it does."""
    if not content.startswith(_GZIP):
        if len(content) > MAX_BYTES:
            raise UserError(say("export_reader.too-large", file=label, bytes=len(content)))
        return content
    try:
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        unpacked = unpacker.decompress(content, MAX_BYTES)
        if unpacker.unconsumed_tail:
            raise UserError(say("export_reader.unpacks-too-large", file=label, bytes=MAX_BYTES))
        if not unpacker.eof:
            raise UserError(say("export_reader.ends-early", file=label))
    except zlib.error as error:
        raise UserError(say("export_reader.not-unpacked", file=label, why=str(error))) from None
    return unpacked


def _notes(document: _Export, label: str) -> Iterator[str]:
    if document.redactions or document.withheld:
        redactions, withheld = document.redactions, document.withheld
        yield say("export_reader.was-cut", file=label, redactions=redactions, withheld=withheld)


def _parameters(document: _Export) -> tuple[DiffPiece, ...]:
    """Read the parameters where the file says them; what was posted says most of them, in its provider's words."""
    body = document.request if isinstance(document.request, Mapping) else {}
    limit = next((str(body[name]) for name in _NO_LIMITS if name in body), "")
    choice = body.get("tool_choice")
    chosen = choice.get("type") if isinstance(choice, Mapping) else choice
    model = document.model or body.get("model")
    return parameters(_word(model), limit, _word(chosen) if document.tools else "")


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _section(section: _Section) -> DiffPiece:
    return DiffPiece(
        label=section.name,
        name=section.digest,
        text=section.text,
        tokens=section.tokens if section.fate is SectionFate.KEPT else 0,
        size=len(section.text.encode("utf-8", "surrogatepass")),
        sources=section.sources,
        missing="" if section.fate is SectionFate.KEPT else section.reason or section.fate.value,
        moving=section.stability is SectionStability.VOLATILE,
    )


def _tool(tool: _Tool) -> DiffPiece:
    described = {"name": tool.name, "description": tool.description}
    written = tool.parameters if isinstance(tool.parameters, str) else canonical_json(tool.parameters)
    text = canonical_json({**described, "parameters": JsonText(written)})
    return DiffPiece(tool.name, tool.digest, text, tool.tokens, len(text.encode("utf-8", "surrogatepass")))


def _bare(document: _Export) -> tuple[Sequence[_Message], int]:
    """Return the messages without the system prompt and without the sections before the newest one; and its place."""
    messages = document.messages[1:]
    kept = [s for s in document.sections if s.stability is SectionStability.VOLATILE and s.fate is SectionFate.KEPT]
    opening = "".join(f"{section.text}\n\n" for section in kept)
    carrier = next((n for n in range(len(messages) - 1, -1, -1) if opening and _carries(messages[n], opening)), -1)
    if carrier < 0:
        return messages, -1
    carried = messages[carrier]
    tokens = max(0, carried.tokens - sum(section.tokens for section in kept))
    stripped = carried.model_copy(update={"content": carried.content[len(opening) :], "tokens": tokens})
    return (*messages[:carrier], stripped, *messages[carrier + 1 :]), carrier


def _carries(message: _Message, opening: str) -> bool:
    return message.role == "user" and message.content.startswith(opening)


def _piece(message: _Message) -> DiffPiece:
    author = message.author or _Author()
    return DiffPiece(
        label="",
        name=message.name,
        text=message.text,
        tokens=message.tokens,
        size=len(message.content.encode("utf-8", "surrogatepass")),
        origin=MessageOrigin(
            role=message.role,
            author=author.name,
            author_id=author.id,
            at=_moment(message.created_at),
            message_id=message.message_id,
            summary=_summary(message),
        ),
    )


def _summary(message: _Message) -> CompactionSummary | None:
    if not message.summary_type:
        return None
    stands = message.summary or _Stands()
    return CompactionSummary(
        type=message.summary_type,
        compaction=stands.compaction,
        count=message.summary_count,
        method=message.summary_method,
        model=stands.model,
        created_at=_moment(stands.created_at),
        sources=stands.sources,
        turns=stands.turns,
    )


def _moment(text: str | None) -> int:
    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000) if text else 0
    except (ValueError, OverflowError):
        return 0
