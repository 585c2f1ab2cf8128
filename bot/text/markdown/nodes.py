"""The document model of an answer: blocks of words, marks, code and links. Lists stand in the prefix of their lines."""

from __future__ import annotations

from typing import NamedTuple

BOLD, ITALIC, STRIKE, UNDERLINE, SPOILER = "bold", "italic", "strike", "underline", "spoiler"


class PlainWords(NamedTuple):
    """Plain words, and how they are written so that they stay plain: `*` may need a backslash."""

    text: str
    source: str


class InlineCode(NamedTuple):
    """Code within a line, or a formula: nothing in it is read."""

    text: str


class MarkedWords(NamedTuple):
    """Words between two marks."""

    kind: str
    mark: str
    inside: Inlines


class InlineLink(NamedTuple):
    """Words that lead somewhere; `source` is how the whole was written."""

    label: Inlines
    address: str


Inline = PlainWords | InlineCode | MarkedWords | InlineLink
Inlines = tuple[Inline, ...]


class Paragraph(NamedTuple):
    """Lines that belong together. `blank`: how many empty lines stand before; `prefix`: indentation and list marks."""

    blank: int
    prefix: str
    inside: Inlines


class Heading(NamedTuple):
    """A title of some level."""

    blank: int
    prefix: str
    level: int
    inside: Inlines


class CodeFence(NamedTuple):
    """A block of code, without its indentation; `head`: its first lines that are repeated after a cut."""

    blank: int
    prefix: str
    info: str
    text: str
    head: str = ""


class BlockQuote(NamedTuple):
    blank: int
    prefix: str
    inside: tuple[Block, ...]


class TableBlock(NamedTuple):
    """Rows of cells; `sides` says of each column whether it is aligned `left`, `right` or `center`."""

    blank: int
    prefix: str
    head: tuple[Inlines, ...]
    rows: tuple[tuple[Inlines, ...], ...]
    sides: tuple[str, ...]


class ThematicBreak(NamedTuple):
    """A line across."""

    blank: int
    prefix: str


Block = Paragraph | Heading | CodeFence | BlockQuote | TableBlock | ThematicBreak
Blocks = tuple[Block, ...]


def bare_text(inlines: Inlines) -> str:
    """Return the words without their marks."""
    return "".join(
        one.text
        if isinstance(one, PlainWords | InlineCode)
        else bare_text(one.label)
        if isinstance(one, InlineLink)
        else bare_text(one.inside)
        for one in inlines
    )


def without_bold(inlines: Inlines) -> Inlines:
    """Take off what is bold within what is bold."""
    if not any(isinstance(one, MarkedWords | InlineLink) for one in inlines):
        return inlines
    found: list[Inline] = []
    for one in inlines:
        if isinstance(one, MarkedWords):
            inside = without_bold(one.inside)
            found += inside if one.kind == BOLD else (one._replace(inside=inside),)
        else:
            found.append(one._replace(label=without_bold(one.label)) if isinstance(one, InlineLink) else one)
    return tuple(found)
