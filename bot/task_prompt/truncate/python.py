"""Shorten Python: bodies go first, then docstrings, then all but names. What is kept is found by `ast`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.task_prompt.truncate.python_lines import LineRange, StrippedSource, blank, logical_end, strip_bodies
from bot.task_prompt.truncate.rung import LadderRung, count_of, short_bodies

_MAX_STATEMENT_LINES = 3
"""Lines of a statement that stay, even if it defines nothing."""
_PIECE_CHARS = 8_000
"""Characters that are parsed at a time: no other thread runs meanwhile (about 3 ms)."""
_MAX_WHOLE_CHARS = 200_000
"""Characters of a source that is parsed with its bodies when it cannot be parsed without them."""
_MIN_TOKENS_A_NAME = 2
_NAMED = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
_IMPORTED = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([\w.]+))", re.MULTILINE)
_CONTINUES = re.compile(r"(?:else|elif|except|finally|case)\b|[)\]}]")


class OutlineItem(NamedTuple):
    """A class or function, or a long statement, which has no name.

    `depth` counts the classes around it. `lead` is the indentation, or what stays of a long statement's first line.
    `hollow`: there is nothing in it but its docstring.
    """

    kind: str
    name: str
    depth: int
    header: int
    doc: LineRange | None
    body: LineRange | None
    lead: str = ""
    hollow: bool = False


@dataclass
class SourceOutline:
    """What stands where in a source. `parsed` is False where the pattern of its lines is all there is to go by."""

    lines: list[str]
    blanked: list[str]
    items: list[OutlineItem] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    parsed: bool = True


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield: long bodies as `...  # N lines`, all bodies so, without docstrings and comments, names only."""
    if _too_many_names(content, room):
        return
    outline = read(content)
    guessed = "" if outline.parsed else "; it is not valid Python, so this goes by its lines"
    bodies = [item.body.number for item in outline.items if item.body]
    lines = count_of(len(outline.lines), "line")
    cut = f"{count_of(len(bodies), 'body', 'bodies')}, {sum(bodies):,} of {lines}"
    if bodies:
        without = _without(outline, docs=True)
        for length in short_bodies(bodies, _characters_of_bodies(outline), len(without), room):
            gone = [number for number in bodies if number > length]
            long = f"the {count_of(len(gone), 'longest body', 'longest bodies')}, {sum(gone):,} of {lines}"
            yield LadderRung("long bodies", _without(outline, docs=True, keeps=length), f"cut: {long}{guessed}")
        yield LadderRung("bodies", without, f"cut: {cut}{guessed}")
    both = f"{cut}; docstrings and comments" if bodies else f"docstrings and comments of {lines}"
    yield LadderRung("no docstrings", _without(outline, docs=False), f"cut: {both}{guessed}")
    yield LadderRung("names", _names(outline), f"cut: all but names, of {lines}{guessed}")


def _too_many_names(content: str, room: int) -> bool:
    """Say whether not even the names fit; looked for only where there may be so many."""
    most = room // _MIN_TOKENS_A_NAME
    return content.count("def ") + content.count("class ") > most and len(_NAMED.findall(content)) > most


def read(source: str) -> SourceOutline:
    """Find what is defined where: without the bodies, else with them, else by the pattern of the lines."""
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    lines, blanked = source.split("\n"), blank(source)
    stripped = strip_bodies(blanked)
    outline = SourceOutline(lines, blanked)
    if _parse(outline, stripped, _pieces(stripped.lines)):
        return outline
    whole = StrippedSource([], [], [], [])
    whole.keep(blanked, 0, len(blanked))
    if len(source) <= _MAX_WHOLE_CHARS and _parse(outline, whole, [(0, len(blanked))]):
        return outline
    return _by_pattern(outline, stripped)


def _parse(outline: SourceOutline, source: StrippedSource, pieces: Iterable[tuple[int, int]]) -> bool:
    reader = _Reader(outline, source)
    try:
        for start, end in pieces:
            reader.read(start, ast.parse("\n".join(source.lines[start:end])))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        outline.items.clear()
        outline.imports.clear()
        return False
    return True


