"""The one place where a capture is cut down to what a reader may see: withheld parts first, then secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import orjson

from bot.context.envelope import find_carrier, section_texts
from bot.context.tokens import by_bytes
from bot.domain.base import JsonText, canonical_json, digest_text
from bot.domain.channel import LastTurn, RunningProcess
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import ToolDefinition
from bot.domain.memory import Memory, MemoryScope
from bot.domain.messages import ImagePart, Message, MessagePart, ProviderData, TextPart, ToolCall, ToolResult
from bot.domain.snapshot import SectionTrace
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.reader_view import (
    CaptureExtras,
    InspectedContext,
    ShownMessage,
    ShownSection,
    ShownTool,
    WireText,
)
from bot.runtime.lru_cache import LRUCache
from bot.text.redaction import RedactedText

OWN_SECTIONS = frozenset(
    {"operating_contract", "platform_guidance", "silence_rules", "inspection_contract", "cortex_contract"}
)
"""Sections in our own words, which hold nothing of anybody's."""
OPERATOR_SECTIONS = frozenset({"organisation_context", "link_context"})
"""Sections that may hold what is nobody's business but the operator's."""
_AUDITED_SECTIONS = OWN_SECTIONS | {"memory_bulletin"}
"""What of the sections is open to somebody who looks through what is remembered, and may not see how the bot is set."""
_MAX_CACHED_CHARS = 500_000
"""How much is kept of what was shown before."""
_ENTRY_CHARS = 300
"""What keeping a text takes besides its characters."""
_MIN_HIDDEN_CHARS = 12
_MESSAGES_AT_ONCE = 64
"""So many messages are looked at together; counted from the first one, so that what stays is found as it was kept."""


class TextRedactor(Protocol):
    """Takes secrets out of a text."""

    def redact(self, text: str) -> RedactedText:
        """Return the text that may be shown."""


@dataclass
class CachedRedactor:
    """A redactor that looks at each text once, as most of a context is the same as last time."""

    redactor: TextRedactor
    _kept: LRUCache[str, RedactedText] = field(
        default_factory=lambda: LRUCache(most_size=_MAX_CACHED_CHARS, size=_characters), repr=False
    )

    def redact(self, text: str) -> RedactedText:
        """Return the text that may be shown."""
        found = self._kept.get(text)
        if found is None:
            found = self.redactor.redact(text)
            self._kept.put(text, found)
        return found


def _characters(text: str, _: RedactedText) -> int:
    return len(text) + _ENTRY_CHARS


@dataclass(frozen=True)
class CaptureReader:
    """Who looks. `scopes`: which memories may be seen besides those learnt in the channel itself.

    `operator`: an owner of the bot, who sees everything that its models are told. `configured`: somebody who may see
    what the operator wrote for it, and not what others said elsewhere. `audits`: somebody who may only see what is
    remembered, and what was said where they read along anyway.
    """

    reads_content: bool
    operator: bool = False
    configured: bool = False
    audits: bool = False
    scopes: frozenset[MemoryScope] = frozenset({MemoryScope.CHANNEL, MemoryScope.GUILD})


def view_for_reader(
    inspection: ContextCapture, reader: CaptureReader, redactor: TextRedactor, extras: CaptureExtras | None = None
) -> InspectedContext:
    """Return what `reader` may see. Order, counts and digests stay exact; what is missing is marked where it stood."""
    curtain = _Curtain(reader, redactor, tuple(_hidden_words(inspection, reader)))
    texts = section_texts(inspection.request, inspection.numbers.sections)
    sections = tuple(_section(trace, texts.get(trace.name, ""), curtain) for trace in inspection.numbers.sections)
    shown = {item.trace.name: item.text for item in sections}
    messages = _messages(inspection, shown, curtain)
    tools = tuple(_tool(definition, curtain) for definition in inspection.request.tools)
    # what is said beside the request is cleaned too, but does not make the request inexact
    aside = _Curtain(reader, redactor, curtain.hidden)
    given = extras or CaptureExtras()
    return InspectedContext(
        key=inspection.key,
        name=inspection.state.name or inspection.key.channel,
        which=inspection.which,
        handle=inspection.handle,
        model=str(inspection.request.model),
        max_output=inspection.request.max_output_tokens,
        digest=inspection.digest,
        stats=inspection.numbers.stats,
        system_text="\n\n".join(shown.get(block.name, "") for block in inspection.request.system),
        sections=sections,
        tools=tuple(map(ShownTool, tools, inspection.numbers.tool_tokens)),
        messages=messages,
        status=_status(inspection, aside),
        turns=_turns(inspection),
        running=tuple(_running(process, aside) for process in inspection.state.running),
        finished=tuple(process.replace(task="", text="") for process in inspection.state.finished),
        last=inspection.state.last and _last(inspection.state.last, aside),
        queue=inspection.queue,
        write=partial(_written, inspection, texts, shown, curtain),
        ratio=inspection.ratio,
        usage=inspection.usage,
        dropped_turns=inspection.dropped_turns,
        overflow=inspection.overflow,
        redactions=curtain.redactions,
        withheld=curtain.withheld,
        extras=given.cleaned(aside.clean),
    )


