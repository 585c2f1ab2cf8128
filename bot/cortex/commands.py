"""What an admin may type: a word is a subcommand only if the whole line parses, otherwise the line is a question.

Parsing never changes state. Case, curly quotes and the dashes that phones make are folded first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bot.domain.base import Frozen
from bot.domain.handles import HandleKind, parse_handle


class Ask(Frozen):
    """A question in plain words."""

    text: str


class Report(Frozen):
    """Nothing but the name: the report of the channel and what else can be typed."""


class Why(Frozen):
    """Diagnose, by rules alone, a channel or one message of it.

    A word that is spelt like a handle and names no record was part of the `question` that was typed.
    """

    where: str = ""
    question: str = ""


class Context(Frozen):
    """Show what the model would be told now; with `last`, or where a message or request is named, what it was told."""

    where: str = ""
    last: bool = False
    question: str = ""


class Trails(Frozen):
    """Show the newest messages of a channel with their outcomes, or the trail of one."""

    where: str = ""


class Export(Frozen):
    """Write the context to a file, the one that was sent where a message or request is named."""

    where: str = ""
    question: str = ""


class MemoryList(Frozen):
    """List what is remembered."""

    where: str = ""


class MemorySearch(Frozen):
    """Find memories by their words."""

    words: str


class MemoryBy(Frozen):
    """List what one person caused: a numeric id, a mention, or a name."""

    user: str


class MemoryForget(Frozen):
    """Offer to forget a memory."""

    handle: str


class MemoryRestore(Frozen):
    """Offer to bring a memory back."""

    handle: str


class Doctor(Frozen):
    """Probe everything that can be probed."""

    where: str = ""


class Undo(Frozen):
    """Take back what was done; without a handle, the newest."""

    handle: str = ""


class Would(Frozen):
    """Run the gates dry: would this person be answered?"""

    user: str
    text: str
    where: str = ""


class Find(Frozen):
    """Say where some words stand in what the model would be told now, as they were typed."""

    text: str
    where: str = ""


class Open(Frozen):
    """Open a record by its handle; a bare one that names no record is the `question` that was typed (`again`)."""

    handle: str
    question: str = ""


class Use(Frozen):
    """Talk about another channel from here on."""

    where: str


class Audit(Frozen):
    """Show what was done and read."""


class Help(Frozen):
    """Show what can be typed."""


Command = (
    Ask
    | Report
    | Why
    | Context
    | Trails
    | Export
    | MemoryList
    | MemorySearch
    | MemoryBy
    | MemoryForget
    | MemoryRestore
    | Doctor
    | Undo
    | Would
    | Find
    | Open
    | Use
    | Audit
    | Help
)

_FOLDED = str.maketrans("“”„«»‘’‚‐‑‒–—−\u00a0", '"' * 5 + "'" * 3 + "-" * 6 + " ")
_PLACE = re.compile(
    r"here|#[^\s\"?!,]{1,100}|\"[^\"]{1,100}\"|<#\d{1,20}>|-?\d{5,20}(?::\d{1,20})?"
    r"|<?(?:https?|tg)://[^\s>]{1,200}>?|[a-z][a-z0-9_]{0,31}:[^\s?!,]{1,200}",
    re.IGNORECASE,
)
_USER = r"(?:<@!?\d{1,20}>|\d{1,20}|@?[\w.\-]{1,64})"
_WOULD = re.compile(rf"({_USER})\s+\"([^\"]*)\"(?:\s+(\S+))?")
_FIND = re.compile(r"find\s+\"([^\"]+)\"(?:\s+(\S+))?", re.IGNORECASE)
_ONE_USER = re.compile(_USER)


def parse(line: str) -> Command:
    """Read what follows the command's name; everything that is not wholly a subcommand is a question."""
    folded = line.translate(_FOLDED).strip()
    if not folded:
        return Report()
    if parse_handle(folded) is not None:
        return Open(handle=folded.lower(), question=line.strip())
    if (found := _FIND.fullmatch(folded)) and (not found[2] or is_place(found[2])):
        # folding keeps every position, and what is looked for is what somebody's phone wrote
        return Find(text=line.strip()[found.start(1) : found.end(1)], where=found[2] or "")
    word, _, rest = folded.partition(" ")
    read = _READERS.get(word.casefold())
    return (read(rest.strip()) if read else None) or Ask(text=line.strip())


