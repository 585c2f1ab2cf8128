"""Show links as text: whole and to be copied, but nothing that a chat makes a link of or looks up for a preview."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from bot.text.links import defang, links_in
from bot.text.markdown.blocks import read
from bot.text.markdown.nodes import (
    Block,
    BlockQuote,
    CodeFence,
    InlineCode,
    Inlines,
    MarkedWords,
    PlainWords,
    TableBlock,
    ThematicBreak,
)
from bot.text.markdown.nodes import InlineLink as MarkdownLink

_CODE = re.compile(r"(```.+?```|``.+?``|`[^`]+`)", re.DOTALL)
"""What Discord takes for code."""
_WITH_LABEL = re.compile(
    r"!?\[(?P<label>(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]{0,200}\]){0,1000})\]"
    r"\(<?(?P<target>[^\s<>\"`]{1,2000}?)>?(?:[ ]+\"[^\"\n]{0,300}\")?\)"
)
_MARKS = re.compile(r"[\\`*_~|]+")
"""With these, as with `&#46;`, a host may be written so that only what is drawn has it: `evil\\.com`."""
_LAST_RUN = re.compile(r"(?<!\S)\S+\Z")
Cut = Callable[[str], tuple[str, ...]]


def hosts_in(text: str) -> tuple[str, ...]:
    """Return the hosts to which a text may lead in whatever way it is drawn and cut, each once; most have none."""
    found = dict.fromkeys(_hosts(text))
    bare = _MARKS.sub("", html.unescape(text))
    if bare != text:
        found.update(dict.fromkeys(_hosts(bare)))
    # whatever is taken for a mark, nothing in it is like a link: then it need not be read
    return tuple(dict.fromkeys((*found, *_live_hosts(text)))) if found else ()


def _live_hosts(text: str) -> Iterator[str]:
    """Yield the hosts to which a text that is drawn as Markdown has links outside code."""
    yield from _hosts("\n".join(_outside_code(text)))
    yield from _hosts("\n".join(_drawn(read(text))))


def _unmarked(text: str) -> str:
    """Return the text without anything that could be a mark, and dead."""
    return defang(_MARKS.sub("", html.unescape(text)))


def _whole(text: str) -> tuple[str, ...]:
    return (text,)


def as_text(text: str, hosts: Collection[str], cut: Cut = _whole) -> tuple[str, ...]:
    """Show every link to one of these hosts (as `hosts_in` names them) as code, which no chat makes a link of.

    A link behind other words stands behind them: `[label](https://a.com)` becomes ``label (`https://a.com`)``. Where
    marks of the text would undo that, all of the text is a block of code. `cut` makes the parts that are sent, which
    are looked at once more: a cut, too, could make a link of half of one.
    """
    parts = cut(text)
    if not hosts or (not _lead_to(parts, hosts) and not _lead_to((text,), hosts)):
        return parts
    for shown in _ways_to_show(text, hosts):
        parts = cut(shown)
        if not _lead_to(parts, hosts):
            return parts
    return tuple(_unmarked(part) for part in parts)


def _lead_to(parts: Sequence[str], hosts: Collection[str]) -> bool:
    return any(host in hosts for part in parts for host in _live_hosts(part))


def _ways_to_show(text: str, hosts: Collection[str]) -> Iterator[str]:
    pieces = _CODE.split(text)
    for ticks in ("`", "``"):
        # what was split at stands at the odd places
        yield "".join(piece if n % 2 else _in_code(piece, hosts, ticks) for n, piece in enumerate(pieces))
    # a mark that looks the same and ends no block
    yield f"```\n{text.replace('`', 'ˋ')}\n```"
    yield _unmarked(text)


def without_last_link(text: str) -> str:
    """Leave out a link at the very end of a text that goes on: who knows yet to which host it will lead."""
    run = _LAST_RUN.search(text)
    if run is None or not any(sign in run[0] for sign in ".．。｡/／"):
        return text
    return text[: run.start()].rstrip() if "/" in run[0] or any(True for _ in links_in(run[0])) else text


def _hosts(text: str) -> Iterator[str]:
    for link in links_in(text):
        yield from link.hosts


def _in_code(piece: str, hosts: Collection[str], ticks: str) -> str:
    parts, at = [], 0
    for found in _WITH_LABEL.finditer(piece):
        if any(host in hosts for host in _hosts(found["target"])):
            label = _bare_in_code(found["label"], hosts, ticks)
            parts += [_bare_in_code(piece[at : found.start()], hosts, ticks), label, " " if label else ""]
            parts.append(f"({ticks}{found['target']}{ticks})")
            at = found.end()
    return "".join([*parts, _bare_in_code(piece[at:], hosts, ticks)])


def _bare_in_code(piece: str, hosts: Collection[str], ticks: str) -> str:
    parts, at = [], 0
    for link in links_in(piece):
        if not any(host in hosts for host in link.hosts):
            continue
        start, end = link.start, link.end
        if piece[start - 1 : start] == "<" and piece[end : end + 1] == ">":
            parts += [piece[at : start - 1]]
            at = end + 1
        else:
            parts += [piece[at:start]]
            at = end
        parts.append(f"{ticks}{piece[start:end]}{ticks}")
    return "".join([*parts, piece[at:]])


def _outside_code(text: str) -> list[str]:
    return _CODE.split(text)[::2] if "`" in text else [text]


def _drawn(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Say what can be read of a text and what its links lead to; code is left out."""
    for block in blocks:
        match block:
            case CodeFence() | ThematicBreak():
                continue
            case BlockQuote():
                yield from _drawn(block.inside)
            case TableBlock():
                for cell in (*block.head, *(cell for row in block.rows for cell in row)):
                    yield _written(cell)
            case _:
                yield block.prefix + _written(block.inside)


def _written(inlines: Inlines) -> str:
    parts: list[str] = []
    for one in inlines:
        match one:
            case PlainWords():
                parts.append(one.text)
            case InlineCode():
                parts.append("\n")
            case MarkedWords():
                parts.append(_written(one.inside))
            case MarkdownLink():
                parts.append(f"{_written(one.label)} {one.address} ")
    return "".join(parts)
