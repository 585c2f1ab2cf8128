"""The two Markdown parse modes: V2, where every special character must be escaped, and the legacy one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .refusals import Refused, bad
from .spans import Entity, ordered, units

RESERVED = "_*[]()~`>#+-=|{}.!"
_MARKS = {"*": "bold", "_": "italic", "__": "underline", "~": "strikethrough", "||": "spoiler", "[": "text_link"}
_SIGNS = ("||", "__", "*", "_", "~", "[")
_NAMES = {"text_link": "TextUrl", "pre": "PreCode"}
_OLD = {"*": "bold", "_": "italic", "`": "code", "[": "text_link"}
_URL_END = re.compile(r"(?<!\\)\)")
_FENCED = re.compile(r"(?:([A-Za-z0-9#+_.-]+)\n|\n)?")


@dataclass(slots=True)
class _Scan:
    text: str
    at: int = 0
    size: int = 0
    out: list[str] = field(default_factory=list)
    stack: list[tuple[str, int, int]] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    quote: int | None = None

    def write(self, text: str) -> None:
        self.out.append(text)
        self.size += units(text)

    def add(self, kind: str, start: int, **more: str) -> None:
        if self.size > start:
            self.entities.append({"type": kind, "offset": start, "length": self.size - start} | more)

    def bytes(self, at: int | None = None) -> int:
        return len(self.text[: self.at if at is None else at].encode("utf-8", "surrogatepass"))

    def ahead(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at)


def parse(text: str) -> tuple[str, list[Entity]]:
    """Parse MarkdownV2."""
    scan = _Scan(text)
    while scan.at < len(text):
        if scan.ahead("\\") and scan.at + 1 < len(text) and 0 < ord(text[scan.at + 1]) <= 126:
            scan.write(text[scan.at + 1])
            scan.at += 2
        elif scan.ahead("`"):
            _code(scan)
        elif scan.ahead("]"):
            _link(scan)
        elif sign := next((sign for sign in _SIGNS if scan.ahead(sign)), None):
            _mark(scan, sign)
        else:
            _letter(scan)
    if scan.stack:
        sign, _, at = scan.stack[-1]
        raise _unended(_MARKS[sign], scan.bytes(at))
    _end_quote(scan)
    return "".join(scan.out), ordered(scan.entities)


def parse_old(text: str) -> tuple[str, list[Entity]]:
    """Parse legacy Markdown: no nesting, and an end that is missing is an error."""
    scan = _Scan(text)
    while scan.at < len(text):
        sign = text[scan.at]
        if sign == "\\" and text[scan.at + 1 : scan.at + 2] in (*"_*`[",):
            scan.write(text[scan.at + 1])
            scan.at += 2
        elif sign in _OLD:
            _old_entity(scan, sign)
        else:
            scan.write(sign)
            scan.at += 1
    return "".join(scan.out), ordered(scan.entities)


def _letter(scan: _Scan) -> None:
    letter = scan.text[scan.at]
    if letter == ">" and (scan.at == 0 or scan.text[scan.at - 1] == "\n"):
        scan.quote = scan.size if scan.quote is None else scan.quote
    elif letter in RESERVED:
        raise _cannot(f"Character '{letter}' is reserved and must be escaped with the preceding '\\'")
    else:
        if letter == "\n" and not scan.text.startswith(">", scan.at + 1):
            _end_quote(scan)
        scan.write(letter)
    scan.at += 1


def _end_quote(scan: _Scan) -> None:
    """Close a quotation, which ends with the last line that begins with its sign."""
    if scan.quote is not None:
        scan.add("blockquote", scan.quote)
    scan.quote = None


def _code(scan: _Scan) -> None:
    sign = "```" if scan.ahead("```") else "`"
    begin, start, language = scan.at, scan.size, ""
    scan.at += len(sign)
    if sign == "```" and (lead := _FENCED.match(scan.text, scan.at)):
        scan.at, language = lead.end(), lead[1] or ""
    while scan.at < len(scan.text) and not scan.ahead(sign):
        if scan.ahead("\\") and scan.text[scan.at + 1 : scan.at + 2] in ("`", "\\"):
            scan.at += 1
        scan.write(scan.text[scan.at])
        scan.at += 1
    if scan.at >= len(scan.text):
        raise _unended("pre" if sign == "```" else "code", scan.bytes(begin))
    scan.at += len(sign)
    more = {"language": language} if language else {}
    scan.add("pre" if sign == "```" else "code", start, **more)


def _mark(scan: _Scan, sign: str) -> None:
    if scan.stack and scan.stack[-1][0] == sign:
        _, start, _ = scan.stack.pop()
        scan.add(_MARKS[sign], start)
    else:
        scan.stack.append((sign, scan.size, scan.at))
    scan.at += len(sign)


def _link(scan: _Scan) -> None:
    if not scan.stack or scan.stack[-1][0] != "[":
        raise _cannot("Character ']' is reserved and must be escaped with the preceding '\\'")
    _, start, begin = scan.stack.pop()
    scan.at += 1
    if not scan.ahead("("):
        return
    found = _URL_END.search(scan.text, scan.at)
    if found is None:
        raise _cannot(f"Can't find end of a URL at byte offset {scan.bytes(begin)}")
    scan.add("text_link", start, url=re.sub(r"\\(.)", r"\1", scan.text[scan.at + 1 : found.end() - 1]))
    scan.at = found.end()


def _old_entity(scan: _Scan, sign: str) -> None:
    begin, start = scan.at, scan.size
    mark = "```" if scan.ahead("```") else sign
    close = "]" if sign == "[" else mark
    end = scan.text.find(close, begin + len(mark))
    if end < 0:
        raise _cannot(f"Can't find end of the entity starting at byte offset {scan.bytes(begin)}")
    scan.write(scan.text[begin + len(mark) : end].strip("\n" if mark == "```" else ""))
    scan.at = end + len(close)
    if sign != "[":
        scan.add("pre" if mark == "```" else _OLD[sign], start)
    elif scan.ahead("(") and (last := scan.text.find(")", scan.at)) > 0:
        scan.add("text_link", start, url=scan.text[scan.at + 1 : last])
        scan.at = last + 1


def _unended(kind: str, at: int) -> Refused:
    name = _NAMES.get(kind, kind.capitalize())
    return _cannot(f"Can't find end of {name} entity at byte offset {at}")


def _cannot(words: str) -> Refused:
    return bad(f"can't parse entities: {words}")
