"""Shorten code in languages with braces: bodies go first, then comments, then all but names.

With the extra `code` what a body is comes from a parser; without it, or where it fails, from the braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.task_prompt.truncate.grammars import parser
from bot.task_prompt.truncate.rung import LadderRung, count_of, short_bodies

_MAX_PARSED_CHARS = 60_000
_MAX_DEPTH = 100
_OPEN = "\x1a"
"""Stands where something begins that is never closed."""
_BRACE = re.compile(r"[(){}\[\]]")
_MIN_TOKENS_A_NAME = 2
_BYTES_PER_STEP, _MIN_STEPS = 60, 200
"""The parser asks whether to go on about every hundred bytes, and far more often where it has lost its way."""
# What is never closed goes on to the end of its line or of the text, so that no text is searched twice.
_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"|(?=\n)|\\?\Z)'
    r"|'(?:[^'\\\n]|\\.){1,2}'|'[^'\\\n]{0,100}'"
    r"|`[^`\\]*+(?:\\.[^`\\]*+)*+(?:`|\\?\Z)",
    re.DOTALL,
)
_CONTAINER = re.compile(
    r"\b(?:class|interface|struct|enum|trait|impl|namespace|module|mod|union|extern|object|record)\b"
)
_NAMED = re.compile(
    r"^[ \t]*(?:(?:export|public|private|protected|static|async|pub(?:\([a-z]+\))?|default|abstract|final|inline)"
    r"[ \t]+)*(class|interface|struct|enum|trait|impl|namespace|mod|function|func|fn|def|type)\b[ \t*]*"
    r"(?:\([^)\n]*\)[ \t]*)?(\w+)",
    re.MULTILINE,
)
_DEFINES = re.compile(
    r"class|interface|struct|enum|trait|impl|function|method|constructor|type_spec|type_alias|mod_item"
)
_MEMBER = re.compile(r"method|constructor|field")
_HOLDS = re.compile(r"(?:\w+ )?(?:class|interface|struct|enum)\b")
_CHARS_BEFORE_BRACE = 500
"""Characters before a brace in which it is said what it opens."""


class _Found(NamedTuple):
    """Where bodies and comments stand, by character, and what is defined."""

    bodies: list[tuple[int, int]]
    comments: list[tuple[int, int]]
    names: list[str]
    note: str = ""


def rungs(language: str, content: str, room: int) -> Iterator[LadderRung]:
    """Yield: long bodies as `{ /* N lines */ }`, all bodies so, without comments, names only."""
    if len(_NAMED.findall(content)) * _MIN_TOKENS_A_NAME > room:
        return
    blanked = _LITERAL.sub(_blanked, content)
    found = (_parsed(language, content) if _is_plausible(content, blanked) else None) or _braced(content, blanked)
    lines = count_of(content.count("\n") + 1, "line")
    cut = f"cut: {count_of(len(found.bodies), 'body', 'bodies')} of {lines}"
    if found.bodies:
        without = _without(content, found.bodies, [])
        sizes = [content.count("\n", *span) for span in found.bodies]
        for length in short_bodies(sizes, [end - start for start, end in found.bodies], len(without), room):
            gone = [span for span, size in zip(found.bodies, sizes, strict=True) if size > length]
            long = f"cut: the {count_of(len(gone), 'longest body', 'longest bodies')} of {lines}"
            yield LadderRung("long bodies", _without(content, gone, []), long + found.note)
        yield LadderRung("bodies", without, cut + found.note)
    if found.comments:
        yield LadderRung("no comments", _without(content, found.bodies, found.comments), f"{cut}; comments{found.note}")
    if found.names:
        yield LadderRung("names", "\n".join(found.names), f"cut: all but names, of {lines}{found.note}")


def _blanked(found: re.Match[str]) -> str:
    text = found[0]
    closed = text.startswith("//") or (text.endswith("*/") if text[0] == "/" else text[1:].endswith(text[0]))
    blank = re.sub(r"[^\n]", " ", text)
    return blank if closed else _OPEN + blank[1:]


def _is_plausible(content: str, blanked: str) -> bool:
    """Say whether a parser may have it: in a text that leaves much open it searches for hours, and nobody stops it."""
    if len(content) > _MAX_PARSED_CHARS or _OPEN in blanked:
        return False
    depth = 0
    for brace in _BRACE.finditer(blanked):
        depth += 1 if brace[0] in "([{" else -1
        if not 0 <= depth <= _MAX_DEPTH:
            return False
    return depth == 0


def _parsed(language: str, content: str) -> _Found | None:
    reader = parser(language)
    if reader is None:
        return None
    raw = content.encode("utf-8", "replace")
    steps = iter(range(len(raw) // _BYTES_PER_STEP + _MIN_STEPS))
    try:
        tree = reader.parse(lambda at, _: raw[at:], encoding="utf8", progress_callback=lambda *_: next(steps, -1) < 0)
    except ValueError:
        # it was stopped
        return None
    root = tree.root_node
    bodies: list[tuple[int, int]] = []
    comments: list[tuple[int, int]] = []
    names: list[str] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if "comment" in node.type:
            comments.append((node.start_byte, node.end_byte))
            continue
        _name(node, names, raw)
        body = _body(node)
        if body is not None:
            bodies.append((body.start_byte, body.end_byte))
            continue
        waiting += reversed(node.children)
    at = _characters(raw, {place for span in (*bodies, *comments) for place in span})
    spans = [sorted((at[start], at[end]) for start, end in each) for each in (bodies, comments)]
    return _Found(spans[0], spans[1], names, "; it does not parse as a whole" if root.has_error else "")


def _characters(raw: bytes, places: set[int]) -> dict[int, int]:
    """Turn places in bytes into places in characters, in one pass."""
    found: dict[int, int] = {}
    before = characters = 0
    for place in sorted(places):
        characters += len(raw[before:place].decode(errors="ignore"))
        found[place] = characters
        before = place
    return found


def _body(node: Any) -> Any | None:
    """Return what a function does, if it is written on several lines."""
    if not re.search(r"function|method|constructor|func_literal|arrow", node.type):
        return None
    body = node.child_by_field_name("body")
    # a function without a block of its own is one expression
    several = body is not None and body.end_point[0] > body.start_point[0]
    return body if several and body.children and body.children[0].type == "{" else None


def _name(node: Any, names: list[str], raw: bytes) -> None:
    if not _DEFINES.search(node.type):
        return
    name, holder = node.child_by_field_name("name"), node.child_by_field_name("declarator")
    while name is None and holder is not None:
        name, holder = holder, holder.child_by_field_name("declarator")
    name = name or node.child_by_field_name("type")
    if name is None:
        return
    said = raw[name.start_byte : name.end_byte].decode(errors="replace").partition("(")[0].strip("* \n")
    kind = re.sub(r"_(?:declaration|definition|item|spec|specifier|expression|signature|alias)\b", "", node.type)
    kind = kind.removesuffix("_signature")
    if _MEMBER.search(kind) and names and _HOLDS.match(names[-1]):
        names[-1] += f"{':' if ':' not in names[-1] else ','} {said}"
    else:
        names.append(f"{kind.replace('_', ' ')} {said}")


def _braced(content: str, blanked: str) -> _Found:
    """Find bodies by their braces: a block that is no container, as the outermost of its kind."""
    comments = [found.span() for found in _LITERAL.finditer(content) if found[0][:2] in {"//", "/*"}]
    bodies: list[tuple[int, int]] = []
    opened: list[tuple[int, bool]] = []
    plain = 0
    for brace in re.finditer(r"[{}]", blanked):
        at = brace.start()
        if brace[0] == "{":
            begins = max(blanked.rfind(end, max(0, at - _CHARS_BEFORE_BRACE), at) for end in ";{}") + 1
            container = _CONTAINER.search(blanked, max(begins, at - _CHARS_BEFORE_BRACE), at) is not None
            opened.append((at, container))
            plain += not container
        elif opened:
            start, container = opened.pop()
            plain -= not container
            # the outermost of its kind
            if not container and not plain and "\n" in content[start:at]:
                bodies.append((start, at + 1))
    names = [f"{kind} {name}" for kind, name in _NAMED.findall(blanked)]
    return _Found(bodies, comments, names, "; found by its braces")


def _without(content: str, bodies: list[tuple[int, int]], comments: list[tuple[int, int]]) -> str:
    gone = sorted([*((*span, True) for span in bodies), *((*span, False) for span in comments)])
    kept: list[str] = []
    at = 0
    for start, end, is_body in gone:
        if start < at:
            continue
        kept.append(content[at:start])
        if is_body:
            inner = content[start:end].count("\n") - 1
            kept.append(f"{{ /* {count_of(max(inner, 1), 'line')} */ }}")
        at = end
    text = "".join((*kept, content[at:]))
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip()) if comments else text
