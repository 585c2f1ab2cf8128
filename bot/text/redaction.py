"""Take secrets out of text before anything else sees it: records, recaps, exports, findings, logs and errors."""

from __future__ import annotations

import base64
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple
from urllib.parse import quote, quote_plus

# A shorter value is ignored: it would blank out ordinary words and protect nothing.
MIN_SECRET_CHARS = 6
# A marker shows at most five digits: six could be the digits of a secret, and markers are never searched.
_MAX_SHOWN_CHARS = 99_999
_MAX_DEPTH = 100
# The 400 spellings of 40 secrets are searched in a megabyte by looking up one block of it in every stride.
_LONG_CHARS, _MANY_SECRETS, _BLOCK, _STRIDE = 500, 150, 8, 16
_MAX_HEADER_CHARS = 120
# the last block may have less behind it
_EVERY_BLOCK = re.compile(f"(.{{{_BLOCK}}}).{{0,{_STRIDE - _BLOCK}}}", re.DOTALL)
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
# What may still become the first or last line of a key.
_HEADER = re.compile(r"-----(?:BEGIN|END)(?: [A-Z0-9 ]{0,100})?-{0,4}\s?\Z")
# Keys whose value is secret: anywhere in the key, or at its end. Searched in lower case.
_KEYS_INSIDE = {
    "password": "password",
    "passwd": "password",
    "passphrase": "passphrase",
    "secret": "secret(?!ar)",
    "api_key": "api[ _-]?key",
    "private_key": "private[ _-]?key",
    "access_key": "access[ _-]?key",
    "authorization": "authorization",
    "credential": "credential",
}
_KEYS_AT_THE_END = {"token": "token", "cookie": "cookie", "pwd": "pwd"}
_WHOLE_LINE = {"authorization", "cookie"}
_SCHEME = r"(?>(?:bearer|basic|bot|digest|token|apikey)[ \t]{1,4})?+"
_WORD = r"(?P<word>(?:[^\s\"'`&<>\\]{1,4096}+|\\[^\snrt\"']){1,64}+)"
_LINE = r"(?P<line>(?:[^\r\n\"'`<>\\]{1,4096}+|\\[^\snrt\"']){1,64}+)"
_KEYS = re.compile(
    "|".join(f"(?P<{name}>{word})" for name, word in _KEYS_INSIDE.items())
    + "|(?:"
    + "|".join(f"(?P<{name}>{word})" for name, word in _KEYS_AT_THE_END.items())
    + ")$"
)
_NO_SECRETS = frozenset(
    {"null", "none", "true", "false", "undefined", "optional", "required", "missing", "string", "bytes", "object"}
)
MIN_BEGINNING_CHARS = 8
"""Characters; a shorter beginning is a word like others, and of no use to anybody."""
_MAX_BEGINNING = 600
_CUT = re.compile(r"…|\\u2026|(?:\n|\\n)\[cut: ")
"""How our own program marks the end of what it has cut (`excerpt`, tool results)."""


@dataclass(frozen=True)
class RedactedText:
    """Text that may be shown, and in how many places something was taken out of it."""

    text: str
    count: int


class _Needle(NamedTuple):
    """One spelling of a secret, and how many neighbours hold some of its bits (only in base64)."""

    text: str
    name: str
    before: int = 0
    after: int = 0


class _Span(NamedTuple):
    start: int
    end: int
    rank: int
    name: str


class _Shape(NamedTuple):
    """What a kind of secret looks like; `glued` finds it right behind another one."""

    name: str
    regex: re.Pattern[str]
    glued: re.Pattern[str] | None


def _shape(name: str, regex: str, boundary: str = "") -> _Shape:
    """Compile a shape; `boundary` looks behind at `<>`, after the literal start that the search can jump to."""
    glued = re.compile(regex.replace("<>", "")) if boundary else None
    return _Shape(name, re.compile(regex.replace("<>", boundary)), glued)