Reader = Callable[[str], Command | None]


def is_place(text: str) -> bool:
    """Say whether a text is written like a channel: `here`, `#name`, a mention, a link, an id, or quoted."""
    return _PLACE.fullmatch(text) is not None


def _place(make: Callable[[str], Command]) -> Reader:
    def read(rest: str) -> Command | None:
        return make(rest.strip('"')) if not rest or is_place(rest) else None

    return read


def _about(word: str, make: Callable[[str, str], Command]) -> Reader:
    """Read a place, or a record by its handle; words such as `great` are spelt like one, and digits are in no word."""

    def read(rest: str) -> Command | None:
        if parse_handle(rest) is None:
            return make(rest.strip('"'), "") if not rest or is_place(rest) else None
        return make(rest.lower(), "" if any(map(str.isdigit, rest)) else f"{word} {rest}")

    return read


def _alone(command: Command) -> Reader:
    return lambda rest: None if rest else command


def _handle(make: Callable[[str], Command], *kinds: HandleKind) -> Reader:
    def read(rest: str) -> Command | None:
        found = parse_handle(rest)
        return make(rest.lower()) if found is not None and (not kinds or found.kind in kinds) else None

    return read


def _trails(rest: str) -> Command | None:
    return Open(handle=rest.lower()) if parse_handle(rest) else _place(lambda where: Trails(where=where))(rest)


def _undo(rest: str) -> Command | None:
    return _handle(lambda handle: Undo(handle=handle), HandleKind.AUDIT)(rest) if rest else Undo()


def _use(rest: str) -> Command | None:
    return Use(where=rest.strip('"')) if is_place(rest) else None


def _would(rest: str) -> Command | None:
    found = _WOULD.fullmatch(rest)
    if found is None or (found[3] and not is_place(found[3])):
        return None
    return Would(user=found[1], text=found[2], where=found[3] or "")


def _memory(rest: str) -> Command | None:
    word, _, tail = rest.partition(" ")
    read = _MEMORY.get(word.casefold())
    return read(tail.strip()) if read else None


def _search(rest: str) -> Command | None:
    words = rest.strip('"').strip()
    return MemorySearch(words=words) if words else None


def _by(rest: str) -> Command | None:
    return MemoryBy(user=rest) if _ONE_USER.fullmatch(rest) else None


_MEMORY: Mapping[str, Reader] = {
    "": _alone(MemoryList()),
    "list": _place(lambda where: MemoryList(where=where)),
    "show": _handle(lambda handle: Open(handle=handle), HandleKind.MEMORY),
    "history": _handle(lambda handle: Open(handle=handle), HandleKind.MEMORY),
    "search": _search,
    "by": _by,
    "forget": _handle(lambda handle: MemoryForget(handle=handle), HandleKind.MEMORY),
    "restore": _handle(lambda handle: MemoryRestore(handle=handle), HandleKind.MEMORY),
}

_READERS: Mapping[str, Reader] = {
    "why": _about("why", lambda where, question: Why(where=where, question=question)),
    "context": _about("context", lambda where, question: Context(where=where, question=question)),
    "last": _place(lambda where: Context(where=where, last=True)),
    "ledger": _trails,
    "export": _about("export", lambda where, question: Export(where=where, question=question)),
    "memory": _memory,
    "doctor": _place(lambda where: Doctor(where=where)),
    "undo": _undo,
    "would": _would,
    "open": _handle(lambda handle: Open(handle=handle)),
    "use": _use,
    "audit": _alone(Audit()),
    "help": _alone(Help()),
}