def _pieces(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Cut between statements of the outermost level, though not behind a decorator."""
    start = size = 0
    before = " "
    for number, line in enumerate(lines):
        if size > _PIECE_CHARS and _begins(line, before, lines[number - 1]):
            yield start, number
            start, size = number, 0
        size += len(line) + 1
        if line and not line.isspace():
            before = line
    yield start, len(lines)


def _begins(line: str, before: str, above: str) -> bool:
    """Say whether a statement of the outermost level may begin, `before` being the last line that says something."""
    outermost = line[:1].strip() and not _CONTINUES.match(line)
    return bool(outermost) and before[0] not in "@)]}" and above[-1:] != "\\"


class _Reader:
    """Turns the tree of one piece into items."""

    def __init__(self, outline: SourceOutline, source: StrippedSource) -> None:
        self.outline = outline
        self.source = source
        self.lines = source.lines
        self.shift = 0

    def read(self, shift: int, tree: ast.Module) -> None:
        self.shift = shift
        doc = self.doc(tree.body, -1) if shift == 0 else None
        if doc:
            self.outline.items.append(OutlineItem("", "", 0, doc.first - 1, doc, None))
        self.block(tree.body[1 if doc else 0 :], 0)

    def block(self, body: Sequence[ast.stmt], depth: int) -> None:
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.function(node, depth)
                case ast.ClassDef():
                    self.klass(node, depth)
                case ast.Import() | ast.ImportFrom():
                    self.imported(node)
                case _:
                    self.other(node, depth)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> None:
        kind = "def" if isinstance(node, ast.FunctionDef) else "async def"
        header = self.before(node.body[0])
        doc = self.doc(node.body, header)
        rest = node.body[1:] if doc else node.body
        body = self.span(rest[0], rest[-1]) if rest else None
        if body and body.first <= header:
            # on the line of its header
            body = None
        lead, hollow = " " * node.col_offset, doc is not None and not rest
        self.outline.items.append(OutlineItem(kind, node.name, depth, header, doc, body, lead, hollow))

    def klass(self, node: ast.ClassDef, depth: int) -> None:
        lead, header = " " * node.col_offset, self.before(node.body[0])
        doc = self.doc(node.body, header)
        rest = node.body[1 if doc else 0 :]
        self.outline.items.append(
            OutlineItem("class", node.name, depth, header, doc, None, lead, doc is not None and not rest)
        )
        self.block(rest, depth + 1)

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.ImportFrom):
            self.outline.imports.append("." * node.level + (node.module or ""))
        else:
            self.outline.imports += [alias.name for alias in node.names]

    def other(self, node: ast.stmt, depth: int) -> None:
        blocks = _blocks(node)
        if any(isinstance(below, _DEFINES) for block in blocks for below in block):
            for block in blocks:
                self.block(block, depth)
            return
        span = self.span(node, node)
        if span.number > _MAX_STATEMENT_LINES:
            self.outline.items.append(
                OutlineItem("", "", depth, span.first - 1, None, span, self.lead(node, span.first))
            )

    def lead(self, node: ast.stmt, first: int) -> str:
        """Return what stands before the value of an assignment, or the indentation."""
        value = getattr(node, "value", None)
        line = self.outline.lines[first]
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and value and value.lineno == node.lineno:
            # what is put in brackets begins before its value
            return line[: _characters(self.line(value.lineno), value.col_offset)].rstrip("( ") + " "
        return line[: len(line) - len(line.lstrip())]

    def doc(self, body: Sequence[ast.stmt], header: int) -> LineRange | None:
        """Return where a docstring stands; None if there is none, or if it shares a line with the header."""
        first = body[0] if body else None
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
            return None
        if not isinstance(first.value.value, str):
            return None
        span = self.span(first, first)
        return span if span.first > header else None

    def before(self, node: ast.stmt) -> int:
        """Return the last line of a header, which may be the node's own."""
        number = self.shift + node.lineno - 1
        line = self.lines[number]
        own = line[: _characters(line, node.col_offset)].strip()
        while not own and number:
            number -= 1
            own = self.lines[number].strip()
        return self.source.last[number]

    def span(self, first: ast.stmt, last: ast.stmt) -> LineRange:
        begins = min((d.lineno for d in getattr(first, "decorator_list", [])), default=first.lineno)
        end = logical_end(self.lines, self.shift + (last.end_lineno or last.lineno) - 1)
        return LineRange(self.source.first[self.shift + begins - 1], self.source.last[end])

    def line(self, number: int) -> str:
        return self.lines[self.shift + number - 1]


_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.If, ast.Try)