# Rules for a new one. Every quantifier is bounded (D10). A long run starts behind a boundary of its own class, so that
# two runs never overlap. Nothing looks ahead past its end, and what looks behind has a `glued` form: therefore what
# one pass leaves holds nothing for a second.
_SHAPES = (
    _shape(
        "private_key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[A-Za-z0-9+/=:,.\s\\]{1,4096}+|-(?!----)){0,64}+(?:-----END [A-Z0-9 ]{1,60}-----)?",
    ),
    _shape("anthropic_key", r"sk-ant-[A-Za-z0-9_-]{16,250}"),
    _shape("openrouter_key", r"sk-or-[A-Za-z0-9_-]{16,250}"),
    # a capital or a digit, or it is a word like task-
    _shape("openai_key", r"sk-<>(?=[a-z_-]{0,80}[A-Z0-9])[A-Za-z0-9_-]{20,250}", r"(?<![A-Za-z0-9]sk-)"),
    _shape("groq_key", r"gsk_[A-Za-z0-9]{20,120}"),
    _shape("google_key", r"AIza[A-Za-z0-9_-]{30,60}"),
    _shape("huggingface_token", r"hf_[A-Za-z0-9]{30,120}"),
    _shape("github_token", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    _shape("github_token", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _shape("slack_token", r"x(?:ox[a-z]|app)-[A-Za-z0-9-]{10,250}"),
    _shape("slack_webhook", r"/services/(?P<value>T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{16,40})"),
    _shape("aws_key", r"A[KS]IA[A-Z0-9]{16}"),
    _shape(
        "jwt",
        r"eyJ<>[A-Za-z0-9_-]{5,4000}+\.[A-Za-z0-9_-]{5,8000}+\.[A-Za-z0-9_-]{10,2000}",
        r"(?<![A-Za-z0-9_-]eyJ)",
    ),
    _shape("discord_webhook", r"/webhooks/[0-9]{15,20}/(?P<value>[A-Za-z0-9_-]{20,120})"),
    _shape(
        "discord_token",
        r"[MNO]<>[A-Za-z0-9_-]{22,28}+\.[A-Za-z0-9_-]{5,7}+\.[A-Za-z0-9_-]{27,80}",
        r"(?<![A-Za-z0-9_-][MNO])",
    ),
    # the bot's id in front is public, and the colon is quicker to find than digits
    _Shape(
        "telegram_token",
        re.compile(
            r":(?:(?<=(?<![0-9])[0-9]{8}:)|(?<=(?<![0-9])[0-9]{9}:)|(?<=(?<![0-9])[0-9]{10}:))"
            r"(?P<value>[A-Za-z0-9_-]{35,64})"
        ),
        re.compile(r"[0-9]{8,10}:(?P<value>[A-Za-z0-9_-]{35,64})"),
    ),
    _shape("url_password", r"://[^\s/@:\"]{0,100}:(?P<value>[^\s/@\"]{1,200})@"),
    _shape(
        "bearer", r"earer(?<=[Bb]earer)[ \t]{1,4}(?P<value>(?=[a-z._~+/=-]{0,80}[A-Z0-9])[A-Za-z0-9._~+/=-]{8,8000})"
    ),
)
_GLUED_SHAPES = tuple((rank, shape.name, shape.glued) for rank, shape in enumerate(_SHAPES, 1) if shape.glued)


@cache
def _keyed(word: str, rest: str, bare: str) -> re.Pattern[str]:
    """Compile when a text first holds such a key: a millisecond each, which no start should wait for."""
    return re.compile(
        rf"{word}{rest}[\"'\\]{{0,4}}+[ \t]{{0,8}}+(?:=>|:=|[:=])[ \t]{{0,8}}+(?:"
        rf"\"{_SCHEME}(?P<double>(?:[^\"\\\n]{{1,4096}}+|\\.){{1,256}}+)"
        rf"|'{_SCHEME}(?P<single>(?:[^'\\\n]{{1,4096}}+|\\.){{1,256}}+)"
        rf"|\\{{1,3}}[\"']{_SCHEME}(?P<escaped>[^\"'\\\n]{{1,4096}}+)"
        rf"|{_SCHEME}{bare})"
    )


def _stem(word: str) -> str:
    """Return letters without which nothing fits: those at the end, or before what must not follow."""
    *_, last = re.finditer("[a-z]+", word.partition("(")[0])
    return last[0]


_KEYED = tuple(
    (rank, name, _stem(word), partial(_keyed, word, rest, _LINE if name in _WHOLE_LINE else _WORD))
    for rank, (name, word, rest) in enumerate(
        [(name, word, "[a-z0-9_-]{0,40}") for name, word in _KEYS_INSIDE.items()]
        + [(name, word, "") for name, word in _KEYS_AT_THE_END.items()],
        len(_SHAPES) + 1,
    )
)
_OUR_NAMES = {shape.name for shape in _SHAPES} | set(_KEYS_INSIDE) | set(_KEYS_AT_THE_END) | {"too_deep"}


@dataclass(frozen=True, eq=False)
class Redactor:
    """The one sanitizer; it knows every secret the process holds, so its fields stay out of its repr."""

    _needles: tuple[_Needle, ...] = field(repr=False)
    _lengths: tuple[int, ...] = field(repr=False)
    _blocks: Mapping[str, frozenset[_Needle]] = field(repr=False)
    _numbers: Mapping[str, str] = field(repr=False)
    _markers: re.Pattern[str] = field(repr=False)
    _spaced: tuple[str, ...] = field(repr=False)
    _beginnings: SecretBeginnings = field(repr=False)

    @classmethod
    def of(cls, secrets: Mapping[str, str]) -> Redactor:
        """Prepare every spelling of every secret, by the name its marker will show."""
        # pairs, not a mapping: two names may look alike once they are fit for a marker
        pairs = [(re.sub(r"[^\w.-]", "_", name)[:64], value.strip()) for name, value in secrets.items()]
        named = [(name, value) for name, value in pairs if len(value) >= MIN_SECRET_CHARS]
        needles = {needle.text: needle for name, value in named for needle in _spellings(name, value)}
        blocks: dict[str, set[_Needle]] = {}
        for needle in needles.values():
            for start in range(_STRIDE if len(needle.text) >= _STRIDE + _BLOCK - 1 else 0):
                blocks.setdefault(needle.text[start : start + _BLOCK], set()).add(needle)
        names = "|".join(map(re.escape, sorted(_OUR_NAMES.union(name for name, _ in named))))
        by_length = sorted(needles.values(), key=lambda needle: len(needle.text))
        return cls(
            _needles=tuple(by_length),
            _lengths=tuple(len(needle.text) for needle in by_length),
            _blocks={block: frozenset(holders) for block, holders in blocks.items()},
            _numbers={value: name for name, value in named if value.isdecimal()},
            _markers=re.compile(rf"\[redacted:(?:{names}):[0-9]{{1,5}}\]"),
            _spaced=tuple(text for text in needles if any(map(str.isspace, text))),
            _beginnings=secret_beginnings((needle.text, needle.name) for needle in needles.values()),
        )

    def redact(self, text: str) -> RedactedText:
        """Replace every secret by `[redacted:<name>:<length>]`; doing it twice changes nothing more."""
        if len(text) < MIN_SECRET_CHARS:
            return RedactedText(text, 0)
        # a newline ends every run but a key's body: nothing is found in a marker
        searched = self._markers.sub(lambda found: "\n" * len(found[0]), text) if "[redacted:" in text else text
        spans = [*self._exact(searched), *_shaped(searched), *_named(searched)]
        spans += [_Span(start, end, 0, name) for start, end, name in find_cut_off(searched, self._beginnings)]
        if not spans:
            return RedactedText(text, 0)
        parts, at = [], 0
        merged = _merge(_with_glued(searched, spans))
        for span in merged:
            parts += [text[at : span.start], _marker(span.name, span.end - span.start)]
            at = span.end
        return RedactedText("".join(parts) + text[at:], len(merged))

    def redact_unfinished(self, text: str) -> RedactedText:
        """Redact a text that goes on; its end is left out as far as it may be the beginning of a secret."""
        return self.redact(text[: self._settled(text)])

    def redact_json(self, value: object) -> tuple[object, int]:
        """Redact all strings of a JSON value, and whole what stands under a key that names a secret."""
        return self._walk(value, "", _MAX_DEPTH)

    def _settled(self, text: str) -> int:
        """Return where the last whole word ends of which no secret has begun."""
        end = len(text)
        while True:
            end = _after_space(text, end)
            begun = [start for needle in self._spaced if (start := _begun(text, end, needle)) < end]
            header = _HEADER.search(text, max(0, end - _MAX_HEADER_CHARS), end)
            if header:
                begun.append(header.start())
            if not begun:
                return end
            end = min(begun)

    def _exact(self, text: str) -> Iterator[_Span]:
        for needle in [needle for needle in self._candidates(text) if needle.text in text]:
            start = text.find(needle.text)
            while start >= 0:
                end = start + len(needle.text)
                yield _Span(*_widened(text, start, end, needle), 0, needle.name)
                start = text.find(needle.text, end)

    def _candidates(self, text: str) -> Iterable[_Needle]:
        """Leave out, in a long text, every needle of which no block stands where one would have to."""
        if len(text) < _LONG_CHARS or len(self._needles) < _MANY_SECRETS:
            return self._needles[: bisect_right(self._lengths, len(text))]
        short = self._needles[: bisect_left(self._lengths, _STRIDE + _BLOCK - 1)]
        present = self._blocks.keys() & set(_EVERY_BLOCK.findall(text))
        return {*short, *(needle for block in present for needle in self._blocks[block])}

    def _walk(self, value: object, key: str, depth: int) -> tuple[object, int]:
        if depth == 0:
            return _marker("too_deep", 0), 1
        if isinstance(value, Mapping):
            pairs = [self._pair(name, below, key, depth) for name, below in value.items()]
            return {name: below for name, below, _ in pairs}, sum(count for _, _, count in pairs)
        if isinstance(value, list | tuple):
            walked = [self._walk(below, key, depth - 1) for below in value]
            return [below for below, _ in walked], sum(count for _, count in walked)
        if isinstance(value, str):
            return self._string(value, key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            # under a token's name a number is a count or an id
            name = self._numbers.get(str(value)) or (key if key != "token" else "")
            return (_marker(name, len(str(value))), 1) if name else (value, 0)
        return value, 0

    def _pair(self, name: object, below: object, key: str, depth: int) -> tuple[object, object, int]:
        shown = self.redact(name) if isinstance(name, str) else RedactedText("", 0)
        found = _KEYS.search(name.lower()) if isinstance(name, str) else None
        walked, count = self._walk(below, (found and found.lastgroup) or key, depth - 1)
        return (shown.text if isinstance(name, str) else name), walked, count + shown.count

    def _string(self, value: str, key: str) -> tuple[str, int]:
        if key and value and not self._markers.fullmatch(value):
            return _marker(key, len(value)), 1
        redacted = self.redact(value)
        return redacted.text, redacted.count


def _after_space(text: str, end: int) -> int:
    while end and not text[end - 1].isspace():
        end -= 1
    return end


def _begun(text: str, end: int, needle: str) -> int:
    """Return where the beginning of a needle stands that the text closes with at `end`, else `end`."""
    for length in range(min(len(needle) - 1, end), 0, -1):
        if needle[length - 1] == text[end - 1] and text.startswith(needle[:length], end - length):
            return end - length
    return end


def _marker(name: str, length: int) -> str:
    return f"[redacted:{name}:{min(length, _MAX_SHOWN_CHARS)}]"


def _spellings(name: str, secret: str) -> Iterator[_Needle]:
    """Yield the forms a secret travels in: as it is, in a URL, in JSON (twice, too), in a repr, in hex, in base64."""
    raw = secret.encode("utf-8", "surrogatepass")
    texts = {secret, raw.hex(), raw.hex().upper()}
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        texts |= {once, once.replace("/", r"\/"), json.dumps(once, ensure_ascii=ascii_only)[1:-1]}
        for shown in _as_python_writes(secret):
            texts |= {shown, json.dumps(shown, ensure_ascii=ascii_only)[1:-1]}
    escaped = {quote(raw, safe=""), quote(raw), quote_plus(raw), "".join(f"%{byte:02X}" for byte in raw)}
    texts |= escaped | {re.sub("%..", lambda found: found[0].lower(), text) for text in escaped}
    yield from (_Needle(text, name) for text in texts)
    for shift, shared in enumerate((0, 2, 3)):  # how many characters hold bits of what stands before
        encoded = base64.b64encode(bytes(shift) + raw).decode().rstrip("=")
        partial = (shift + len(raw)) % 3 != 0
        core = encoded[shared : len(encoded) - partial]
        for text in (core, core.translate(str.maketrans("+/", "-_"))):
            yield _Needle(text, name, before=int(shift > 0), after=int(partial))


def _as_python_writes(secret: str) -> tuple[str, str]:
    """Return the forms of a text inside a `repr`; what else stands in it decides which quotes are marked."""
    doubled = secret.replace("\\", r"\\")
    return doubled, doubled.replace("'", r"\'")


def _widened(text: str, start: int, end: int, needle: _Needle) -> tuple[int, int]:
    if needle.before and text[start - 1 : start] in _BASE64:
        start -= 1
    if needle.after and text[end : end + 1] in _BASE64:
        end += 1
    while needle.after and text[end : end + 1] == "=":
        end += 1
    return start, end


def _shaped(text: str) -> Iterator[_Span]:
    for rank, shape in enumerate(_SHAPES, 1):
        for found in shape.regex.finditer(text):
            yield _Span(*found.span(found.lastgroup or 0), rank, shape.name)


def _named(text: str) -> Iterator[_Span]:
    if ":" not in text and "=" not in text:
        return
    # the only letter whose lower case is longer, which would shift every index behind it
    lowered = text.replace("İ", "I").lower()
    for rank, name, stem, keyed in _KEYED:
        for found in keyed().finditer(lowered) if stem in lowered else ():
            start, end = found.span(found.lastgroup or 0)
            if bare := found.lastgroup in {"word", "line"}:
                end = start + len(lowered[start:end].rstrip(" \t,;.)]}"))
            if _is_secret(lowered[start:end], name, bare):
                yield _Span(start, end, rank, name)


def _is_secret(value: str, name: str, bare: bool) -> bool:
    """Let pass what a key of that name holds in settings and figures: nothing, a type, a count, stars."""
    if not value.strip("*•.… ") or value in _NO_SECRETS or (bare and len(value) < 4):
        return False
    return not (name == "token" and value.strip("0123456789.,") == "")


def _with_glued(text: str, spans: list[_Span]) -> list[_Span]:
    """Add what begins where a secret ends: there, once that is a marker, its boundary would be seen."""
    ends = {span.end for span in spans}
    waiting = list(ends)
    while waiting:
        end = waiting.pop()
        for rank, name, glued in _GLUED_SHAPES:
            if found := glued.match(text, end):
                spans.append(_Span(*found.span(found.lastgroup or 0), rank, name))
                if found.end() not in ends:
                    ends.add(found.end())
                    waiting.append(found.end())
    return spans


def _merge(spans: list[_Span]) -> list[_Span]:
    """Join what overlaps, under the name of the surest finding."""
    merged: list[_Span] = []
    for span in sorted(spans):
        last = merged[-1] if merged else None
        if last is None or span.start >= last.end:
            merged.append(span)
            continue
        surest = min(last, span, key=lambda either: either.rank)
        merged[-1] = _Span(last.start, max(last.end, span.end), surest.rank, surest.name)
    return merged


class SecretBeginnings(NamedTuple):
    """Every spelling of a secret with its name, by its first characters; and every piece of that length in any of them.

    What stands before a cut is looked at only where its end is such a piece: nearly no cut needs more than that.
    """

    spellings: Mapping[str, Sequence[tuple[str, str]]]
    pieces: frozenset[str]


class CutOffSecret(NamedTuple):
    """Where the beginning of a secret stands, up to the mark of the cut."""

    start: int
    end: int
    name: str


def secret_beginnings(spellings: Iterable[tuple[str, str]]) -> SecretBeginnings:
    """Sort spellings (text, name) by their first characters."""
    found: dict[str, list[tuple[str, str]]] = {}
    pieces: set[str] = set()
    for text, name in spellings:
        if len(text) > MIN_BEGINNING_CHARS:
            found.setdefault(text[:MIN_BEGINNING_CHARS], []).append((text, name))
            pieces.update(text[at : at + MIN_BEGINNING_CHARS] for at in range(len(text) - MIN_BEGINNING_CHARS + 1))
    return SecretBeginnings(found, frozenset(pieces))


def find_cut_off(text: str, known: SecretBeginnings) -> Iterator[CutOffSecret]:
    """Yield what stands right before a cut and is the beginning of a secret; each place is looked at once."""
    before = 0
    for mark in _CUT.finditer(text) if known.pieces else ():
        end = mark.start()
        if text[max(0, end - MIN_BEGINNING_CHARS) : end] in known.pieces:
            for start in range(max(before, end - _MAX_BEGINNING), end - MIN_BEGINNING_CHARS + 1):
                for whole, name in known.spellings.get(text[start : start + MIN_BEGINNING_CHARS], ()):
                    if whole.startswith(text[start:end]):
                        yield CutOffSecret(start, end, name)
        before = mark.end()
