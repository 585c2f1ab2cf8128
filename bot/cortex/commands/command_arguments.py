"""How what stands behind a command's name is read: each reader takes the whole of it, or it is no command at all.

Reading never changes state. Case, curly quotes and the dashes that phones make are folded first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from bot.domain.base import FrozenModel
from bot.domain.handles import HandleKind, has_digit, parse_handle

_FOLDED = str.maketrans("“”„«»‘’‚‐‑‒–—−\u00a0", '"' * 5 + "'" * 3 + "-" * 6 + " ")
_PLACE = re.compile(
    r"here|(?:[a-z][a-z0-9_-]{0,31}/)?#[^\s\"?!,]{1,100}|\"[^\"]{1,100}\"|<#\d{1,20}>|-?\d{5,20}(?::\d{1,20})?"
    r"|<?(?:https?|tg)://[^\s>]{1,200}>?|(?:[a-z][a-z0-9_-]{0,31}/)?[a-z][a-z0-9_]{0,31}:[^\s?!,]{1,200}",
    re.IGNORECASE,
)
USER = r"(?:<@!?\d{1,20}>|\d{1,20}|@?[\w.\-]{1,64})"
"""How a person is named: a mention, a numeric id, or a name."""


class CommandArgs(FrozenModel):
    """What was said behind a command's name: `where` is a channel, message or record, empty: here.

    A word that is spelt like a handle and names no record was part of the `question` that was typed.
    """

    where: str = ""
    question: str = ""


class PagedArgs(CommandArgs):
    """What is shown in pages, and which of them."""

    page: int = 1


class HandleArgs(CommandArgs):
    """A record by its handle."""

    handle: str


class TypedLine(NamedTuple):
    """The line as it was typed, and what of it stands behind the command's name: folded, and as it was typed."""

    line: str
    rest: str
    verbatim: str


A = TypeVar("A", bound=CommandArgs)
Reader = Callable[[TypedLine], A | None]
"""Returns None for what it cannot wholly read."""


def fold(text: str) -> str:
    """Write quotes, dashes and spaces as keyboards do; every position stays."""
    return text.translate(_FOLDED)


def is_place(text: str) -> bool:
    """Say whether a text is written like a channel: `here`, `#name`, a mention, a link, an id, or quoted."""
    return _PLACE.fullmatch(text) is not None


def no_arguments(typed: TypedLine) -> CommandArgs | None:
    """Read a name that stands alone."""
    return None if typed.rest else CommandArgs()


def place(typed: TypedLine) -> CommandArgs | None:
    """Read a channel, or none."""
    rest = typed.rest
    return CommandArgs(where=rest.strip('"')) if not rest or is_place(rest) else None


def place_or_record(typed: TypedLine) -> CommandArgs | None:
    """Read a channel, or a record by its handle."""
    rest = typed.rest
    if parse_handle(rest) is None:
        return place(typed)
    return CommandArgs(where=rest.lower(), question="" if has_digit(rest) else typed.line)


def handle(*kinds: HandleKind) -> Reader[HandleArgs]:
    """Return what reads the handle of one of these kinds, or of any; letters alone may have been a word."""

    def read(typed: TypedLine) -> HandleArgs | None:
        found = parse_handle(typed.rest)
        if found is None or (kinds and found.kind not in kinds):
            return None
        return HandleArgs(handle=typed.rest.lower(), question="" if has_digit(typed.rest) else typed.line)

    return read
