"""Part what a model thinks from what it says, while it is written and however it is cut.

Services mark thoughts in many ways where they do not send them apart. Only a marker that the answer begins with, a
channel of the Harmony format, or an end of thoughts whose beginning stood in the prompt is believed: an answer may be
about such marks, and stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "antthinking", "seed:think", "mm:think")
_PAIRS = {
    **{f"<{tag}>": f"</{tag}>" for tag in _TAGS},
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|start_thinking|>": "<|end_thinking|>",
    "<|think|>": "<|/think|>",
}
"""How thoughts begin and end, in small letters."""
_HARMONY = ("<|channel|>", "<|start|>", "<|message|>", "<|constrain|>")
_BEGINNINGS = (*_PAIRS, *_HARMONY)
_ENDS = tuple(dict.fromkeys(_PAIRS.values()))
_END = re.compile("|".join(map(re.escape, _ENDS)), re.IGNORECASE)
_INSIDE = (
    "<|end|><|start|>assistant",
    "<|channel|>analysis",
    "<|channel|>final",
    "<|channel|>commentary",
    "<|start|>assistant",
)
_LATER_MARK = re.compile("|".join(map(re.escape, (*_ENDS, *_INSIDE))), re.IGNORECASE)
_LATER_WORDS = (*_ENDS, *_INSIDE)
_MAX_MARK_WORD_CHARS = max(map(len, (*_LATER_WORDS, *_BEGINNINGS)))
_TOKEN = re.compile(r"<\|(start|channel|constrain|message|end|return|call)\|>")
_TOKENS = tuple(f"<|{name}|>" for name in ("start", "channel", "constrain", "message", "end", "return", "call"))
_STRIPPED = "analysis"
_STRIPPED_END = "assistantfinal"
"""A server that throws Harmony's marks away leaves the names of the channels."""
_ENDS_UNSEEN = (*_ENDS, _STRIPPED_END)
_RECIPIENT = re.compile(r"to=(?:functions\.)?([\w.-]+)")
_FIRST_CHARACTERS = frozenset("<[◁")
_FIRST_CHARACTER = re.compile("[<\\[◁]")

_FILLERS = (
    "okay",
    "ok",
    "alright",
    "hmm",
    "hm",
    "so",
    "well",
    "right",
    "wait",
    "now",
    "first",
    "ah",
    "好",
    "好的",
    "嗯",
)
_STARTERS = frozenset((*_FILLERS, "嗯", "the", "this", "we", "i", "let", "user", "首先", "用户", "我"))
_FILLING = re.compile(rf"(?:(?:{'|'.join(_FILLERS)})\b[\s,.…!,。]+)+", re.IGNORECASE)
_PLAN = re.compile(
    r"(?:(?:okay|ok|alright|hm+|so|well|right|wait|now|first|ah|好的?|嗯|首先)\b[\s,.…!,。]*)*"
    r"(?:the user\b|user (?:is|asks|asked|says|said|wants|wrote)\b"
    r"|(?:we|i) (?:should|(?:need|must|have) to) (?:respond|answer|reply|figure|determine|check|find out|consider|greet"
    r"|produce|call|use)\b|let(?:'s|’s| us| me) (?:think|see|analy|consider|break|figure|recall|parse|reason)"
    r"|this is a (?:simple |short )?(?:question|greeting|request|message)\b|用户|我(?:需要|应该))",
    re.IGNORECASE,
)
"""How thoughts begin that nothing marks; nobody speaks so to a person. It costs at most the sight of half an answer."""
_PLAN_LENGTH = 36
_MAX_MARK_CHARS = 32
_LONG_LINE, _LINE_END = 1000, 200
_MAX_BLANK_CHARS = 4096
_MAX_FALSE_MARKS = 32
"""Marks that turned out to be words; whoever writes so many is writing about them."""


class PartedAnswer(NamedTuple):
    """A whole text in its two parts."""

    words: str
    thoughts: str


@dataclass
class _Channel:
    """Where in Harmony's form the reader is: in the header of a channel, or in its body."""

    header: list[str] = field(default_factory=list)
    in_header: bool = True
    name: str = ""
    to: str = ""
    body: list[str] = field(default_factory=list)


class _At(Enum):
    BEGINNING = auto()
    WORDS = auto()
    THOUGHTS = auto()
    UNSURE = auto()
    CHANNELS = auto()


