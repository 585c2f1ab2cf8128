"""Lay a part of a context out for a phone: changes are marked, lines fit, and a page fits one message anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.diff.context_diff import line_changes
from bot.inspect.diff.diff_side import DiffPiece, DiffSide
from bot.text.invisible import visible
from bot.text.links import defang
from bot.text.markdown.tables import MAX_PHONE_COLUMNS, columns
from bot.text.text import fence, utf16_length

MAX_PAGE_UNITS = 1_200
"""UTF-16 units of a page's words: with everything around them they fit one message on each platform."""
NEW, GONE, SAME = "+", "−", " "


class PartLine(NamedTuple):
    """A line of a part: whether it is new, gone or as before, and in which message of the history it stands."""

    sign: str
    text: str
    message: int = 0


class PartPages(NamedTuple):
    """A part in pages. `is_changed`: None where nothing was compared; `hidden`: what differs is not for this reader."""

    pages: tuple[str, ...]
    first_messages: tuple[int, ...] = ()
    is_changed: bool | None = None
    hidden: bool = False


def section_lines(text: str, before: str | None) -> list[PartLine]:
    """Mark the lines of a text that were not in the text before; None where there was none at all."""
    if before is None:
        return [PartLine(NEW, line) for line in text.split("\n")]
    lines = [PartLine(SAME, line) for line in text.split("\n")]
    for change in reversed(line_changes(before, text)):
        start = change.second - 1
        lines[start : start + len(change.after)] = [
            *(PartLine(GONE, line) for line in change.before),
            *(PartLine(NEW, line) for line in change.after),
        ]
    return lines


def piece_of(pieces: Iterable[DiffPiece], label: str) -> DiffPiece | None:
    """Find a section or a tool."""
    return next((piece for piece in pieces if piece.label == label), None)


def is_new_message(side: DiffSide, before: DiffSide) -> list[bool]:
    """Say of each message whether it was not told before."""
    known = {piece.name for piece in before.messages}
    return [piece.name not in known for piece in side.messages]


def in_pages(lines: Sequence[PartLine], *, is_compared: bool, hidden: bool = False) -> PartPages:
    """Break lines and cut pages; signs stand before the lines where something changed."""
    is_changed = any(line.sign != SAME for line in lines)
    signed = is_compared and is_changed
    pages: list[list[str]] = [[]]
    firsts, size = [lines[0].message if lines else 0], 0
    for line in lines:
        for row in _rows(line, signed=signed):
            units = utf16_length(row) + 1
            if pages[-1] and size + units > MAX_PAGE_UNITS:
                pages.append([])
                firsts.append(line.message)
                size = 0
            pages[-1].append(row)
            size += units
    return PartPages(
        tuple(fence("\n".join(rows)) for rows in pages),
        tuple(firsts),
        (is_changed or hidden) if is_compared else None,
        hidden,
    )


def part_names(shown: InspectedContext, *, has_answer: bool) -> tuple[str, ...]:
    """List what can be read, always in one order, so that a place can be named by its number."""
    traces = [(one.trace.name, one.text or one.trace.tokens) for one in shown.sections]
    sections = (f"section:{name}" for name, is_there in traces if is_there)
    tools = (f"tool:{tool.definition.name}" for tool in shown.tools)
    answer = ("answer",) if has_answer else ()
    return (*sections, "history", "tools", *answer, "status", *tools)


def _rows(line: PartLine, *, signed: bool) -> Iterator[str]:
    """Write one line in as many as a phone needs; nothing in it is a link or a ping."""
    head = f"{line.sign} " if signed else ""
    for row in _broken(defang(visible(line.text)), MAX_PHONE_COLUMNS - len(head)):
        yield f"{head}{row}".rstrip() if row.strip() else head.rstrip()


def _broken(text: str, width: int) -> Iterator[str]:
    """Break between words where that can be done, else within one."""
    while columns(text) > width or len(text) > 2 * width:
        end = _fitting(text, width)
        space = text.rfind(" ", 1, end + 1)
        if space > 0 and text[:space].strip():
            yield text[:space]
            text = text[space + 1 :]
        else:
            yield text[:end]
            text = text[end:]
    yield text


def _fitting(text: str, width: int) -> int:
    """Return how many characters fit; at least one."""
    used = 0
    for at, character in enumerate(text[: 2 * width]):
        used += columns(character)
        if used > width:
            return max(1, at)
    return max(1, min(len(text), 2 * width))
