"""A page in somebody's browser: what was asked for, and what is answered."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from bot.sentences import known_language

_WANTED = re.compile(
    r"([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?: *; *q *= *([01](?:\.[0-9]{0,3})?))?", re.IGNORECASE | re.ASCII
)
"""A language in `Accept-Language`, and how much it is wanted (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)."""


class PageRequest(NamedTuple):
    """What a browser asked for, nothing of it believed. `headers` are by small name, each with every value it had."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, Sequence[str]] = {}
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return a header that came once; empty where it came not at all, or more than once."""
        values = self.headers.get(name, ())
        return values[0] if len(values) == 1 else ""

    @property
    def language(self) -> str:
        """The language that the browser wants most of those that are spoken here; empty for none."""
        wanted = [(float(weight or 1), code) for code, weight in _WANTED.findall(self.header("accept-language"))]
        known = (known_language(code) for weight, code in sorted(wanted, key=lambda one: -one[0]) if weight)
        return next(filter(None, known), "")


class PageResponse(NamedTuple):
    """What a browser gets."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    events: AsyncGenerator[bytes, None] | None = None
    """What is sent piece by piece in the place of a body, until it ends or the browser goes; it is closed then."""


AnswerPage = Callable[[PageRequest], Awaitable[PageResponse]]
"""Answers whatever came; never raises."""


class PageServer(Protocol):
    """Listens for browsers."""

    async def serve(
        self, answer: AnswerPage, host: str, port: int, ready: Callable[[], None], language: Callable[[], str]
    ) -> None:
        """Answer until cancelled; `ready` is called once it listens. Raise UserError where the address is taken.

        What is never answered is refused in the browser's language, or in this one where that is not spoken here.
        """