class ThoughtReader:
    """Takes an answer in pieces, and says which words of it may be seen.

    `waits`: the beginning of the thoughts may stand in the prompt, so that nothing is seen before their end.
    `took_back` is set when words that were given out have turned out to be thoughts. `calls` are tool calls, as name
    and arguments, that Harmony writes as a channel of its own. `was_bare`: thoughts ended that had never begun.
    """

    def __init__(self, *, waits: bool = False) -> None:
        self.calls: list[tuple[str, str]] = []
        self.took_back = False
        self.was_bare = False
        self.marked = False
        self._waits = waits
        self._is_first = True
        self._at = _At.BEGINNING
        self._rest = ""
        self._close = ""
        self._words: list[str] = []
        self._thoughts: list[str] = []
        self._held: list[str] = []
        self._asides: list[str] = []
        self._tail = ""
        self._channel = _Channel()
        self._raw: list[str] | None = []
        self._looked_at = 0

    @property
    def words(self) -> str:
        """What may be seen so far."""
        return "".join(self._words)

    @property
    def thoughts(self) -> str:
        """What was thought so far."""
        return "".join(self._thoughts).strip()

    @property
    def is_plain(self) -> bool:
        """Whether nothing waits, so that words may go past."""
        return self._at is _At.WORDS and not self._rest

    @property
    def has_any(self) -> bool:
        """Whether anything came but white space."""
        return bool(self._words or self._thoughts or self._held or self._rest.strip())

    def pass_by(self, words: str) -> None:
        """Learn of words that were seen without being asked for here."""
        self._words.append(words)

    def are_apart(self) -> str:
        """Learn that the service sends thoughts apart by itself; return the words that waited for that."""
        self._waits = self._is_first = False
        if self._at is not _At.UNSURE:
            return ""
        self._at = _At.WORDS
        return self._said(self._taken())

    def feed(self, piece: str) -> str:
        """Take a piece; return the words that may be seen now."""
        if self._at is _At.WORDS and not self._rest and "<" not in piece and "[" not in piece and "◁" not in piece:
            self._words.append(piece)
            return piece
        self._rest += piece
        return self._read(is_whole=False)

    def end(self) -> str:
        """Return the last words; the answer is whole."""
        seen = self._read(is_whole=True)
        if self._at is _At.UNSURE:
            text = self._taken()
            if found := _end_of_thoughts(text, is_whole=True):
                self.was_bare = True
                self._think(text[: found.start()])
                return seen + self._said(text[found.end() :].lstrip())
            if _is_stripped(text) and _PLAN.match(text.removeprefix(_STRIPPED)):
                # it never came to its answer
                self._think(text.removeprefix(_STRIPPED))
                return seen
            self._at, self._rest = _At.WORDS, text
            seen += self._read(is_whole=True)
        if self._at is _At.CHANNELS:
            if self._raw is not None:
                # no channel was ever opened: it was about them
                return seen + self._said("".join(self._raw))
            seen += self._close_channel()
            if self._asides and not self._words and not self.calls:
                # what it says beside its calls is its answer where there is neither a call nor another
                seen += self._said("".join(self._asides))
            else:
                self._thoughts += self._asides
            self._asides = []
        return seen

    def _read(self, *, is_whole: bool) -> str:
        seen: list[str] = []
        while self._rest:
            before = self._at, len(self._rest)
            match self._at:
                case _At.BEGINNING:
                    self._begin(is_whole)
                case _At.THOUGHTS:
                    self._go_on_thinking(is_whole)
                case _At.UNSURE:
                    self._stay_unsure(is_whole)
                case _At.CHANNELS:
                    seen.append(self._follow_channels(is_whole))
                case _At.WORDS:
                    seen.append(self._go_on_saying(is_whole))
                    if self.took_back and not self._words:
                        seen.clear()
            if (self._at, len(self._rest)) == before:
                break
        return "".join(seen)

    # at the beginning

    def _begin(self, is_whole: bool) -> None:
        text = self._rest.lstrip()
        if not text:
            # nothing but white space says nothing of what follows
            self._at = _At.WORDS if is_whole or len(self._rest) > _MAX_BLANK_CHARS else self._at
            return
        small = text[:_MAX_MARK_WORD_CHARS].lower()
        if text[0] in _FIRST_CHARACTERS:
            if opened := next((mark for mark in _PAIRS if small.startswith(mark)), None):
                self._at, self._close, self.marked, self._is_first = _At.THOUGHTS, _PAIRS[opened], True, False
                self._rest = text[len(opened) :]
                return
            if small.startswith(_HARMONY):
                self._at, self._rest = _At.CHANNELS, text
                return
            if not is_whole and any(mark.startswith(small) for mark in _BEGINNINGS):
                return
        if not self._is_first:
            # behind thoughts, the white space belongs to nobody
            self._at, self._rest = _At.WORDS, text
        elif self._waits or _is_stripped(text) or _PLAN.match(text):
            self._at = _At.UNSURE
        elif is_whole or not _may_be_plan(text):
            self._at = _At.WORDS

    # thoughts that were opened

    def _go_on_thinking(self, is_whole: bool) -> None:
        small, at, quoted = self._rest.lower(), 0, 0
        while (at := small.find(self._close, at)) >= 0:
            # a thought about the mark quotes it
            if at == 0 or small[at - 1] not in "`'\"" or small[at + len(self._close) :][:1] not in "`'\"":
                self._think(self._rest[:at])
                self._rest, self._at = self._rest[at + len(self._close) :], _At.BEGINNING
                return
            if at + len(self._close) < len(small):
                quoted = at + len(self._close)
            at += 1
        kept = 0 if is_whole else len(self._close) + 1
        cut = max(0, len(self._rest) - kept, quoted)
        self._thoughts.append(self._rest[:cut])
        self._rest = self._rest[cut:]

    def _think(self, text: str) -> None:
        self.marked = True
        self._is_first = False
        self._thoughts.append(text)
        self._thoughts.append("\n")

    # what nobody can tell yet

    def _stay_unsure(self, is_whole: bool) -> None:
        self._held.append(self._rest)
        look = self._tail + self._rest
        self._rest, self._tail = "", look[-_MAX_MARK_WORD_CHARS:]
        small = look.lower()
        if not any(mark in small for mark in _ENDS_UNSEEN):
            return
        text = self._taken()
        found = _end_of_thoughts(text, is_whole=is_whole)
        if found is not None:
            self.was_bare = True
            self._think(text[: found.start()])
            self._rest, self._at = text[found.end() :], _At.BEGINNING
        elif text.startswith(_STRIPPED) and _STRIPPED_END in text:
            thoughts, _, words = text.removeprefix(_STRIPPED).partition(_STRIPPED_END)
            self._think(thoughts)
            self._rest, self._at = words, _At.BEGINNING
        else:
            self._held, self._tail = [text], look[-_MAX_MARK_WORD_CHARS:]

    def _taken(self) -> str:
        text = "".join(self._held)
        self._held, self._tail = [], ""
        return text

    def _said(self, words: str) -> str:
        if words:
            self._words.append(words)
        return words

    # words

    def _go_on_saying(self, is_whole: bool) -> str:
        """Give words out, but for what may be the beginning of a mark, and take them back where they were thoughts."""
        text = self._rest
        for found in _LATER_MARK.finditer(text) if self._looked_at < _MAX_FALSE_MARKS else ():
            self._looked_at += 1
            before = self.words + text[: found.start()]
            after = text[found.end() :]
            if found[0].lower() in _ENDS:
                if not after and not is_whole:
                    # what follows tells whether it is quoted
                    return self._kept_back(found.start())
                if self._may_be_bare and _ends_thoughts(before, after):
                    self.took_back = self.was_bare = True
                    self._think(before)
                    self._words = []
                    self._rest, self._at = after, _At.BEGINNING
                    return ""
            elif before[-1:] not in tuple(" \t`'\"“(") and not in_code(before):
                self._rest, self._at = text[found.start() :], _At.CHANNELS
                return self._said(text[: found.start()])
        if is_whole:
            self._rest = ""
            return self._said(text)
        cut = unfinished_mark_start(text, _LATER_WORDS)
        return self._kept_back(cut)

    def _kept_back(self, at: int) -> str:
        words, self._rest = self._rest[:at], self._rest[at:]
        return self._said(words)

    @property
    def _may_be_bare(self) -> bool:
        return not self.was_bare and not self.marked

    # Harmony

    def _follow_channels(self, is_whole: bool) -> str:
        seen: list[str] = []
        while found := _TOKEN.search(self._rest):
            seen.append(self._in_channel(self._rest[: found.start()]))
            self._rest = self._rest[found.end() :]
            seen.append(self._at_token(found[1]))
        cut = len(self._rest) if is_whole else unfinished_mark_start(self._rest, _TOKENS)
        seen.append(self._in_channel(self._rest[:cut]))
        self._rest = self._rest[cut:]
        return "".join(seen)

    def _at_token(self, token: str) -> str:
        channel = self._channel
        if token == "message":
            self.marked, self._raw = True, None
        elif self._raw is not None:
            self._raw.append(f"<|{token}|>")
        match token:
            case "start" | "end" | "return" | "call":
                seen = self._close_channel()
                self._channel = _Channel()
                return seen
            case "channel":
                seen = "" if channel.in_header else self._close_channel()
                self._channel = _Channel(to=channel.to or _recipient(channel.header) if channel.in_header else "")
                return seen
            case "message":
                channel.in_header = False
                channel.to = channel.to or _recipient(channel.header)
                named = re.search(r"analysis|commentary|final", "".join(channel.header))
                channel.name = named[0] if named else "final"
            case _:
                channel.header.append(" ")
        return ""

    def _in_channel(self, text: str) -> str:
        channel = self._channel
        if not text:
            return ""
        if self._raw is not None:
            self._raw.append(text)
        if channel.in_header:
            channel.header.append(text)
        elif channel.to:
            channel.body.append(text)
        elif channel.name == "final":
            return self._said(text if self._words else text.lstrip())
        else:
            (self._thoughts if channel.name == "analysis" else self._asides).append(text)
        return ""

    def _close_channel(self) -> str:
        channel, self._channel = self._channel, _Channel()
        if channel.in_header:
            header = "".join(channel.header).strip()
            named = re.match(r"(final|analysis|commentary)\b\s*(.*)", header, re.DOTALL)
            if named and named[2] and not _RECIPIENT.search(header):
                if named[1] == "final":
                    return self._said(named[2])
                self._thoughts.append(named[2])
        elif channel.to:
            self.calls.append((channel.to, "".join(channel.body)))
        elif channel.name == "analysis":
            self._thoughts.append("\n")
        return ""


