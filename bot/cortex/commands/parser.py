"""What an admin may type: a word is a subcommand only if the whole line parses, otherwise the line is a question.

Parsing never changes state. Case, curly quotes and the dashes that phones make are folded first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bot.cortex.commands.values import (
    Ask,
    Audit,
    Cache,
    CancelWork,
    Command,
    Compactions,
    Context,
    Diff,
    Doctor,
    Export,
    Find,
    ForgetUser,
    Gap,
    Help,
    MemoryBy,
    MemoryForget,
    MemoryList,
    MemoryRestore,
    MemorySearch,
    Open,
    Recording,
    Report,
    SendAgain,
    SkillList,
    This,
    ToolList,
    Trails,
    Undo,
    UndoCompaction,
    Usage,
    Use,
    Why,
    WorkList,
    Would,
)
from bot.domain.handles import HandleKind, parse_handle

__all__ = [
    "CONTEXTS",
    "Ask",
    "Audit",
    "Cache",
    "CancelWork",
    "Command",
    "Compactions",
    "Context",
    "Diff",
    "Doctor",
    "Export",
    "Find",
    "ForgetUser",
    "Gap",
    "Help",
    "MemoryBy",
    "MemoryForget",
    "MemoryList",
    "MemoryRestore",
    "MemorySearch",
    "Open",
    "Reader",
    "Recording",
    "Report",
    "SendAgain",
    "SkillList",
    "This",
    "ToolList",
    "Trails",
    "Undo",
    "UndoCompaction",
    "Usage",
    "Use",
    "Why",
    "WorkList",
    "Would",
    "is_place",
    "pair",
    "parse",
]

_FOLDED = str.maketrans("“”„«»‘’‚‐‑‒–—−\u00a0", '"' * 5 + "'" * 3 + "-" * 6 + " ")
_PLACE = re.compile(
    r"here|(?:[a-z][a-z0-9_-]{0,31}/)?#[^\s\"?!,]{1,100}|\"[^\"]{1,100}\"|<#\d{1,20}>|-?\d{5,20}(?::\d{1,20})?"
    r"|<?(?:https?|tg)://[^\s>]{1,200}>?|(?:[a-z][a-z0-9_-]{0,31}/)?[a-z][a-z0-9_]{0,31}:[^\s?!,]{1,200}",
    re.IGNORECASE,
)
_PUBLIC_NAME = re.compile(r"@[a-z]\w{3,31}", re.ASCII | re.IGNORECASE)
_FORM = re.compile(r"(?:(?P<place>.*\S)\s+)?(?P<form>next|last|running|-{0,2}sent\s+(?P<handle>\S+))", re.IGNORECASE)
"""Which context of a place is meant: `#general last`, `running`, `--sent r3x7b`."""
CONTEXTS = {
    "next": ("last", "next"),
    "running": ("last", "running"),
    "last": ("worked", "last"),
    "worked": ("worked", "last"),
}
"""The contexts that have names, with what is compared where one is named alone."""
_USER = r"(?:<@!?\d{1,20}>|\d{1,20}|@?[\w.\-]{1,64})"
_WOULD = re.compile(rf"({_USER})\s+\"([^\"]*)\"(?:\s+(\S+))?")
_FIND = re.compile(r"find\s+\"([^\"]+)\"(?:\s+(\S+))?", re.IGNORECASE)
_ONE_USER = re.compile(_USER)


def parse(line: str) -> Command:
    """Read what follows the command's name; everything that is not wholly a subcommand is a question."""
    folded = line.translate(_FOLDED).strip()
    if not folded:
        return Report()
    # `tools` is spelt like a handle, and is a word of ours
    if folded.casefold() not in _READERS and parse_handle(folded) is not None:
        return Open(handle=folded.lower(), question=line.strip())
    if (found := _FIND.fullmatch(folded)) and (not found[2] or is_place(found[2]) or parse_handle(found[2])):
        # folding keeps every position, and what is looked for is what somebody's phone wrote
        return Find(text=line.strip()[found.start(1) : found.end(1)], where=found[2] or "")
    word, _, rest = folded.partition(" ")
    read = _READERS.get(word.casefold())
    return (read(rest.strip()) if read else None) or Ask(text=line.strip())


def pair(first: str = "", second: str = "") -> tuple[str, str]:
    """Return the two contexts that are meant; one record alone is compared with the last request."""
    return (first, second) if second or not first else CONTEXTS.get(first, (first, "last"))


Reader = Callable[[str], Command | None]


def is_place(text: str) -> bool:
    """Say whether a text is written like a channel: `here`, `#name`, a mention, a link, an id, or quoted."""
    return _PLACE.fullmatch(text) is not None


def _place(make: Callable[[str], Command]) -> Reader:
    def read(rest: str) -> Command | None:
        return make(rest.strip('"')) if not rest or is_place(rest) else None

    return read


def _doctor(rest: str) -> Command | None:
    """Read a place, and a public name too: a chat that nothing ever came from has no other on some platforms."""
    is_named = _PUBLIC_NAME.fullmatch(rest) is not None
    return Doctor(where=rest) if is_named else _place(lambda where: Doctor(where=where))(rest)


def _about(word: str, make: Callable[[str, str], Command]) -> Reader:
    """Read a place, or a record by its handle; words such as `great` are spelt like one, and digits are in no word."""

    def read(rest: str) -> Command | None:
        if parse_handle(rest) is None:
            return make(rest.strip('"'), "") if not rest or is_place(rest) else None
        return make(rest.lower(), "" if any(map(str.isdigit, rest)) else f"{word} {rest}")

    return read


