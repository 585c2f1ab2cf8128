"""Read evidence piece by piece: one that fails or hangs is missing and named, and the others stand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from bot.diagnostics.evidence.evidence import MissingEvidence
from bot.diagnostics.failure_words import unread_part
from bot.domain.finding import UnreadEvidence
from bot.sentences import say

log = structlog.get_logger(__name__)

ALL_SECONDS = 1.7
"""How long all pieces may take together; the whole answer is promised within two seconds."""
PIECE_SECONDS = 1.0
PROBE_SECONDS = 1.0
"""How long a platform may take to say how it is."""
PART_SECONDS = 0.7
"""How long a part of a piece may take, so that the rest of the piece stands without it."""

PATIENT_SECONDS = (5.0, 8.0)
"""The same two for what nobody waits for within two seconds."""

T = TypeVar("T")
D = TypeVar("D")


class PieceReader:
    """The pieces of one answer. `unread` says in words which are missing, `missing` are the names of their fields."""

    def __init__(self, each: float | None = None, together: float | None = None) -> None:
        self._each = PIECE_SECONDS if each is None else each
        self._ends = asyncio.get_running_loop().time() + (ALL_SECONDS if together is None else together)
        self.unread: list[UnreadEvidence] = []
        self.missing: set[str] = set()

    async def read(
        self, field: str, what: str, reading: Callable[[], Awaitable[T]], default: D, *, needs: tuple[str, ...] = ()
    ) -> T | D:
        """Return a piece, or `default` where it cannot be read, or what it `needs` could not."""
        if self.missing.intersection(needs):
            self.missing.add(field)
            return default
        left = self._ends - asyncio.get_running_loop().time()
        try:
            if left <= 0:
                raise TimeoutError
            return await asyncio.wait_for(reading(), min(self._each, left))
        except MissingEvidence:
            self.missing.add(field)
            return default
        except Exception as error:  # noqa: BLE001 - whatever it is, the report says it and the other pieces stand
            self.without(field, what, error)
            return default

    def take(self, field: str, what: str, taking: Callable[[], T], default: D) -> T | D:
        """Return a piece that is at hand, or `default` where even that fails."""
        try:
            return taking()
        except Exception as error:  # noqa: BLE001 - as above
            self.without(field, what, error)
            return default

    def without(self, field: str, what: str, error: BaseException) -> None:
        """Note that a piece of evidence could not be had, and go on without it; `what` names the sentence for it."""
        # where something hung the stack is only ours
        stack = None if isinstance(error, TimeoutError) else error
        log.warning("evidence_missing", field=field, error_type=type(error).__name__, exc_info=stack)
        self.missing.add(field)
        self.unread.append(unread_part(say(what), error))
