r"""Read the marks within a paragraph: in linear time, whatever comes, and as models mean them.

CommonMark's own rules for emphasis fail beside Chinese and Japanese letters, and know no formula, spoiler or bare link
whose underscores are its own. A mark without its end is a character like any other. Code is never read for marks.
"""

from __future__ import annotations

import builtins
import html
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bot.text.markdown.nodes import (
    BOLD,
    ITALIC,
    SPOILER,
    STRIKE,
    UNDERLINE,
    Inline,
    InlineCode,
    InlineLink,
    Inlines,
    MarkedWords,
    PlainWords,
    bare_text,
    without_bold,
)

_ANY_MARK = re.compile(r"[\\`*_~|\[$&<]|https?://")
"""What every mark has one of; a text without them is words."""
_SPECIAL = re.compile(r"[\\`*_~|\[$&<!]|(?<![0-9A-Za-z])https?://")
_ESCAPABLE = frozenset(r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~""")
_TICKS = re.compile("`+")
_MARK = re.compile(r"\*{1,3}|_{1,2}|~~|\|\|")
_MARKS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "***": ((BOLD, "**"), (ITALIC, "*")),
    "**": ((BOLD, "**"),),
    "__": ((BOLD, "**"),),
    "~~": ((STRIKE, "~~"),),
    "||": ((SPOILER, "||"),),
    "*": ((ITALIC, "*"),),
    "_": ((ITALIC, "_"),),
}
_RUNS = {sign: re.compile(re.escape(sign) + "+") for sign in "*_~|"}
_GOES_ON = re.compile(r"[.:/-]?\w")
_MAX_DEPTH = 12
_LINK = re.compile(
    r"!?\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,200}\]){0,1000})\]"
    r"\(<?([^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)>?(?:[ ]+\"[^\"\n]{0,300}\")?\)"
)
_FOOTNOTE = re.compile(r"\[\^([\w-]{1,24})\](:?)")
_ADDRESS = re.compile(r"(?<![0-9A-Za-z])https?://[^\s<>\"\0。，、；：！？）」』】》]+")
_TAKEN_ALONG = re.compile("[!。，、；：！？）」』】》]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"<(b|strong|i|em|u|ins|s|del|strike|code|kbd|tt|sub|sup|summary|mark)>", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_FOLD = re.compile(r"<details(?: open)?>[ \t]*(?:\n|$|(?=<summary>))", re.IGNORECASE)
_UNFOLD = re.compile(r"</details>[ \t]*(?:\n|$)", re.IGNORECASE)
_WEB = re.compile(r"https?://", re.IGNORECASE)
_ANGLED = re.compile(r"<(https?://[^\s<>]+)>")
_NO_WORD = frozenset(".,/)")
_READ_ANYWHERE = frozenset("\\`*_~|<>&[]#")
_TAGS = {
    "b": (BOLD, "**"), "strong": (BOLD, "**"), "summary": (BOLD, "**"), "i": (ITALIC, "*"), "em": (ITALIC, "*"),
    "u": (UNDERLINE, "__"), "ins": (UNDERLINE, "__"), "s": (STRIKE, "~~"), "del": (STRIKE, "~~"),
    "strike": (STRIKE, "~~"), "mark": (BOLD, "**"),
}  # fmt: skip
_RAISED = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_FORMULA = re.compile(r"\\[\[(]|\$\$?")
_CLOSES = {"\\[": "\\]", "\\(": "\\)", "$$": "$$"}
_SHORT_FORMULA = re.compile(r"\$((?:[^$\n\\]|\\.){1,300})\$")
_MATHS = re.compile(r"[\\^_{}=+<>*/|]|^[A-Za-z][A-Za-z0-9']{0,2}$")
_MAX_FORMULA_CHARS = 2000
_OF_PYTHON = frozenset(
    name for kind in (type, int, str, dict, Exception, builtins) for name in dir(kind) if name.startswith("__")
) | {"__all__", "__call__", "__enter__", "__exit__", "__file__", "__future__", "__main__", "__path__", "__version__",
     "__post_init__", "__aenter__", "__aexit__", "__await__", "__del__", "__missing__", "__next__", "__slots__",
     "__annotations__", "__pycache__", "__set_name__", "__getattr__"}  # fmt: skip
"""Names that are written with underscores: between them nothing is bold."""
_PYTHON_NAME = re.compile(r"__[a-z]+(?:_[a-z]+)*__")


def read_inline(text: str) -> Inlines:
    return _read(text, 0)


class _Zone(NamedTuple):
    """A stretch that is not read for marks, and what it is."""

    end: int
    node: Inline


class _Line:
    """A text to be read for marks. What would be searched for again and again is found once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.zones: dict[int, _Zone] = {}
        self._plain = text
        if "`" in text:
            self._set_apart(_codes(text))
        if "$" in text or "\\" in text:
            self._set_apart(_formulas(text, self._plain))
        if "://" in text:
            self._set_apart(_addresses(self._plain))
        self._endings: dict[str, list[int]] = {}
        self._closed: dict[str, list[int]] = {}

    def _set_apart(self, zones: Iterable[tuple[int, _Zone]]) -> None:
        pieces, at = [], 0
        for start, zone in zones:
            self.zones[start] = zone
            pieces += [self._plain[at:start], "\0" * (zone.end - start)]
            at = zone.end
        self._plain = "".join([*pieces, self._plain[at:]])

    def closing(self, mark: str, at: int) -> int | None:
        """Return the first place from here on where a mark can end; `at` never goes back."""
        places = self._endings.get(mark)
        if places is None:
            places = self._endings[mark] = list(_endings(self._plain, mark))[::-1]
        while places and places[-1] < at:
            places.pop()
        return places[-1] if places else None

    def tag_end(self, tag: str, at: int) -> int | None:
        """Return where a tag is closed again from here on; `at` never goes back."""
        places = self._closed.get(tag)
        if places is None:
            found = re.finditer(f"</{tag}>", self._plain, re.IGNORECASE)
            places = self._closed[tag] = [one.start() for one in found][::-1]
        while places and places[-1] < at:
            places.pop()
        return places[-1] if places else None


class _Out:
    """What is read already; words that touch are one."""

    def __init__(self) -> None:
        self.nodes: list[Inline] = []
        self._texts: list[str] = []
        self._sources: list[str] = []

    def say(self, text: str, source: str | None = None) -> None:
        self._texts.append(text)
        self._sources.append(text if source is None else source)

    def put(self, node: Inline) -> None:
        if isinstance(node, PlainWords):
            self.say(*node)
            return
        self._flush()
        self.nodes.append(node)

    def done(self) -> Inlines:
        self._flush()
        return tuple(self.nodes)

    def _flush(self) -> None:
        if len(self._sources) == 1:
            self.nodes.append(PlainWords(self._texts[0], self._sources[0]))
        elif self._sources:
            self.nodes.append(PlainWords("".join(self._texts), "".join(self._sources)))
        self._texts, self._sources = [], []


def _read(text: str, depth: int) -> Inlines:
    if _ANY_MARK.search(text) is None:
        return (PlainWords(text, text),) if text else ()
    line, out, at = _Line(text), _Out(), 0
    while at < len(text):
        zone = line.zones.get(at)
        if zone is not None:
            out.put(zone.node)
            at = zone.end
            continue
        character = text[at]
        if character == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
            out.say(text[at + 1], text[at : at + 2])
            at += 2
        elif character == "`":
            end = _run_end(text, at)
            out.say(text[at:end])
            at = end
        elif character in "[!":
            at = _bracket(text, at, out, depth)
        elif character in "*_~|":
            at = _marked(line, at, out, depth)
        elif character == "&":
            at = _entity(text, at, out)
        elif character == "<":
            at = _tag(line, at, out, depth)
        else:
            found = _SPECIAL.search(text, at + 1)
            end = found.start() if found else len(text)
            out.say(text[at:end])
            at = end
    return out.done()


def _run_end(text: str, at: int) -> int:
    return next((n for n in range(at + 1, len(text)) if text[n] != text[at]), len(text))


# what is not read


def _codes(text: str) -> Iterator[tuple[int, _Zone]]:
    runs = list(_TICKS.finditer(text))
    later: dict[int, deque[re.Match[str]]] = defaultdict(deque)
    for run in runs:
        later[len(run[0])].append(run)
    at = 0
    for run in runs:
        same = later[len(run[0])]
        while same and same[0].start() <= run.start():
            same.popleft()
        if run.start() >= at and same and not text.endswith("\\", 0, run.start()):
            at = same[0].end()
            code = text[run.end() : same[0].start()]
            # CommonMark: one space on both sides only keeps backticks apart
            if code.startswith(" ") and code.endswith(" ") and code.strip():
                code = code[1:-1]
            yield run.start(), _Zone(at, InlineCode(code))


def _formulas(text: str, plain: str) -> Iterator[tuple[int, _Zone]]:
    at, nowhere = 0, set()
    while (found := _FORMULA.search(plain, at)) is not None:
        at = found.end()
        if found.start() and plain[found.start() - 1] in "\\$":
            continue
        if found[0] == "$":
            end = _short_formula(plain, found.start())
        else:
            end = None if found[0] in nowhere else _after(plain, _CLOSES[found[0]], at)
            if end is None:
                nowhere.add(found[0])
        if end is not None and end - found.start() <= _MAX_FORMULA_CHARS and "\0" not in plain[found.start() : end]:
            yield found.start(), _Zone(end, InlineCode(text[found.start() : end]))
            at = end


def _after(text: str, closing: str, at: int) -> int | None:
    found = text.find(closing, at + 1)
    return found + len(closing) if found >= 0 else None


def _short_formula(text: str, at: int) -> int | None:
    """Tell a formula between single dollars from prices and from names of variables."""
    found = _SHORT_FORMULA.match(text, at)
    if found is None or (at and (text[at - 1].isalnum() or text[at - 1] == "_")):
        return None
    inside, behind = found[1], text[found.end() : found.end() + 1]
    if inside != inside.strip() or behind.isalnum() or (behind and behind in "$_"):
        return None
    return found.end() if _MATHS.search(inside) else None


def _addresses(plain: str) -> Iterator[tuple[int, _Zone]]:
    for found in _ADDRESS.finditer(plain):
        address = re.split(r"\*\*|\|\||~~", found[0])[0]
        while True:
            shorter = address.rstrip(".,;:!?'*~|")
            if shorter.endswith("_") and plain.endswith("_", 0, found.start()):
                shorter = shorter[:-1]
            for opening, closing in ("()", "[]"):
                if shorter.endswith(closing) and shorter.count(closing) > shorter.count(opening):
                    shorter = shorter[:-1]
            if shorter == address:
                break
            address = shorter
        end = found.start() + len(address)
        # Discord would take what follows for a part of it
        source = f"<{address}>" if _TAKEN_ALONG.match(plain, end) else address
        yield found.start(), _Zone(end, PlainWords(address, source))


# what is


def _endings(text: str, mark: str) -> Iterator[int]:
    for run in _RUNS[mark[0]].finditer(text):
        before = text[run.start() - 1] if run.start() else " "
        behind = text[run.end() : run.end() + 1]
        in_a_word = (mark[0] == "_" and _GOES_ON.match(text, run.end())) or (mark[0] == "|" and behind.isalnum())
        # 2*3 is a product, and src/*.py are files
        is_sign = mark == "*" and ((_in_a_word(before) and behind and _in_a_word(behind)) or before in "/(")
        fits = len(run[0]) == len(mark) or (len(run[0]) == 3 and mark[0] not in "~|")
        if fits and not before.isspace() and before != "\\" and not in_a_word and not is_sign:
            yield run.end() - len(mark)


def _marked(line: _Line, at: int, out: _Out, depth: int) -> int:
    text, run = line.text, _MARK.match(line.text, at)
    name = _PYTHON_NAME.match(text, at) if text[at] == "_" else None
    if name is not None and name[0] in _OF_PYTHON:
        out.say(name[0], name[0].replace("_", "\\_"))
        return name.end()
    opens = run is not None and depth < _MAX_DEPTH and _can_open(text, run)
    mark, close = _pair(line, run) if run is not None and opens else ("", None)
    if close is None:
        end = _run_end(text, at)
        out.say(text[at:end])
        return end
    inside = _read(text[at + len(mark) : close], depth + 1)
    for kind, sign in reversed(_MARKS[mark]):
        # an address within would end it on Discord, and no backslash may stand there
        sign = "*" if sign == "_" and "://" in text[at:close] and "*" not in text[at:close] else sign
        inside = (MarkedWords(kind, sign, without_bold(inside) if kind == BOLD else inside),)
    out.put(inside[0])
    return close + len(mark)


def _pair(line: _Line, run: re.Match[str]) -> tuple[str, int | None]:
    """Return the mark that begins here and where it is closed: `***a* b**` is bold, and its beginning is in italics."""
    whole = line.closing(run[0], run.end() + 1)
    if run[0] != "***":
        return run[0], whole
    bold, italic = (line.closing(mark, run.end() + 1) for mark in ("**", "*"))
    if bold is None or italic is None or (whole is not None and whole <= min(bold, italic)):
        return run[0], whole
    return ("**", bold) if italic < bold else ("*", italic)


def _can_open(text: str, run: re.Match[str]) -> bool:
    mark, behind = run[0], text[run.end() : run.end() + 1]
    if mark not in _MARKS or behind in (mark[0], "") or behind.isspace():
        return False
    before = text[run.start() - 1] if run.start() else " "
    if mark[0] == "_" and (before.isalnum() or before == "_"):
        return False  # snake_case is a word
    if mark == "||" and before.isalnum():
        return False  # a||b is a program
    if mark == "*" and behind in _NO_WORD:
        return False  # *.py are files
    return not (mark == "*" and _in_a_word(before) and _in_a_word(behind))  # 2*3 is a product


def _in_a_word(character: str) -> bool:
    """Say whether words are told apart by spaces where this stands: Chinese and Japanese ones are not."""
    return character.isalnum() and not "\u2e80" <= character <= "\uffdc"


def _bracket(text: str, at: int, out: _Out, depth: int) -> int:
    link = _LINK.match(text, at) if depth < _MAX_DEPTH else None
    if link is not None:
        label = _read(link[1], depth + 1) if link[1].strip() else ()
        if _WEB.match(link[2]):
            out.put(InlineLink(label or (PlainWords(link[2], link[2]),), link[2]))
        else:
            _put_unfollowed(label, link[2], out)
        return link.end()
    note = _FOOTNOTE.match(text, at)
    if note is not None:
        is_first = bool(note[2]) and (at == 0 or text[at - 1] == "\n")
        out.say(f"[{note[1]}]" + note[2] * (not is_first))
        return note.end()
    out.say(text[at])
    return at + 1


def _put_unfollowed(label: Inlines, address: str, out: _Out) -> None:
    """Write a link that no chat follows: its words, and where it leads unless they say so, or it is a place above."""
    for one in label:
        out.put(one)
    place = address.removeprefix("mailto:")
    if label and (place.startswith("#") or place.removeprefix("./") in bare_text(label)):
        return
    out.say(" (" if label else "")
    out.put(InlineCode(place) if place == address else PlainWords(place, place))
    out.say(")" if label else "")


def _entity(text: str, at: int, out: _Out) -> int:
    found = _ENTITY.match(text, at)
    meant = html.unescape(found[0]) if found else ""
    if found is None or len(meant) != 1 or not (meant.isprintable() or meant == "\xa0"):
        out.say("&")
        return at + 1
    out.say(meant, f"\\{meant}" if meant in _READ_ANYWHERE else meant)
    return found.end()


def _tag(line: _Line, at: int, out: _Out, depth: int) -> int:
    text = line.text
    fold = _FOLD.match(text, at) if at == 0 or text[at - 1] == "\n" else None
    fold = fold or _UNFOLD.match(text, at)
    if fold is not None:
        return fold.end()
    angled = _ANGLED.match(text, at)
    if angled is not None:
        out.say(angled[1], angled[0])
        return angled.end()
    broken = _BREAK.match(text, at)
    if broken is not None:
        before, behind = text[at - 1 : at], text[broken.end() : broken.end() + 1]
        if not (before.isspace() and behind == " "):
            out.say("" if behind == "\n" else "\n")
            return broken.end()
    tag = _TAG.match(text, at) if depth < _MAX_DEPTH else None
    close = line.tag_end(tag[1].lower(), tag.end()) if tag else None
    if tag is None or close is None or close == tag.end():
        out.say("<")
        return at + 1
    name, inside = tag[1].lower(), text[tag.end() : close]
    if name in {"code", "kbd", "tt"}:
        out.put(InlineCode(html.unescape(inside)))
    elif name in {"sub", "sup"}:
        small = inside.translate(_RAISED if name == "sup" else _LOWERED)
        is_small = not any(one in small for one in inside)
        out.say(small if is_small else f"{'^' if name == 'sup' else '_'}{inside}")
    else:
        kind, mark = _TAGS[name]
        read = _read(inside, depth + 1)
        out.put(MarkedWords(kind, mark, without_bold(read) if kind == BOLD else read))
        if name == "summary" and text[close + len(name) + 3 : close + len(name) + 4] not in ("\n", ""):
            out.say("\n")
    return close + len(name) + 3