def _formed(word: str, make: Callable[..., Command]) -> Reader:
    """Read what `_about` reads, and which of its contexts is meant."""
    plain = _about(word, lambda where, question: make(where=where, question=question))

    def read(rest: str) -> Command | None:
        found = _FORM.fullmatch(rest)
        if found is None or (found["place"] and not is_place(found["place"])):
            return plain(rest)
        if found["handle"]:
            # a request knows its channel
            handle = parse_handle(found["handle"])
            is_request = handle is not None and handle.kind is HandleKind.REQUEST
            return make(where=found["handle"].lower()) if is_request else None
        form = found["form"].casefold()
        return make(where=(found["place"] or "").strip('"'), last=form == "last", running=form == "running")

    return read


def _diff(rest: str) -> Command | None:
    """Read up to two contexts and a place behind them; one alone is compared with what is usual for it."""
    names: list[str] = []
    words = rest.split()
    while words and len(names) < 2 and (words[0].casefold() in CONTEXTS or parse_handle(words[0])):
        names.append(words.pop(0).lower())
    place = " ".join(words)
    if place and not is_place(place):
        return None
    handles = [name for name in names if name not in CONTEXTS]
    before, after = pair(*names)
    sure = not handles or any(map(str.isdigit, "".join(handles)))
    where = place.strip('"') or next(iter(handles), "")
    return Diff(before=before, after=after, where=where, question="" if sure else f"diff {rest}")


def _alone(command: Command) -> Reader:
    return lambda rest: None if rest else command


def _handle(make: Callable[[str], Command], *kinds: HandleKind) -> Reader:
    def read(rest: str) -> Command | None:
        found = parse_handle(rest)
        return make(rest.lower()) if found is not None and (not kinds or found.kind in kinds) else None

    return read


def _trails(rest: str) -> Command | None:
    return Open(handle=rest.lower()) if parse_handle(rest) else _place(lambda where: Trails(where=where))(rest)


_PROCESSES = (HandleKind.BRANCH, HandleKind.WORKER)


def _work(rest: str) -> Command | None:
    named = _handle(lambda handle: Open(handle=handle), *_PROCESSES)(rest)
    return named or _place(lambda where: WorkList(where=where))(rest)


def _cancel(rest: str) -> Command | None:
    # without a name: what there is to stop, with its names
    return _handle(lambda handle: CancelWork(handle=handle), *_PROCESSES)(rest) if rest else WorkList()


def _undo(rest: str) -> Command | None:
    # what was left out of requests has no row of the audit: the bot did it by itself
    again = _handle(lambda handle: SendAgain(handle=handle), HandleKind.INBOUND, HandleKind.TURN)(rest)
    return again or (_handle(lambda handle: Undo(handle=handle), HandleKind.AUDIT)(rest) if rest else Undo())


def _use(rest: str) -> Command | None:
    return Use(where=rest.strip('"')) if is_place(rest) else None


def _forget(rest: str) -> Command | None:
    found = re.fullmatch(r"user\s+(?:<@!?(\d{1,20})>|(\d{1,20}))", rest, re.IGNORECASE)
    return ForgetUser(user=found[1] or found[2]) if found else None


def _record(rest: str) -> Command | None:
    word, _, place = rest.partition(" ")
    place = place.strip()
    if word.casefold() not in {"", "on", "off"} or (place and not is_place(place)):
        return None
    return Recording(record=None if not word else word.casefold() == "on", where=place.strip('"'))


def _would(rest: str) -> Command | None:
    found = _WOULD.fullmatch(rest)
    if found is None or (found[3] and not is_place(found[3])):
        return None
    return Would(user=found[1], text=found[2], where=found[3] or "")


def _memory(rest: str) -> Command | None:
    word, _, tail = rest.partition(" ")
    read = _MEMORY.get(word.casefold())
    return read(tail.strip()) if read else None


def _compactions(rest: str) -> Command | None:
    word, _, tail = rest.partition(" ")
    if parse_handle(word) is not None or word.casefold() == "show":
        return _handle(lambda handle: Open(handle=handle), HandleKind.COMPACTION)(tail if tail else word)
    if word.casefold() == "undo":
        return _handle(lambda handle: UndoCompaction(handle=handle), HandleKind.COMPACTION)(tail.strip())
    return _place(lambda where: Compactions(where=where))(rest)


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
    "context": _formed("context", Context),
    "usage": _place(lambda where: Usage(where=where)),
    "last": _place(lambda where: Context(where=where, last=True)),
    "ledger": _trails,
    "export": _formed("export", Export),
    "memory": _memory,
    "doctor": _doctor,
    "undo": _undo,
    "diff": _diff,
    "cache": _about("cache", lambda where, question: Cache(where=where, question=question)),
    "this": _about("this", lambda where, question: This(where=where, question=question)),
    "would": _would,
    "gap": _about("gap", lambda where, question: Gap(where=where, question=question)),
    "skills": _place(lambda where: SkillList(where=where)),
    "tools": _place(lambda where: ToolList(where=where)),
    "work": _work,
    "cancel": _cancel,
    "forget": _forget,
    "record": _record,
    "compactions": _compactions,
    "open": _handle(lambda handle: Open(handle=handle)),
    "use": _use,
    "audit": _alone(Audit()),
    "help": _alone(Help()),
}
