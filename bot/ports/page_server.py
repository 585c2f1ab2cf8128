"""A page in somebody's browser: what was asked for, and what is answered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol


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