def withheld_mark(kind: str, tokens: int, digest: str) -> str:
    """Mark what a reader may not see."""
    return f"[withheld: {kind}, {tokens} tokens, {digest[:12]}]"


class _Curtain:
    """What is hidden from one reader, and how often that was."""

    def __init__(self, reader: CaptureReader, redactor: TextRedactor, hidden: tuple[tuple[str, str], ...]) -> None:
        self.reader = reader
        self.hidden = hidden
        self.redactions = 0
        self.withheld = 0
        self.redactor = redactor

    def fold(self, kind: str, tokens: int, digest: str) -> str:
        """Put a line in the place of a whole text, and count it."""
        self.withheld += 1
        return withheld_mark(kind, tokens, digest)

    def hides_any(self, texts: Sequence[str]) -> bool:
        """Say whether something may have to be taken out of some texts; where it is False, nothing has to be.

        One look at all of them together costs a fraction of one at each: whatever is found in a text alone is found
        there too, because between lines nothing is taken for part of another.
        """
        joined = "\n".join(texts)
        return any(words in joined for words, _ in self.hidden) or self.redactor.redact(joined).count > 0

    def clean(self, text: str) -> str:
        """Withhold hidden words, then take out secrets."""
        for words, mark in self.hidden:
            if words in text:
                self.withheld += text.count(words)
                text = text.replace(words, mark)
        redacted = self.redactor.redact(text)
        self.redactions += redacted.count
        return redacted.text


def _hidden_words(inspection: ContextCapture, reader: CaptureReader) -> Iterator[tuple[str, str]]:
    """Yield what is hidden of each memory learnt elsewhere: its line in the bulletin, then its words anywhere."""
    hidden = {handle(HandleKind.MEMORY, m.id): m for m in inspection.memories if not _may_see(m, inspection, reader)}
    bulletin = section_texts(inspection.request, inspection.numbers.sections).get("memory_bulletin", "")
    for line in bulletin.splitlines() if hidden else ():
        name = line.removeprefix("- ").partition(" | ")[0]
        if line.startswith("- ") and name in hidden:
            yield line, f"- {name} | {withheld_mark('memory', by_bytes(line), digest_text(line))}"
    for memory in hidden.values():
        content = memory.body.content
        if len(content) >= _MIN_HIDDEN_CHARS:
            mark = withheld_mark("memory", by_bytes(content), digest_text(content))
            yield from ((form, mark) for form in dict.fromkeys((content, canonical_json(content)[1:-1])))


def _may_see(memory: Memory, inspection: ContextCapture, reader: CaptureReader) -> bool:
    body = memory.body
    return reader.operator or body.channel == inspection.key.channel or body.scope in reader.scopes


def _section(trace: SectionTrace, text: str, curtain: _Curtain) -> ShownSection:
    reader = curtain.reader
    if not text:
        return ShownSection(trace, text)
    private = trace.name in OPERATOR_SECTIONS and not (reader.operator or reader.configured)
    unread = (
        not reader.reads_content
        and trace.name not in OWN_SECTIONS
        and not (trace.name == "identity" and (reader.operator or reader.configured))
    )
    if private or unread or (reader.audits and trace.name not in _AUDITED_SECTIONS):
        return ShownSection(trace, curtain.fold(trace.name, trace.tokens, trace.digest))
    return ShownSection(trace, curtain.clean(text))


def _tool(tool: ToolDefinition, curtain: _Curtain) -> ToolDefinition:
    if curtain.reader.audits:
        mark = curtain.fold("tool", by_bytes(tool.parameters), digest_text(tool.description))
        return ToolDefinition(name=tool.name, description=mark, parameters=JsonText("{}"))
    description, parameters = curtain.clean(tool.description), curtain.clean(tool.parameters)
    if (description, parameters) == (tool.description, tool.parameters):
        return tool
    return ToolDefinition(name=tool.name, description=description, parameters=JsonText(parameters))


