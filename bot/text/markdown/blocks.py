"""Read an answer into blocks, with markdown-it's rules for what stands inside what, where models and CommonMark agree.

They do not agree on all: whoever writes four spaces means no code, a line under a quote is not quoted, a line under a
word makes no heading, and a block of Markdown that holds a block of code ends where its own end is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, hr, list_block
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from bot.text.markdown.inline_marks import read_inline
from bot.text.markdown.nodes import (
    Block,
    BlockQuote,
    Blocks,
    CodeFence,
    Heading,
    Inlines,
    Paragraph,
    PlainWords,
    TableBlock,
    ThematicBreak,
)

MAX_READ_CHARS = 200_000
"""Characters of an answer that are read for marks; what is longer goes out as a file, but for its beginning."""
_MAX_DEPTH = 60
_TOO_DEEP = re.compile(r"^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t]+)){16}", re.MULTILINE)
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*(.*)")
_MARKER = re.compile(r"[ \t]*(?:[-*+]|(\d{1,9})([.)]))(?:[ \t]+|$)")
_NUMBER = re.compile(r"[0-9]{1,9}[.)][ \t]+[^ \t\n]")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_BULLET = re.compile(r"\*(?=[ \t]|$)")
_INDENT = re.compile(r"[ \t]*")
_RULERS = frozenset("|:-")
_HOLDS_FENCES = frozenset({"", "markdown", "md", "mdx", "rst", "text", "txt", "plaintext"})
_FORMULA = re.compile(r"(\\\[|\$\$|\\begin\{[A-Za-z]{1,20}\*?\})")
_FORMULA_ENDS = {"\\[": "\\]", "$$": "$$"}
_MAX_FORMULA_LINES = 60


def read(text: str) -> Blocks:
    """Read an answer; what no rule reads is a paragraph, and nothing of it is lost."""
    head, rest = text, ""
    if len(text) > MAX_READ_CHARS:
        cut = text.rfind("\n", 0, MAX_READ_CHARS) + 1 or MAX_READ_CHARS
        head, rest = text[:cut], text[cut:]
    blocks = _read(head)
    if all(_says_nothing(block) for block in blocks):
        # marks alone are what is to be said
        return (Paragraph(0, "", (PlainWords(text, text),)),) if blocks else ()
    return (*blocks, Paragraph(0, "", (PlainWords(rest, rest),))) if rest else blocks


def _says_nothing(block: Block) -> bool:
    return isinstance(block, ThematicBreak) or (
        isinstance(block, CodeFence) and not block.text.strip() and not block.info
    )


def _read(text: str) -> Blocks:
    if _TOO_DEEP.search(text) is None:
        tokens = _PARSER.parse(text)
        if all(token.level < _MAX_DEPTH - 2 for token in tokens):
            return _Builder(text.split("\n"), tokens).blocks()
    return (Paragraph(0, "", read_inline(text)),)


# rules


def _words(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a line that begins with a letter, which only a table's head does too, without asking every rule."""
    return not silent and _is_words(state, start, end) and _paragraph(state, start, end, silent)


def _is_words(state: StateBlock, line: int, end: int) -> bool:
    at = _begin(state, line)
    if not state.src[at : at + 1].isalpha():
        return False
    at = _begin(state, line + 1) if line + 1 < end else len(state.src)
    return state.src[at : at + 1] not in _RULERS


