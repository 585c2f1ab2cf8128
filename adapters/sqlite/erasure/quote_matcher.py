"""Recognise somebody's words in a text, and put something harmless in the place of a message."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

import orjson

from bot.domain.base import canonical_json
from bot.domain.messages import (
    AuthorKind,
    ImagePart,
    Message,
    MessagePart,
    ProviderData,
    ReferenceKind,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from bot.domain.references import HEADER_NAMES

ERASED = "[erased on request]"
_WORD = re.compile(r"[\w@.+:/-]+")
_RUN_WORDS = 7
"""That many words in a row, the same as somebody's, are a quotation."""
_FIRST_WORDS = 3
_WORDS_AT_ONCE = 2000
_MIN_WORD_CHARS = 6
_MIN_RUN_CHARS = 30
_MIN_NUMBER_DIGITS = 9
_DATE = re.compile(r"\d{4}-?\d{2}-?\d{2}(?:[t ]|$)|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}$|\d{1,2}:\d{2}")
_MARKS = re.compile(r"\[(?:SUMMARIZED|GOAL BATCH)\]")


_FORWARDED_HEADER = HEADER_NAMES[ReferenceKind.FORWARDED]
_REFERRED_HEADERS = tuple(dict.fromkeys(name for kind, name in HEADER_NAMES.items() if kind is not ReferenceKind.LINKS))

Token = str | tuple[str, ...]
"""What a quotation is known by: a word that gives somebody away, or a run of words."""


_HOST = re.compile(r"https?://(?:[^\s/?#@]*@)?([\w.-]+\.[\w-]+)", re.IGNORECASE)


def hosts_in(text: str) -> Iterator[str]:
    """Yield the servers of the links in a text, as the sources of an answer name them."""
    yield from (found[1].casefold() for found in _HOST.finditer(text))


class QuoteMatcher:
    """What somebody said, and when first: runs of words, and single words that give them away, such as addresses."""

    def __init__(self, texts: Iterable[str | tuple[int, str]]) -> None:
        self.first: dict[Token, int] = {}
        for text in texts:
            at, said = (0, text) if isinstance(text, str) else text
            for token in _tokens(said):
                self.first[token] = min(at, self.first.get(token, at))
        self._split()

    def __bool__(self) -> bool:
        return bool(self.first)

    def only(self, tokens: Collection[Token]) -> QuoteMatcher:
        """Return those that are among `tokens`."""
        some = QuoteMatcher(())
        some.first = {token: at for token, at in self.first.items() if token in tokens}
        some._split()
        return some

    def are_in(self, text: str) -> bool:
        """Say whether a text, JSON or not, quotes them; it costs what the text is long, whatever was said."""
        return next(self.found_in(text), None) is not None

    def found_in(self, text: str) -> Iterator[Token]:
        """Yield what of theirs a text repeats."""
        text = _as_said(text)
        folded = text.casefold()
        # hardly any text holds one, and to look for them costs a tenth of reading it word by word
        if not any(anchor in folded for anchor in self._anchors):
            return
        before: list[str] = []
        for words in _portions(text):
            yield from self._telling.intersection(words)
            joined = before + words
            if self._runs:
                yield from (run for run in _runs(joined) if run in self._runs)
            before = joined[1 - _RUN_WORDS :]

    def _split(self) -> None:
        self._telling = {token for token in self.first if isinstance(token, str)}
        self._runs = {token for token in self.first if isinstance(token, tuple)}
        self._anchors = set(self._telling)
        for run in self._runs:
            if self._anchors.isdisjoint(run):
                self._anchors.add(max(run, key=len))


def erased_message(message: Message) -> Message:
    """Return a message without a word of what it said; calls and results stay pairs, and a summary a summary."""
    parts: list[MessagePart] = []
    for part in message.parts:
        match part:
            case ToolCall():
                parts.append(ToolCall(call_id=part.call_id, name=part.name, arguments="{}"))
            case ToolResult():
                parts.append(ToolResult(call_id=part.call_id, text=ERASED, ok=part.ok))
            case ProviderData():
                # it may repeat what was said, and half of it is worth nothing to its service
                pass
            case TextPart() | ImagePart():
                parts += [] if any(isinstance(one, TextPart) for one in parts) else [TextPart(text=_mark(message))]
    return _with(message, tuple(parts), nameless=True)


def without_program(message: Message, quotes: QuoteMatcher, user: str) -> Message | None:
    """Return somebody else's message with those blocks that the program put before it erased which quote; None: none.

    What they wrote themselves is the last part, and theirs. What a linked channel's line says of somebody may be too
    short to be known as a quotation: it is known by who said it.
    """
    if message.role is not Role.USER or message.author is None:
        return None
    head, last = message.parts[:-1], message.parts[-1:]
    named = f" (id {user}) | "
    clean = tuple(
        TextPart(text=ERASED) if isinstance(p, TextPart) and (named in p.text or quotes.are_in(p.text)) else p
        for p in head
    )
    return None if clean == head else _with(message, (*clean, *last), nameless=False)


