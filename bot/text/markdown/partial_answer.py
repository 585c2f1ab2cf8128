"""Show of an answer that goes on what is whole: no half table, formula or link, and no mark that waits for its end."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^([ \t>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$", re.MULTILINE)
_MAX_HELD_BACK_CHARS = 600
"""Characters that are held back at most: what is not over by then is no mark."""
_MAX_DEPTH = 12
_ROW = re.compile(r"^[ \t>]*\|")
_RULER = re.compile(r"^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t:-]*)*$")
_CODE_OR_FORMULA = re.compile(r"(?<!\\)(`+|\$\$|\\\[|\\\(|\\begin\{[A-Za-z]{1,20}\*?\})")
_OPENS = re.compile(r"(?<![\\\w])(\*\*\*|\*\*|\*|__|~~|\|\|)(?=[^\s*_~|])")
_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}(?:\](?:\([^()\s]{0,300})?)?$")
_CLOSES = {"\\[": "\\]", "\\(": "\\)"}
_DANGLING_MARK = re.compile(r"(?:(?<!\S)(?:[*_~]{1,3}|\|\|)|(?<!\\)\\)\Z")
_MARK_INSIDE = re.compile(r"[*_~|`\[\\$]")


def whole_so_far(text: str) -> str:
    """Leave out what is only half there at the end; words that are marked already are closed."""
    text = _DANGLING_MARK.sub("", text.rstrip(" ")).rstrip(" ")
    if _MARK_INSIDE.search(text) is None:
        return text
    if (fence := _open_fence(text)) is not None:
        # one that has only just begun holds nothing to see
        return f"{text}\n{fence[1]}{fence[2]}" if "\n" in text[fence.start(2) :] else text[: fence.start()].rstrip()
    text = _without_half_table(text)
    # nothing but a block reaches over an empty line, and no block is open here
    start = max(text.rfind("\n\n"), text.rfind("\n```\n") + 4 if "\n```\n" in text else 0, 0)
    text = text[:start] + _without_half_code(text[start:])
    text = text[:start] + _without_half_link(text[start:])
    return text[:start] + _closed(text[start:])


def _open_fence(text: str) -> re.Match[str] | None:
    opened: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opened is None:
            opened = line
        elif line[2][0] == opened[2][0] and len(line[2]) >= len(opened[2]) and not line[3].strip():
            opened = None
    return opened


def _without_half_table(text: str) -> str:
    """Leave out the row that is being written, and a head under which no line stands yet."""
    lines = text.removesuffix("\n").split("\n")
    first = len(lines)
    while first and _ROW.match(lines[first - 1]):
        first -= 1
    rows = lines[first:]
    if not rows:
        return text
    if len(rows) < 3:
        return "\n".join(lines[:first]).rstrip() if len(rows) < 2 or _RULER.match(rows[1]) else text
    return "\n".join(lines[:-1]) if _RULER.match(rows[1]) and not text.endswith("\n") else text


def _without_half_code(text: str) -> str:
    at = 0
    while (found := _CODE_OR_FORMULA.search(text, at)) is not None:
        mark = found[1]
        closing = _CLOSES.get(mark) or mark.replace("begin", "end")
        end = _end_of(text, closing, found.end())
        if end is None and found.start() >= len(text) - _MAX_HELD_BACK_CHARS:
            return text[: found.start()].rstrip()
        at = end or found.end()
    return text


def _end_of(text: str, closing: str, at: int) -> int | None:
    if closing[0] != "`":
        found = text.find(closing, at)
        return found + len(closing) if found >= 0 else None
    run = re.compile(rf"(?<!`){closing}(?!`)").search(text, at)
    return run.end() if run else None


def _without_half_link(text: str) -> str:
    found = _LINK.search(text)
    return text[: found.start()].rstrip() if found else text


def _closed(text: str) -> str:
    """Close the marks that are open, inner ones first."""
    bare = re.sub(r"`[^`]*`", lambda code: "\0" * len(code[0]), text)
    opened: list[str] = []
    at = 0
    while at < len(bare):
        mark = next((one for one in reversed(opened) if bare.startswith(one, at) and not bare[at - 1].isspace()), None)
        if mark is not None and at and bare[at - 1] != "\\":
            del opened[opened.index(mark) :]
            at += len(mark)
            continue
        found = _OPENS.match(bare, at)
        if found is not None:
            if len(opened) < _MAX_DEPTH:
                opened.append(found[1])
            at = found.end()
            continue
        at += 1
    if not opened:
        return text
    return text.rstrip(" *_~|") + "".join(reversed(opened))