def part_thoughts(text: str) -> PartedAnswer:
    """Part a whole text into thoughts and words."""
    if not _may_hold_thoughts(text):
        return PartedAnswer(text, "")
    reader = ThoughtReader()
    reader.feed(text)
    reader.end()
    return PartedAnswer(reader.words, reader.thoughts)


def unfinished_mark_start(text: str, marks: tuple[str, ...]) -> int:
    """Return where at the end of a text one of the marks may have begun; its length where none has."""
    start = max(0, len(text) - _MAX_MARK_CHARS)
    for found in _FIRST_CHARACTER.finditer(text, start):
        small = text[found.start() :].lower()
        if any(mark.startswith(small) for mark in marks):
            return found.start()
    return len(text)


class CodeMarks:
    """Follows a text, and knows whether what comes next stands in a block of code, or in a line of it.

    `line` is what stands before it in the same line; of a long one the beginning and the end.
    """

    def __init__(self) -> None:
        self.line = ""
        self._ticks = 0
        self._in_block = False

    def feed(self, text: str) -> None:
        """Go on behind this text."""
        *lines, last = text.split("\n")
        for line in lines:
            self._in_block ^= (self.line + line).lstrip().startswith("```")
            self.line, self._ticks = "", 0
        self._ticks += last.count("`")
        self.line += last
        if len(self.line) > _LONG_LINE:
            self.line = self.line[:_LINE_END] + self.line[-_LINE_END:]

    @property
    def inside(self) -> bool:
        """Whether what comes next is code."""
        if self._in_block or self.line.lstrip().startswith("```"):
            return True
        return self._ticks % 2 == 1