def without_referred(message: Message, user: str) -> Message | None:
    """Return somebody else's message without what it refers to of a person, known by their id; None where it does not.

    What they wrote beside it stays. Of a message that they only forwarded the words go as well.
    """
    last = message.parts[-1] if message.role is Role.USER and message.parts else None
    if not isinstance(last, TextPart) or not last.text.startswith('{"at":') or f'"id":"{user}"' not in last.text:
        return None
    first, newline, words = last.text.partition("\n")
    try:
        header = orjson.loads(first)
    except orjson.JSONDecodeError:
        return None
    theirs = [name for name in _REFERRED_HEADERS if _is_theirs(header.get(name), user)]
    if not theirs:
        return None
    # pictures stand in the order of what they came with, right before the header
    shown = sum(one.get("seen") == "above" for name in theirs for one in header[name].get("files", ()))
    if _FORWARDED_HEADER in theirs:
        words = ERASED
    clean = canonical_json({**header, **dict.fromkeys(theirs, ERASED)}) + newline + words
    head = message.parts[:-1]
    return _with(message, (*head[: len(head) - shown], TextPart(text=clean)), nameless=False)


def _is_theirs(referred: object, user: str) -> bool:
    if not isinstance(referred, dict):
        return False
    return referred.get("id") == user or _is_theirs(referred.get(_FORWARDED_HEADER), user)


def without_told(message: Message, marks: Sequence[str]) -> Message | None:
    """Return somebody else's message without the lines that the program put before it and that hold a mark."""
    head, last = message.parts[:-1], message.parts[-1:]
    clean = tuple(TextPart(text=without_lines(p.text, marks)) if isinstance(p, TextPart) else p for p in head)
    return None if clean == head else _with(message, (*clean, *last), nameless=False)


def without_lines(text: str, marks: Sequence[str]) -> str:
    """Return a text with those lines erased that hold a mark."""
    return "\n".join(ERASED if any(mark in line for mark in marks) else line for line in text.split("\n"))


def spoken_texts(message: Message) -> Iterator[str]:
    """Yield what of a message somebody wrote: its last part without the header line."""
    last = message.parts[-1] if message.parts else None
    if isinstance(last, TextPart):
        first, newline, rest = last.text.partition("\n")
        yield rest if newline and first.startswith('{"at":') else last.text


def is_by(message: Message, user: str, rows: Collection[int], others: Collection[int]) -> bool:
    """Say whether somebody wrote it; equal ids of other platforms are told apart by the ledger rows of messages.

    What came back of work that they had done was written down by the program, under a row that is theirs.
    """
    if message.author is not None and message.author.kind is AuthorKind.SELF:
        return message.role is Role.USER and message.inbound in rows
    if message.role is not Role.USER or message.author is None or message.author.user_id != user:
        return False
    return message.inbound in rows or message.inbound not in others


def _mark(message: Message) -> str:
    found = _MARKS.match(message.text)
    return f"{found[0]} {ERASED}" if found else ERASED


def _with(message: Message, parts: tuple[MessagePart, ...], *, nameless: bool) -> Message:
    author = message.author.replace(name="") if message.author and nameless else message.author
    # not model_copy: it would carry the digest of what is gone along
    return Message(
        role=message.role,
        parts=parts,
        author=author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
        summary=message.summary,
        origins=None if nameless else message.origins,
    )


def without_hosts(message: Message, hosts: Collection[str]) -> Message | None:
    """Return a message whose sources do not name some servers; None where they name none of them."""
    if message.origins is None:
        return None
    bare = message.origins.without_words(hosts)
    return None if bare == message.origins else message.replace(origins=bare)


def _tokens(text: str) -> Iterator[Token]:
    words = _words(text)
    yield from (word for word in words if _is_telling(word))
    yield from (run for run in _runs(words) if sum(map(len, run)) >= _MIN_RUN_CHARS)


def _as_said(text: str) -> str:
    """Return a text with the signs that people typed, in the place of those by which a page calls nobody."""
    return text.replace("\uff20", "@").replace("\u2060", "")


def says_beginning_of(page: str, text: str) -> bool:
    """Say whether a page, however it is broken into lines, has the first words of a text: as few as are quoted."""
    words = _words(_as_said(text))[:_FIRST_WORDS]
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(_words(_as_said(page)))} "


def _words(text: str) -> list[str]:
    return [word for words in _portions(text) for word in words]


def _portions(text: str) -> Iterator[list[str]]:
    """Yield the words of a text, some at a time: it may be an export, and no other thread runs in between."""
    found = _WORD.finditer(text.replace("\\n", " ").replace("\\t", " "))
    while words := [one[0].strip(".:-/").casefold() for one in islice(found, _WORDS_AT_ONCE)]:
        yield words


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(_RUN_WORDS)), strict=False)


def _is_telling(word: str) -> bool:
    """Say whether a word is nobody's vocabulary: an address, a long number, or digits among letters.

    The name of somebody or of a file, a date and a time are everybody's.
    """
    if len(word) < _MIN_WORD_CHARS or not any(map(str.isalnum, word)):
        return False
    if "@" in word[1:]:
        return True
    if word.startswith("@") or _DATE.match(word):
        return False
    digits = sum(map(str.isdigit, word))
    if any(map(str.isalpha, word)):
        return digits > 0
    return digits >= _MIN_NUMBER_DIGITS and not word.isdigit()
