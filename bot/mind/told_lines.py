"""Read a recorded request line by line, with who put each line there: everything in it that can hold a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from bot.context.envelope import find_carrier, section_texts
from bot.context.transcript import parse_header, quoted_words
from bot.domain.handles import HandleKind, handle, handle_pattern
from bot.domain.messages import Message, Role, TextPart, ToolResult
from bot.domain.snapshot import SectionFate
from bot.domain.turn import RequestRecord
from bot.inspect.diff.diff_side import messages_without_envelope
from bot.inspect.diff.find_words import PieceLine, SourcedLine, SourceKind, WordSource
from bot.mind.fact_search import ToldLine
from bot.sentences import say

_REMEMBERED = re.compile(
    rf"- ({handle_pattern(HandleKind.MEMORY)}) \| (?:[^|\"]* \| )*?by ([^|\"]*?) \(id [^|\"]*\) \|"
)
_CONFIGURED = "config:"


def told_lines(record: RequestRecord) -> Iterator[ToldLine]:
    """Yield the lines of memories, of the configuration, of messages, files, summaries, answers and tool results.

    What our own templates say is left out: no fact stands there.
    """
    texts = section_texts(record.request, record.sections)
    for section in record.sections:
        if section.fate is SectionFate.KEPT and section.name in texts:
            configured = any(source.startswith(_CONFIGURED) for source in section.sources)
            yield from _of_section(section.name, texts[section.name], section.memories, configured=configured)
    called: dict[str, str] = {}
    messages = messages_without_envelope(record.request, find_carrier(record.request, record.sections))
    for place, message in enumerate(messages, 1):
        called.update({call.call_id: call.name for call in message.calls})
        yield from _of_message(place, message, called)


def _of_section(name: str, text: str, memories: tuple[str, ...], *, configured: bool) -> Iterator[ToldLine]:
    section = say("find_words.section", name=name)
    for number, line in enumerate(text.split("\n"), 1):
        where = say("find_words.in-section", section=section, line=str(number))
        remembered = _REMEMBERED.match(line)
        if remembered is not None and remembered[1] in memories:
            source = WordSource(SourceKind.MEMORY, say("find_words.memory", handle=remembered[1]), remembered[1])
            yield ToldLine(SourcedLine(where, line, source, piece=PieceLine(name, number)), remembered[2])
        elif configured and line.strip():
            configuration = WordSource(SourceKind.CONFIG, section)
            yield ToldLine(SourcedLine(where, line, configuration, piece=PieceLine(name, number)))


def _of_message(place: int, message: Message, called: dict[str, str]) -> Iterator[ToldLine]:
    where = say("find_words.in-message", number=str(place))
    inbound = handle(HandleKind.INBOUND, message.inbound) if message.inbound else ""
    author = message.author.name if message.author else ""
    for number, part in enumerate(message.parts):
        match part:
            case TextPart(text=text) if message.summary is not None:
                row = message.summary.compaction
                name = handle(HandleKind.COMPACTION, row) if row else ""
                source = WordSource(SourceKind.SUMMARY, say("find_words.some-summary"), name)
                yield from _lines(where, text, source, place)
            case TextPart(text=text) if message.role is Role.USER:
                is_last = number == len(message.parts) - 1
                yield from _said(where, text, (inbound, author), place, is_last=is_last)
            case TextPart(text=text) if message.role is Role.ASSISTANT:
                yield from _lines(where, text, WordSource(SourceKind.ANSWER, say("find_words.own-answer")), place)
            case ToolResult(call_id=call_id, text=text):
                yield from _returned(where, called.get(call_id) or say("find_words.a-tool"), text, place)
            case _:
                pass


def _said(where: str, text: str, by: tuple[str, str], place: int, *, is_last: bool) -> Iterator[ToldLine]:
    inbound, author = by
    named = inbound or say("find_words.a-message")
    headed = parse_header(text)
    if headed is not None and is_last:
        quoting = say("find_words.within", place=where, what=say("find_words.quotation"))
        for one in quoted_words(headed.header):
            source = WordSource(SourceKind.MESSAGE, say("find_words.quoted-by", message=named), inbound)
            yield from _lines(quoting, one.words, source, place, one.name)
        source = WordSource(SourceKind.MESSAGE, say("find_words.said-in", message=named), inbound)
        yield from _lines(where, headed.text, source, place, author)
        return
    try:
        filed = orjson.loads(text) if text.startswith("{") else None
    except ValueError:
        filed = None
    content = str(filed["content"]) if isinstance(filed, dict) and set(filed) == {"content", "file"} else text
    kind = SourceKind.FILE if content is not text else SourceKind.MESSAGE
    source = WordSource(kind, say("find_words.came-with", message=named), inbound)
    yield from _lines(where, content, source, place)


def _returned(where: str, tool: str, text: str, place: int) -> Iterator[ToldLine]:
    where = say("find_words.within", place=where, what=say("find_words.result-of", name=tool))
    for line in text.split("\n"):
        remembered = _REMEMBERED.match(line)
        name, author = (remembered[1], remembered[2]) if remembered else ("", "")
        if line.strip():
            source = WordSource(SourceKind.RESULT, say("find_words.tool-returned", name=tool), name)
            yield ToldLine(SourcedLine(where, line, source, place), author)


def _lines(where: str, text: str, source: WordSource, place: int, author: str = "") -> Iterator[ToldLine]:
    for line in text.split("\n"):
        if line.strip():
            yield ToldLine(SourcedLine(where, line, source, place), author)
