"""Write where some words stand and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.cortex.words.quoting import quoted
from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.domain.snapshot import CaptureKind
from bot.inspect.diff.find_words import MAX_HITS, WordHit
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import excerpt

_MAX_LINE_CHARS = 110


class SearchedContext(NamedTuple):
    """A context that was searched: what it is called, and what was found; `hidden` places could not be searched."""

    label: str
    which: CaptureKind
    hits: tuple[WordHit, ...]
    hidden: int


class _Row(NamedTuple):
    """A place, and in which contexts it is."""

    hit: WordHit
    labels: tuple[str, ...]


def found_text(searched: Sequence[SearchedContext], name: str, redactor: Redactor) -> tuple[str, tuple[str, ...]]:
    """Return the first message and what follows it: places with their sources, and the lines as they stand there."""
    where = _called(searched[0])
    if len(searched) > 1:
        where = say("pages.two-places", first=where, second=_called(searched[1]))
    rows = sorted(_rows(searched), key=lambda row: not row.hit.whole)
    hidden = max((one.hidden for one in searched), default=0)
    missing = [say("pages.places-hidden", count=hidden)] if hidden else []
    if not rows:
        return "\n".join([say("pages.words-nowhere", place=name, where=where), *missing]), ()
    shown = rows[:MAX_HITS]
    head = [say("pages.places", count=len(rows), place=name, where=where), ""]
    lines = [excerpt(_line(number, row, searched), _MAX_LINE_CHARS) for number, row in enumerate(shown, 1)]
    lines += [say("pages.more", count=len(rows) - len(shown))] if len(rows) > len(shown) else []
    quotes = quoted("\n".join(f"{number} {row.hit.line}" for number, row in enumerate(shown, 1)), redactor, 6000)
    whole = "\n".join([*head, *lines, *missing, quotes])
    if len(whole) <= MAX_CHARACTERS and whole.count("\n") < MAX_LINES:
        return whole, ()
    first, rest = _split([*head, *lines], missing)
    return first, tuple(filter(None, (rest, quotes)))


def _split(lines: Sequence[str], missing: Sequence[str]) -> tuple[str, str]:
    """Cut where the first message ends."""
    room = MAX_LINES - len(missing) - 1
    end = min(len(lines), room)
    while end > 1 and len("\n".join((*lines[:end], *missing))) > MAX_CHARACTERS - 40:
        end -= 1
    more = [say("pages.more-below", count=len(lines) - end)] if end < len(lines) else []
    return "\n".join((*lines[:end], *more, *missing)), "\n".join(lines[end:])


def _rows(searched: Sequence[SearchedContext]) -> Iterator[_Row]:
    """Join what is the same in several contexts."""
    found: dict[tuple[str, object], list[tuple[WordHit, str]]] = {}
    for one in searched:
        for hit in one.hits:
            found.setdefault((hit.line, hit.source), []).append((hit, _word(one)))
    for same in found.values():
        yield _Row(same[-1][0], tuple(dict.fromkeys(word for _, word in same)))


def _line(number: int, row: _Row, searched: Sequence[SearchedContext]) -> str:
    source = row.hit.source
    opens = f" · {source.handle}" if source.handle and source.handle not in source.what else ""
    only = f" · {say('find_words.only-in', which=row.labels[0])}" if len(row.labels) < len(searched) else ""
    return f"{number} {row.hit.where} · {source.what}{opens}{only}"


def _called(one: SearchedContext) -> str:
    if one.which is CaptureKind.SENT:
        return say("pages.last-one", handle=one.label)
    return say("pages.other-one", which=_word(one))


def _word(one: SearchedContext) -> str:
    return {CaptureKind.SENT: "last", CaptureKind.IN_FLIGHT: "running"}.get(one.which, "next")
