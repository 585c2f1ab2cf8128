"""Find where some words stand in what a model is told, and which source put them there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import orjson

from bot.context.transcript import parse_header, quoted_words, without_words
from bot.domain.base import canonical_json
from bot.domain.handles import HandleKind, handle, handle_pattern, parse_handle
from bot.domain.messages import ImagePart, Message, MessagePart, ProviderData, Role, TextPart, ToolCall, ToolResult
from bot.domain.skill import skills_in
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.diff.diff_side import DiffPiece, DiffSide, MessageOrigin
from bot.prompts import template_lines, template_path
from bot.sentences import say
from bot.text.text import excerpt, file_name, one_line_name

MAX_HITS = 30
_CHARS_AROUND = 120
_WORD_INSIDE = re.compile(r"\w\w")
_ANY = re.compile(r"^[^\S\n]*+\S[^\n]*", re.MULTILINE)
_BULLET = re.compile(rf"- ({handle_pattern(HandleKind.MEMORY)}) \| ")
_SKILL = re.compile(r"- ([a-z0-9-]+): ")
_DISCLOSED = re.compile(r"Skill ([a-z0-9-]+) \(([^)\n]*)\)\.")
_SINGLE, _DOUBLE = "['‘’]", r'\\?["“”]'
_QUOTES = dict.fromkeys("'‘’", _SINGLE) | dict.fromkeys('"“”', _DOUBLE)
"""What phones make of quotes; in JSON a backslash stands before them, and for the end of a line."""
_CUT = "[withheld: "
_THEME = "theme:"
"""How the source of a section begins that a plugin's theme words (see `bot.plugins.context_parts`)."""
_SOURCES = {
    "channel:place": "channel_place",
    "channel:history": "channel_history",
    "channel:state": "channel_state",
    "channel:settings.mode": "channel_mode",
    "store:channel": "store_channel",
    "trigger:at": "trigger_at",
}
"""Sources of sections that are recorded by a word of the code, and what the sentence that names them calls them."""
Calls = Mapping[tuple[int, str, str], int]
"""Rows of tool calls by their turn, the tool, and what it returned."""
NO_CALLS: Calls = MappingProxyType({})
_TOKENS = re.compile(r"(\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*+\}\}|\{%(?:[^%{]|%(?!\}))*+%\})")
_LOOP = re.compile(r"\{%-?\s*(for|endfor)\b")
_NAME = re.compile(r"[a-z_][\w.]*", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')


class SourceKind(StrEnum):
    """What can put words into a request."""

    TEMPLATE = "template"
    CONFIG = "config"
    MEMORY = "memory"
    MESSAGE = "message"
    FILE = "file"
    ANSWER = "answer"
    CALL = "tool call"
    RESULT = "tool result"
    TOOL = "tool description"
    SUMMARY = "summary"
    SKILL = "skill"
    PROGRAM = "the program"


class WordSource(NamedTuple):
    """Who put words there: `what` in our own words, and the handle that opens the record (empty: it has none)."""

    kind: SourceKind
    what: str
    handle: str = ""


class WordHit(NamedTuple):
    """One place: where it stands in the request, the line around it as the reader may see it, and its source.

    `whole`: the words are no part of longer ones there.
    """

    where: str
    line: str
    source: WordSource
    whole: bool = True


class PieceLine(NamedTuple):
    """The line (from 1) of a section, or the tool, in which words stand; both are empty for those of a message."""

    section: str = ""
    line: int = 0
    tool: str = ""


class SourcedLine(NamedTuple):
    """A line of a request as its reader may see it: where it stands, and who put it there.

    `message` is the place of its message in the request (0: it stands in a section or a tool). `where` is for people,
    in their language; `piece` says the same to code.
    """

    where: str
    text: str
    source: WordSource
    message: int = 0
    piece: PieceLine = PieceLine()


class _Place(NamedTuple):
    """Where words stand in a text: the line (from 0) with its text, and the characters of it that they are."""

    number: int
    text: str
    start: int
    end: int
    whole: bool


class _Found(NamedTuple):
    """A place in a request, by what it stands in, with its source; `message` as in `SourcedLine`."""

    where: str
    place: _Place
    source: WordSource
    message: int = 0
    piece: PieceLine = PieceLine()


@dataclass(frozen=True)
class _Talk:
    """A message while it is searched: its words without the moving sections, and who called which tool."""

    index: int
    parts: tuple[MessagePart, ...]
    message: Message
    origin: MessageOrigin
    turn: int
    called: Mapping[str, str]
    calls: Calls

    @property
    def inbound(self) -> str:
        return handle(HandleKind.INBOUND, self.origin.inbound) if self.origin.inbound else ""

    @property
    def in_turn(self) -> str:
        return handle(HandleKind.TURN, self.turn) if self.turn else ""


def find(context: InspectedContext, side: DiffSide, words: str, calls: Calls = NO_CALLS) -> tuple[WordHit, ...]:
    """Return every place that holds the words, whatever their case, quotes and spaces, in the order of the request.

    Places where they are a part of longer words come behind all others.
    `calls` are the records of tool calls: their rows by tool and by what came back.
    """
    pattern = pattern_of(words)
    if pattern is None:
        return ()
    found = _everywhere(context, side, pattern, calls)
    hits = (WordHit(one.where, _around(one.place), one.source, one.place.whole) for one in found)
    return tuple(sorted(hits, key=lambda hit: not hit.whole))


def every_line(context: InspectedContext, side: DiffSide, calls: Calls = NO_CALLS) -> Iterator[SourcedLine]:
    """Yield each line of a request that has words, with what put it there, in the order of the request."""
    for one in _everywhere(context, side, _ANY, calls):
        yield SourcedLine(one.where, one.place.text, one.source, one.message, one.piece)


def _everywhere(context: InspectedContext, side: DiffSide, pattern: re.Pattern[str], calls: Calls) -> Iterator[_Found]:
    for piece in side.kept:
        if not piece.moving:
            yield from _in_section(piece, pattern)
    for tool in side.tools:
        yield from _in_tool(tool, pattern)
    yield from _in_messages(context, side, pattern, calls)


def pattern_of(words: str) -> re.Pattern[str] | None:
    """Return what finds some words as people write them; None when there are none."""
    pieces = ("".join(_QUOTES.get(c, re.escape(c)) for c in word) for word in words.split())
    text = r"(?:\s|\\n)+".join(pieces)
    return re.compile(text, re.IGNORECASE) if text else None


def _places(text: str, pattern: re.Pattern[str]) -> Iterator[_Place]:
    """Yield each line that holds the words, once; by preference where they are no part of longer ones."""
    if pattern.search(text) is None:
        return
    lines, starts = text.split("\n"), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    number, found = 0, None
    for match in pattern.finditer(text):
        while starts[number + 1] <= match.start():
            number += 1
        start, end = match.start() - starts[number], match.end() - starts[number]
        place = _Place(number, lines[number], start, min(end, len(lines[number])), _is_whole(text, *match.span()))
        if found is not None and found.number != number:
            yield found
        if found is None or found.number != number or (place.whole and not found.whole):
            found = place
    if found is not None:
        yield found


def _is_whole(text: str, start: int, end: int) -> bool:
    """Say whether no word goes on before or behind some characters."""
    around = (text[max(0, start - 1) : start + 1], text[end - 1 : end + 1])
    return not any(_WORD_INSIDE.fullmatch(two) for two in around)


def _around(place: _Place) -> str:
    """Cut a line out, from its beginning where that is near: a memory's id stands there."""
    start = 0 if place.start <= _CHARS_AROUND else place.start - _CHARS_AROUND // 2
    return excerpt(place.text[start : place.end + 100], 2 * _CHARS_AROUND)


def _in_section(piece: DiffPiece, pattern: re.Pattern[str]) -> Iterator[_Found]:
    if piece.text.startswith(_CUT):
        return
    section = say("find_words.section", name=piece.label)
    for place in _places(piece.text, pattern):
        where = say("find_words.in-section", section=section, line=str(place.number + 1))
        yield _Found(where, place, _of_section(piece, place), piece=PieceLine(piece.label, place.number + 1))


def _of_section(piece: DiffPiece, place: _Place) -> WordSource:
    """Say what gave a line of a section: a memory, a line of its template, or a value in that line."""
    remembered = _BULLET.match(place.text)
    if remembered is not None and f"memory:{remembered[1]}" in piece.sources:
        return WordSource(SourceKind.MEMORY, say("find_words.memory", handle=remembered[1]), remembered[1])
    template = _template(piece)
    if skill := _skill(piece, place):
        return skill
    if worded := next((source for source in piece.sources if source.startswith(_THEME)), ""):
        return WordSource(SourceKind.TEMPLATE, _theme_words(worded, piece.sources))
    found = template_origin(template, piece.text, place.number, place.start, place.end)
    others = tuple(source for source in piece.sources if not source.startswith("file:"))
    if found is None:
        return _of_value("", others)
    if found.value and others:
        return _of_value(found.value, others)
    file, line = template_path(template), str(found.line)
    if found.value:
        return WordSource(
            SourceKind.TEMPLATE, say("find_words.template-value", file=file, line=line, value=found.value)
        )
    return WordSource(SourceKind.TEMPLATE, say("find_words.template", file=file, line=line))


def _theme_words(theme: str, sources: Sequence[str]) -> str:
    """Name a theme, whose lines only its plugin has, and where the values come from that may stand in them."""
    others = [source_words(source) for source in sources if source != theme]
    named = theme.removeprefix(_THEME)
    if not others:
        return say("find_words.theme", name=named)
    return say("find_words.theme-with-values", name=named, sources=", ".join(others))


def _skill(piece: DiffPiece, place: _Place) -> WordSource | None:
    listed = _SKILL.match(place.text)
    known = skills_in(piece.sources)
    if listed is None or listed[1] not in known:
        return None
    version = known[listed[1]].partition(" ")[2]
    return WordSource(SourceKind.SKILL, say("find_words.skill", name=listed[1], version=version))


def _template(piece: DiffPiece) -> str:
    named = next((source for source in piece.sources if source.startswith("file:prompts/")), "")
    path = named.removeprefix("file:prompts/").partition("/")[2].removesuffix(".md.j2")
    return path or f"sections/{piece.label}"


def source_words(source: str) -> str:
    """Call a source of a section what people call it; a name that can be opened or typed stays."""
    kind, _, name = source.partition(":")
    if source in _SOURCES:
        return say("find_words.value-source", source=_SOURCES[source])
    if kind == "memory":
        return say("find_words.memory", handle=name)
    return name if kind == "file" else source


def _of_value(value: str, sources: tuple[str, ...]) -> WordSource:
    """Name the source of a value that a template shows: the configuration's key where it is one."""
    keys = [source.removeprefix("config:") for source in sources if source.startswith("config:")]
    wanted = value.rpartition(".")[2]
    # `bot_name` is the value of bot.name, `persona` that of bot.persona
    exact = [key for key in keys if wanted and key.replace(".", "_").endswith(wanted)]
    if keys and (exact or not wanted):
        return WordSource(SourceKind.CONFIG, say("find_words.config", keys=", ".join(exact or keys)))
    made = ", ".join(map(source_words, sources)) or say("find_words.no-source")
    value = value or say("find_words.a-value")
    return WordSource(SourceKind.PROGRAM, say("find_words.value-from", value=value, sources=made))


def _in_tool(tool: DiffPiece, pattern: re.Pattern[str]) -> Iterator[_Found]:
    try:
        described = orjson.loads(tool.text)
        texts = (("description", str(described["description"])), ("parameters", str(described["parameters"])))
    except (ValueError, KeyError, TypeError):
        texts = (("definition", tool.text), ("", ""))
    for what, text in texts:
        for place in _places(text, pattern):
            template = f"tools/{tool.label}"
            found = (
                template_origin(template, text, place.number, place.start, place.end) if what == "description" else None
            )
            said = say("find_words.tool-itself", part=what)
            if found:
                said = say("find_words.template", file=template_path(template), line=str(found.line))
            where = say("find_words.in-tool", name=tool.label, part=what)
            yield _Found(where, place, WordSource(SourceKind.TOOL, said), piece=PieceLine(tool=tool.label))


def _in_messages(context: InspectedContext, side: DiffSide, pattern: re.Pattern[str], calls: Calls) -> Iterator[_Found]:
    moving = [piece for piece in side.kept if piece.moving]
    called: dict[str, str] = {}
    for index, (piece, shown) in enumerate(zip(side.messages, context.messages, strict=True)):
        called.update({call.call_id: call.name for call in shown.message.calls})
        is_carrier = index == side.carrier
        if is_carrier:
            yield from (found for block in moving for found in _in_section(block, pattern))
        origin = piece.origin or MessageOrigin(shown.message.role.value)
        # what stands behind the newest message was written in its turn
        turn = origin.turn or (side.sent.turn if 0 <= side.carrier <= index else 0)
        parts = shown.message.parts[len(moving) if is_carrier else 0 :]
        yield from _in_message(_Talk(index + 1, parts, shown.message, origin, turn, called, calls), pattern)


def _in_message(talk: _Talk, pattern: re.Pattern[str]) -> Iterator[_Found]:
    for number, part in enumerate(talk.parts):
        is_last = number == len(talk.parts) - 1
        for where, text, source in _texts(talk, part, is_last=is_last):
            if not text.startswith(_CUT):
                for place in _places(text, pattern):
                    yield _Found(where, place, _certain(source, place), talk.index)


def _texts(talk: _Talk, part: MessagePart, *, is_last: bool) -> Iterator[tuple[str, str, WordSource]]:
    """Yield what can be searched of a part: where it stands, its text, and who put it there."""
    where = say("find_words.in-message", number=str(talk.index))
    match part:
        case TextPart(text=text) if talk.message.role is Role.USER and not talk.origin.summary:
            yield from _said(talk, where, text, is_last=is_last)
        case TextPart(text=text):
            yield where, text, _own(talk)
        case ImagePart(text=text, name=name):
            what = say("find_words.picture", name=file_name(name))
            sent = say("find_words.sent-with", what=what, message=talk.inbound)
            yield _within(where, what), text, WordSource(SourceKind.FILE, sent, talk.inbound)
        case ProviderData(provider=provider, data=data):
            name = one_line_name(provider, 40)
            added = WordSource(SourceKind.ANSWER, say("find_words.provider-added", name=name), talk.in_turn)
            yield _within(where, say("find_words.data-of", name=name)), data, added
        case ToolCall(name=name, arguments=arguments):
            name = one_line_name(name, 40)
            source = WordSource(SourceKind.CALL, say("find_words.model-asked", name=name), talk.in_turn)
            yield _within(where, say("find_words.call-of", name=name)), arguments, source
        case ToolResult(call_id=call_id, text=text):
            name = one_line_name(talk.called.get(call_id) or say("find_words.a-tool"), 40)
            row = talk.calls.get((talk.turn, talk.called.get(call_id, ""), text), 0)
            record = handle(HandleKind.CALL, row) if row else talk.in_turn
            source = WordSource(SourceKind.RESULT, say("find_words.tool-returned", name=name), record)
            if name == "activate_skill" and (disclosed := _DISCLOSED.match(text)):
                skill = say("find_words.skill", name=disclosed[1], version=disclosed[2])
                source = WordSource(SourceKind.SKILL, skill, record)
            yield _within(where, say("find_words.result-of", name=name)), text, source


def _said(talk: _Talk, where: str, text: str, *, is_last: bool) -> Iterator[tuple[str, str, WordSource]]:
    """Tell a file, the program's header line and a person's own words apart."""
    name = talk.inbound or say("find_words.a-message")
    if not talk.inbound and talk.origin.message_id:
        name = say("find_words.in-message", number=str(talk.origin.message_id))
    headed = parse_header(text)
    if headed is not None and is_last:
        header = text.partition("\n")[0]
        for one in quoted_words(headed.header):
            if one.words:
                whose = say("find_words.quoted", name=one_line_name(one.name, 40), message=name)
                quoted = _within(where, say("find_words.quotation"))
                yield quoted, one.words, WordSource(SourceKind.MESSAGE, whose, talk.inbound)
                header = canonical_json(without_words(headed.header))
        above = WordSource(SourceKind.PROGRAM, say("find_words.header-of", message=name), talk.inbound)
        yield _within(where, say("find_words.header")), header, above
        yield where, headed.text, WordSource(SourceKind.MESSAGE, say("find_words.said-in", message=name), talk.inbound)
        return
    filed = _filed(text) if not is_last else None
    if filed is not None:
        what = say("find_words.file", name=file_name(filed[0]))
        sent = say("find_words.sent-with", what=what, message=name)
        yield _within(where, what), filed[1], WordSource(SourceKind.FILE, sent, talk.inbound)
    else:
        yield where, text, WordSource(SourceKind.MESSAGE, say("find_words.said-in", message=name), talk.inbound)


def _within(place: str, what: str) -> str:
    return say("find_words.within", place=place, what=what)


def _filed(text: str) -> tuple[str, str] | None:
    """Read a text file that came with a message: its name and its content."""
    try:
        found = orjson.loads(text)
    except ValueError:
        return None
    if not isinstance(found, dict) or set(found) != {"content", "file"}:
        return None
    return str(found["file"]), str(found["content"])


def _own(talk: _Talk) -> WordSource:
    summary = talk.origin.summary
    if summary is not None:
        record = handle(HandleKind.COMPACTION, summary.compaction) if summary.compaction else ""
        return WordSource(SourceKind.SUMMARY, say("find_words.summary", count=summary.count), record)
    return WordSource(SourceKind.ANSWER, say("find_words.own-answer"), talk.in_turn)


def _certain(source: WordSource, place: _Place) -> WordSource:
    """Name the memory that a tool listed, where the line is one of a memory."""
    listed = _BULLET.match(place.text) if source.kind is SourceKind.RESULT else None
    if listed is None or "memory_recall" not in source.what or parse_handle(listed[1]) is None:
        return source
    what = say("find_words.listed-memory", what=source.what, handle=listed[1])
    return WordSource(SourceKind.RESULT, what, listed[1])


class TemplateOrigin(NamedTuple):
    """What gave some words: a line of the template (from 1), and the value in it that they are (empty: none)."""

    line: int
    value: str


class _Line(NamedTuple):
    """A line of a template: what it can become, which values stand in it, and how much of it is fixed."""

    number: int
    pattern: re.Pattern[str]
    values: tuple[str, ...]
    fixed: int
    repeats: bool


def template_origin(template: str, text: str, line: int, start: int, end: int) -> TemplateOrigin | None:
    """Say what gave the characters `start:end` of a line (from 0) of a section that was rendered from a template.

    None when no line of the template can have given it.
    """
    found = _aligned(template, text)[line : line + 1]
    match = found[0] if found else None
    if match is None:
        return None
    source, groups = match
    for value, (begins, ends) in zip(source.values, groups, strict=True):
        if start < ends and end > begins:
            shown = text.split("\n")[line][max(start, begins) : min(end, ends)]
            # words that the template itself chooses between
            if not any(shown in words for words in _QUOTED.findall(value)):
                return TemplateOrigin(source.number, _named(value))
    return TemplateOrigin(source.number, "")


Aligned = tuple[_Line, tuple[tuple[int, int], ...]]


@lru_cache(maxsize=256)
def _aligned(template: str, text: str) -> tuple[Aligned | None, ...]:
    """Match rendered lines with the template's, in order; each is used once, but for loops and values of many lines."""
    lines, at = _lines(template), 0
    found: list[Aligned | None] = []
    for rendered in text.split("\n"):
        best = _best(lines, rendered, at)
        found.append(best)
        if best is not None and not best[0].repeats:
            at = best[0].number
    return tuple(found)


def _best(lines: Sequence[_Line], rendered: str, at: int) -> Aligned | None:
    """Take the line with the most fixed words, among those that can still come."""
    best: Aligned | None = None
    for line in lines:
        if line.number <= at or (best is not None and line.fixed <= best[0].fixed):
            continue
        if match := line.pattern.fullmatch(rendered):
            best = line, tuple(match.span(group) for group in range(1, len(line.values) + 1))
    return best


@lru_cache(maxsize=64)
def _lines(template: str) -> tuple[_Line, ...]:
    return tuple(_read(template))


def _read(template: str) -> Iterator[_Line]:
    within = 0
    for number, raw in enumerate(template_lines(template), 1):
        for word in _LOOP.findall(raw):
            within += 1 if word == "for" else -1
        tokens = _TOKENS.split(raw.rstrip())
        fixed = [token for token in tokens if token and not token.startswith(("{{", "{%"))]
        values = tuple(token[2:-2].strip() for token in tokens if token.startswith("{{"))
        if not values and not "".join(fixed).strip():
            continue
        pattern = "".join(_pattern(token) for token in tokens)
        repeats = within > 0 or (len(values) == 1 and not "".join(fixed).strip())
        yield _Line(number, re.compile(pattern), values, len("".join(fixed).strip()), repeats)


def _pattern(token: str) -> str:
    if token.startswith("{{"):
        return "(.*?)"
    return "" if token.startswith("{%") else re.escape(token)


def _named(expression: str) -> str:
    """Return the name of the value in an expression: `line.content`, `channel`."""
    found = _NAME.search(_QUOTED.sub("", expression))
    return found[0] if found else expression