def _messages(inspection: ContextCapture, shown: dict[str, str], curtain: _Curtain) -> tuple[ShownMessage, ...]:
    request, numbers = inspection.request, inspection.numbers
    carrier = find_carrier(request, numbers.sections)
    volatile = [shown[b] for b in section_texts(request, numbers.sections) if b not in {s.name for s in request.system}]
    found = []
    for begin in range(0, len(request.messages), _MESSAGES_AT_ONCE):
        some = request.messages[begin : begin + _MESSAGES_AT_ONCE]
        is_open = curtain.reader.reads_content and not curtain.hides_any([text for one in some for text in _texts(one)])
        for index, message in enumerate(some, begin):
            tokens, opening = numbers.message_tokens[index], volatile if carrier and carrier.at == index else []
            seen = message if is_open and not opening else _message(message, tokens, opening, curtain)
            found.append(ShownMessage(index + 1, seen, tokens, message.digest))
    return tuple(found)


def _texts(message: Message) -> Iterator[str]:
    """Yield every text of a message that is cleaned."""
    for part in message.parts:
        match part:
            case TextPart() | ToolResult():
                yield part.text
            case ToolCall():
                yield part.arguments
                if part.added is not None:
                    yield part.added.data
            case ProviderData():
                yield part.data


def _message(message: Message, tokens: int, opening: list[str], curtain: _Curtain) -> Message:
    """Clean a message; the sections that open it have been cleaned already."""
    rest = message.parts[len(opening) :]
    if curtain.reader.reads_content:
        parts: list[MessagePart] = [_part(part, curtain) for part in rest]
    else:
        parts = [TextPart(text=curtain.fold("message", tokens, message.digest))]
    new = (*(TextPart(text=text) for text in opening), *parts)
    author = message.author if curtain.reader.reads_content else None
    if new == message.parts and author is message.author:
        return message
    return Message(
        role=message.role,
        parts=new,
        author=author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
        summary=message.summary,
    )


def _part(part: MessagePart, curtain: _Curtain) -> MessagePart:
    match part:
        case TextPart(text=text):
            clean_text = curtain.clean(text)
            return part if clean_text == text else TextPart(text=clean_text)
        case ToolResult(text=text):
            clean_text = curtain.clean(text)
            return part if clean_text == text else ToolResult(call_id=part.call_id, text=clean_text, ok=part.ok)
        case ImagePart():
            return part
        case ToolCall():
            added = part.added and part.added.replace(data=curtain.clean(part.added.data))
            call = part.replace(arguments=curtain.clean(part.arguments), added=added)
            return part if call == part else call
        case ProviderData(data=data):
            clean_text = curtain.clean(data)
            return part if clean_text == data else part.replace(data=clean_text)


def _status(inspection: ContextCapture, curtain: _Curtain) -> str:
    text = inspection.status
    # tasks and what came of them are written in people's words
    if (inspection.state.running or inspection.state.finished) and not curtain.reader.reads_content:
        return curtain.fold("status", by_bytes(text), digest_text(text))
    return curtain.clean(text)


def _turns(inspection: ContextCapture) -> int:
    """Count the turns that had ended before the request; of those that were compacted since only what is left."""
    stored, turns = inspection.stored, inspection.state.turns
    return len(turns) if stored is None else sum(turn.id < stored.record.turn for turn in turns)


def _running(process: RunningProcess, curtain: _Curtain) -> RunningProcess:
    task = process.task
    if curtain.reader.reads_content:
        return process.replace(task=curtain.clean(task))
    return process.replace(task=curtain.fold("task", by_bytes(task), digest_text(task)))


def _last(last: LastTurn, curtain: _Curtain) -> LastTurn:
    return last.replace(error=curtain.clean(last.error))


def _written(inspection: ContextCapture, texts: dict[str, str], shown: dict[str, str], curtain: _Curtain) -> WireText:
    body = _body(inspection, texts, shown, curtain)
    return WireText(inspection.note, inspection.wire.sha256, inspection.wire.encoder, body)


def _body(inspection: ContextCapture, texts: dict[str, str], shown: dict[str, str], curtain: _Curtain) -> JsonText:
    """Return the provider body; untouched when everything in it may be seen."""
    raw = inspection.wire.body
    if not raw:
        return JsonText("null")
    if not curtain.reader.reads_content:
        return canonical_json(curtain.fold("request", inspection.numbers.stats.total, inspection.wire.sha256))
    if not curtain.redactions and not curtain.withheld:
        return JsonText(raw.decode())
    folded = tuple((texts[name], text) for name, text in shown.items() if text.startswith("[withheld: "))
    # its own curtain: the same places were counted in the sections and messages
    inner = _Curtain(curtain.reader, curtain.redactor, (*folded, *curtain.hidden))
    return JsonText(orjson.dumps(_walk(orjson.loads(raw), inner)).decode())


def _walk(value: Any, curtain: _Curtain) -> Any:
    if isinstance(value, str):
        return curtain.clean(value)
    if isinstance(value, list):
        return [_walk(item, curtain) for item in value]
    if isinstance(value, dict):
        return {key: _walk(item, curtain) for key, item in value.items()}
    return value