def in_code(before: str) -> bool:
    """Say whether what follows this text is code."""
    marks = CodeMarks()
    marks.feed(before)
    return marks.inside


def _may_hold_thoughts(text: str) -> bool:
    return "<" in text or "[" in text or "◁" in text or text.lstrip().startswith(_STRIPPED)


def _end_of_thoughts(text: str, *, is_whole: bool) -> re.Match[str] | None:
    for found in _END.finditer(text):
        after = text[found.end() :]
        if (after or is_whole) and _ends_thoughts(text[: found.start()], after):
            return found
    return None


def _ends_thoughts(before: str, after: str) -> bool:
    """Say whether an end without a beginning ends thoughts, and is not what the words are about."""
    line, following = before.rpartition("\n")[2], after.partition("\n")[0].strip()
    if any(mark in before.lower() for mark in _PAIRS) or in_code(before):
        return False
    if not line.strip():
        return True
    if line[-1] in " \t":
        # a sentence that names it goes on; one that is over before it does not
        return not following and line.rstrip()[-1] in ".!?…。！？"
    return line[-1] not in "`'\"“‘(" and following[:1] not in tuple("`'\"”’)")


def _is_stripped(text: str) -> bool:
    """Say whether a text begins with the name of Harmony's first channel, as words do not."""
    rest = text.removeprefix(_STRIPPED)
    return rest != text and (not rest or rest[0].isupper() or rest[0] in "'\"")


def _recipient(header: list[str]) -> str:
    found = _RECIPIENT.search("".join(header))
    return found[1] if found else ""


def _may_be_plan(text: str) -> bool:
    """Say whether what comes may still turn a beginning into that of thoughts."""
    if len(text) >= _PLAN_LENGTH or _PLAN.match(text):
        return False
    filling = _FILLING.match(text)
    behind = text[filling.end() :] if filling else text
    word = re.match(r"[\w']*", behind)
    first = word[0].lower() if word else ""
    if len(first) == len(behind):
        # a word that is not whole yet, or none behind what fills
        return not first or any(one.startswith(first) for one in (*_STARTERS, _STRIPPED))
    return first.partition("'")[0] in _STARTERS and len(text.split()) < 6