def _begin(state: StateBlock, line: int) -> int:
    return state.bMarks[line] + state.tShift[line]


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take lines as they are written, up to where something else begins."""
    ends, line, before = state.md.block.ruler.getRules("paragraph"), start + 1, state.parentType
    state.parentType = "paragraph"
    last = state.lineMax
    while line < last and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if not _is_words(state, line, last) and any(rule(state, line, last, True) for rule in ends):
            break
        line += 1
    token = state.push("inline", "", 0)
    first = state.src[_begin(state, start) : state.eMarks[start]]
    others = [state.src[state.bMarks[n] : state.eMarks[n]] for n in range(start + 1, line)]
    token.content = "\n".join([first, *others])
    token.map = [start, line]
    state.line, state.parentType = line, before
    return True


def _fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    found = _FENCE.match(state.src, _begin(state, start), state.eMarks[start])
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return False
    if silent:
        return True
    last, is_closed = _last_line(state, start, end, found)
    token = state.push("fence", "code", 0)
    token.info, token.markup = found[2].strip(), found[1]
    # models indent the marks of a block and not what is in it
    indents = (state.sCount[n] for n in range(start + 1, last) if not state.isEmpty(n))
    indent = max(0, min((state.sCount[start], *indents)))
    token.content = state.getLines(start + 1, last, indent, False) if last > start + 1 else ""
    token.map = [start, last + is_closed]
    token.meta["is_closed"] = is_closed
    state.line = last + is_closed
    return True


def _last_line(state: StateBlock, start: int, end: int, found: re.Match[str]) -> tuple[int, bool]:
    """Find the line that closes a fence, and whether there is one."""
    marks, depth, first = found[1], 1, None
    language = found[2].strip().split(" ")[0].lower()
    for n in range(start + 1, end):
        inner = _FENCE.match(state.src, _begin(state, n), state.eMarks[n])
        if inner is None or inner[1][0] != marks[0] or len(inner[1]) < len(marks):
            continue
        if not inner[2].strip():
            first = n if first is None else first
            depth -= 1
        elif "`" not in inner[2]:
            depth += 1
        if language not in _HOLDS_FENCES and first is not None:
            break
        if depth == 0:
            return n, True
    if first is not None:
        return first, True
    # never closed: what stands further left is not in it, as far as that is in a list
    outside = (n for n in range(start + 1, end) if not state.isEmpty(n) and state.sCount[n] < state.blkIndent)
    return next(outside, end), False


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Take a formula that has lines of its own: `\[`, `$$`, or an environment of LaTeX."""
    found = _FORMULA.match(state.src, _begin(state, start), state.eMarks[start])
    if found is None:
        return False
    closing = _FORMULA_ENDS.get(found[1]) or found[1].replace("begin", "end")
    for n in range(start, min(end, start + _MAX_FORMULA_LINES)):
        if state.isEmpty(n):
            return False
        line = state.src[found.end() if n == start else _begin(state, n) : state.eMarks[n]].rstrip()
        at = line.find(closing)
        if at >= 0:
            if line[at + len(closing) :].strip(" .,;:"):
                return False
            break
    else:
        return False
    if silent:
        return True
    token = state.push("formula", "", 0)
    token.content = state.getLines(start, n + 1, state.sCount[start], False)
    token.map = [start, n + 1]
    state.line = n + 1
    return True


