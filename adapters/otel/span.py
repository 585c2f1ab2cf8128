"""A span as a value, and what spans and traces are called."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from hashlib import blake2b
from typing import NamedTuple

Content = Callable[[], str]
"""What somebody said, made into a text when it is handed over and not before: most of the cost is in that."""
Attribute = str | int | float | tuple[str, ...] | Content | None


TRACE_BYTES, SPAN_BYTES = 16, 8
"""How long the names of traces and of spans are."""


class SpanKind(IntEnum):
    """As the protocol numbers them."""

    INTERNAL = 1
    CLIENT = 3
    PRODUCER = 4


class Span(NamedTuple):
    """Something that was done. Times are UTC ms; `parent` is empty for the first of a trace.

    An attribute that is None or empty is left out. `event` is set where all of them stand in an event too.
    """

    name: str
    kind: SpanKind
    trace: bytes
    id: bytes
    parent: bytes
    start: float
    end: float
    attributes: tuple[tuple[str, Attribute], ...]
    is_error: bool = False
    event: str = ""


class TraceIds:
    """Names things by their rows, so that whatever is told of one later, by any process, stands where it belongs."""

    def __init__(self, key: bytes) -> None:
        self._begun = {size: blake2b(digest_size=size, key=key[:64]) for size in (SPAN_BYTES, TRACE_BYTES)}

    def trace(self, inbound: int, turn: int) -> bytes:
        """Name what goes back to a message; where there is none, what belongs to a turn."""
        return self._name(TRACE_BYTES, f"inbound {inbound}" if inbound else f"turn {turn}")

    def span(self, what: str, *rows: int) -> bytes:
        """Name a record."""
        return self._name(SPAN_BYTES, f"{what} {rows}")

    def _name(self, size: int, text: str) -> bytes:
        named = self._begun[size].copy()
        named.update(text.encode())
        return named.digest()