def _blocks(node: ast.stmt) -> list[Sequence[ast.stmt]]:
    """Return what a statement such as `if` or `try` holds, part by part."""
    found = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    handlers = [part.body for part in (*getattr(node, "handlers", []), *getattr(node, "cases", []))]
    return [block for block in (found[0], *handlers, *found[1:]) if isinstance(block, list) and block]


def _characters(line: str, offset: int) -> int:
    """Turn an offset in bytes into one in characters."""
    return offset if line.isascii() else len(line.encode()[:offset].decode(errors="ignore"))


def _by_pattern(outline: SourceOutline, stripped: StrippedSource) -> SourceOutline:
    outline.parsed = False
    bodies = {function.header.first: function for function in stripped.functions}
    for number, line in enumerate(outline.blanked):
        found = _NAMED.match(line)
        function = bodies.get(number)
        if found is None or (function is None and not line.lstrip().startswith("class")):
            continue
        depth = 1 if line[0].isspace() else 0
        if function:
            item = OutlineItem("def", found[1], depth, function.header.last, function.doc, function.body)
        else:
            item = OutlineItem("class", found[1], depth, number, None, None)
        outline.items.append(item)
    outline.imports = [one or other for one, other in _IMPORTED.findall("\n".join(stripped.lines))]
    return outline


def _characters_of_bodies(outline: SourceOutline) -> list[int]:
    bodies = [item.body for item in outline.items if item.body]
    return [sum(map(len, outline.lines[body.first : body.last + 1])) + body.number for body in bodies]


def _without(outline: SourceOutline, *, docs: bool, keeps: int = 0) -> str:
    """Leave out docstrings and comments, unless `docs`, and bodies of more than `keeps` lines."""
    kept: list[str] = []
    at = 0
    for item in outline.items:
        if item.body and item.body.number <= keeps:
            continue
        doc = item.doc if docs else None
        begins = item.body.first if item.body else item.doc.first if item.doc else at
        gone = [lines for lines in (item.doc, item.body) if lines and lines is not doc]
        if not gone or begins < at:
            continue
        first, last = gone[0].first, gone[-1].last
        if item.kind and item.body and doc is None:
            # between a header and what is cut there may be comments, which go too
            first = item.header + 1
        kept += _kept(outline, at, first, docs)
        at = last + 1
        if item.body:
            _elide(kept, outline, item, on_header=doc is None)
        elif item.hollow:
            kept.append(f"{item.lead}    ...")
    kept += _kept(outline, at, len(outline.lines), docs)
    return "\n".join(kept).strip("\n")


def _kept(outline: SourceOutline, start: int, end: int, comments: bool) -> list[str]:
    if comments:
        return outline.lines[start:end]
    within = range(start, min(end, len(outline.lines)))
    return [
        outline.lines[n] for n in within if outline.blanked[n].strip() or (n and outline.blanked[n - 1][-1:] == "\\")
    ]


def _elide(kept: list[str], outline: SourceOutline, item: OutlineItem, *, on_header: bool) -> None:
    assert item.body
    dots = f"...  # {count_of(item.body.number, 'line')}"
    if item.kind and on_header and kept:
        header = outline.lines[item.header][: len(outline.blanked[item.header].rstrip())]
        kept[-1] = f"{header} {dots}"
    elif item.kind:
        line = outline.lines[item.body.first]
        kept.append(line[: len(line) - len(line.lstrip())] + dots)
    else:
        kept.append(item.lead + dots)


def _names(outline: SourceOutline) -> str:
    lines = [f"imports: {', '.join(dict.fromkeys(outline.imports))}"] if outline.imports else []
    for item in outline.items:
        if not item.kind:
            continue
        named = f"{item.kind} {item.name}"
        if item.depth and lines and lines[-1].startswith("class "):
            lines[-1] += f"{':' if ':' not in lines[-1] else ','} {item.name}"
        else:
            lines.append(named)
    return "\n".join(lines)