def _across(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a line across; a row of stars is none, it hides something."""
    return not state.src.startswith("****", _begin(state, start)) and hr(state, start, end, silent)


def _quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a quote; three angles are the prompt of a program."""
    return not state.src.startswith(">>>", _begin(state, start)) and blockquote(state, start, end, silent)


def _list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a list; one that begins with any number ends a paragraph, as it would where the paragraph was cut off."""
    return (silent and _NUMBER.match(state.src, _begin(state, start)) is not None) or list_block(
        state, start, end, silent
    )


def _not_lazy(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """End a quote where its marks end, and a table where its columns end."""
    if not silent:
        return False
    if state.parentType == "table":
        return "|" not in state.src[_begin(state, start) : state.eMarks[start]]
    return state.parentType == "blockquote"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero")
    parser.core.ruler.enableOnly(["block"])
    parser.options["maxNesting"] = _MAX_DEPTH
    rules = parser.block.ruler
    rules.at("paragraph", _paragraph)
    rules.at("fence", _fence, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    rules.at("hr", _across, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    rules.at("blockquote", _quote, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    rules.at("list", _list, {"alt": ["paragraph", "reference", "blockquote"]})
    rules.before("fence", "formula", _formula, {"alt": ["paragraph", "blockquote", "list"]})
    rules.before("fence", "not_lazy", _not_lazy, {"alt": ["blockquote"]})
    rules.before("table", "words", _words)
    rules.enableOnly(
        ["words", "table", "formula", "not_lazy", "fence", "blockquote", "hr", "list", "heading", "paragraph"]
    )
    return parser


_PARSER = _parser()


# the tree


class _Count(NamedTuple):
    """The last number of a list, what is shown for it, and what stands behind it."""

    written: int
    shown: int
    closing: str


class _Counts:
    """Counts on where a number stands twice in a row, which leaves the counting to whoever draws it.

    What counts down, begins again or leaves some out stays as it is, so that what is shown is what is read of it again.
    A list is known by the column in which it stands: whoever writes two spaces means a list in a list, though Markdown
    takes it for the next item, or for the end of the one around it.
    """

    def __init__(self) -> None:
        self._columns: dict[int, _Count] = {}

    def end(self, column: int) -> None:
        """End the lists that stand in a column, or further in."""
        if self._columns:
            self._columns = {one: count for one, count in self._columns.items() if one < column}

    def number(self, column: int, written: str, closing: str) -> str:
        """Return the number of an item."""
        number, before = int(written), self._columns.get(column)
        self.end(column)
        goes_on = before is not None and before.closing == closing and number >= before.written
        shown = max(number, before.shown + 1) if before and goes_on else number
        self._columns[column] = _Count(number, shown, closing)
        return str(shown).zfill(len(written))


class _Builder:
    """Turns tokens into blocks; lists stand in the prefix of their lines."""

    def __init__(self, lines: Sequence[str], tokens: Sequence[Token]) -> None:
        self._lines = lines
        self._tokens = tokens
        self._at = 0
        self._line = 0
        self._counts = _Counts()
        self._items: list[int] = []
        self._quotes = 0
        self._dropped = 0

    def blocks(self) -> Blocks:
        found: list[Block] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if self._items and token.map and self._items[-1] < token.map[0]:
                # what belongs to the item begins on the next line
                found.append(self._empty_item())
            self._at += 1
            if token.type == "blockquote_close":
                break
            block = self._block(token)
            if block is None:
                continue
            if isinstance(block, Paragraph) and not block.inside and not block.prefix.strip():
                # a tag that is not drawn leaves no line
                self._dropped = max(self._dropped, block.blank)
                continue
            found.append(block._replace(blank=max(block.blank, self._dropped)) if self._dropped else block)
            self._dropped = 0
        return tuple(found)

    def _block(self, token: Token) -> Block | None:
        if token.type == "list_item_open" and token.map:
            self._items.append(token.map[0])
        elif token.type == "list_item_close" and self._items:
            return self._empty_item()
        elif token.type == "inline":
            return Paragraph(*self._begins(token), read_inline(token.content))
        elif token.type == "heading_open":
            inside = self._tokens[self._at]
            self._at += 2
            return Heading(*self._begins(token), len(token.markup), read_inline(inside.content))
        elif token.type == "fence":
            return CodeFence(*self._begins(token), token.info, token.content)
        elif token.type == "formula":
            return CodeFence(*self._begins(token), "", token.content)
        elif token.type == "hr":
            return ThematicBreak(*self._begins(token))
        elif token.type == "table_open":
            return self._table(token)
        elif token.type == "blockquote_open":
            return self._quote(token)
        return None

    def _begins(self, token: Token) -> tuple[int, str]:
        """Return how many empty lines stand before a block, and what stands before it on its line."""
        start, end = token.map or [self._line, self._line]
        blank, self._line = max(0, start - self._line), end
        line = self._unquoted(start)
        marks, at = self._marks(line)
        rest = _INDENT.match(line, at)
        prefix = marks + (rest[0] if rest else "")
        if not marks:
            self._counts.end(len(prefix))
        return blank, prefix

    def _marks(self, line: str) -> tuple[str, int]:
        """Return the marks of the items that begin on a line, and where they end."""
        many, self._items = len(self._items), []
        marks, at = "", 0
        for _ in range(many):
            found = _MARKER.match(line, at)
            if found is None:
                break
            if found[1]:
                number = self._counts.number(found.start(1), found[1], found[2])
                marks += f"{line[at : found.start(1)]}{number}{line[found.end(1) : found.end()]}"
            else:
                self._counts.end(found.end() - len(found[0].lstrip()))
                # a star at the beginning of a line looks like a mark that was forgotten; a plus may tell what was added
                marks += _BULLET.sub("-", found[0])
            at = found.end()
        return marks, at

    def _unquoted(self, number: int) -> str:
        line = self._lines[number] if number < len(self._lines) else ""
        for _ in range(self._quotes):
            line = line.partition(">")[2].removeprefix(" ")
        return line

    def _empty_item(self) -> Block:
        """Return the marks of items that stand alone on their line."""
        start = self._items[-1]
        blank, self._line = max(0, start - self._line), max(self._line, start + 1)
        return Paragraph(blank, self._marks(self._unquoted(start))[0].rstrip(), ())

    def _quote(self, token: Token) -> Block:
        start, end = token.map or [self._line, self._line]
        blank, prefix = self._begins(token)
        self._line = start
        self._quotes += 1
        around, self._counts = self._counts, _Counts()
        inside = self.blocks()
        self._counts = around
        self._quotes -= 1
        self._line = end
        return BlockQuote(blank, prefix, inside)

    def _table(self, token: Token) -> Block:
        begins = self._begins(token)
        rows: list[list[Inlines]] = []
        sides: list[str] = []
        surplus = ""
        while (one := self._tokens[self._at]).type != "table_close":
            self._at += 1
            if one.type == "tr_open":
                rows.append([])
                surplus = self._surplus((one.map or [0])[0], len(sides)) if sides else ""
            elif one.type == "inline":
                is_last = bool(sides) and len(rows[-1]) + 1 == len(sides) and len(rows) > 1
                rows[-1].append(read_inline(_BREAK.sub(" ", one.content + surplus * is_last)))
            elif one.type == "th_open":
                sides.append(str(one.attrs.get("style", "")).rpartition(":")[2])
        self._at += 1
        return TableBlock(*begins, tuple(rows[0]), tuple(tuple(row) for row in rows[1:]), tuple(sides))

    def _surplus(self, number: int, columns: int) -> str:
        """Return the cells of a row for which the table has no column."""
        cells = escapedSplit(self._unquoted(number).strip())
        cells = cells[1:] if cells and not cells[0] else cells
        return "".join(f" {cell.strip()}" for cell in cells[columns:] if cell.strip())
