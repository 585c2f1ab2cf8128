"""What operators count: numbers that are told as records are made, and how the process is when somebody asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import NamedTuple, Protocol

from bot.domain.ledger import Outcome
from bot.domain.turn import AttemptRecord


class TurnPart(StrEnum):
    """What of a turn takes time. `whole` is from the oldest message's arrival to the commit that ends the turn."""

    WHOLE = "whole"
    QUEUE = "queue"
    ASSEMBLE = "assemble"
    FIRST_TOKEN = "first_token"
    MODEL = "model"
    STORE = "store"
    SEND = "send"


class PlatformHearing(NamedTuple):
    """Whether a platform is heard, in its adapter's own words of one word each."""

    platform: str
    hears: bool
    state: str
    code: str = ""


class Backlog(NamedTuple):
    """What is still to be done: parts of messages that were not sent, and when the oldest inbound without an outcome
    arrived (UTC ms, 0: there is none).
    """

    pending: int = 0
    oldest_at: int = 0


class ProcessGauges(NamedTuple):
    """How the process is now. Seconds and bytes; `store_fault` is empty while the store can be used."""

    is_ready: bool
    store_fault: str
    hearing: tuple[PlatformHearing, ...]
    pending: int = 0
    unanswered_age: float = 0.0
    loop_lag: float = 0.0
    memory: int = 0


ReadGauges = Callable[[], Awaitable[ProcessGauges]]
"""Looks how the process is; never raises."""


class Metrics(Protocol):
    """Is told of every record once it is committed, on whatever thread that was; returns without waiting.

    What it is told is of a few kinds: no channel, person or guild is ever among it.
    """

    def settled(self, platform: str, outcome: Outcome) -> None:
        """Count an inbound that came to its outcome."""

    def stopped(self, gate: str) -> None:
        """Count an inbound that a gate stopped."""

    def attempted(self, model: str, attempt: AttemptRecord) -> None:
        """Count what a request to a model cost, took, and came to."""

    def took(self, part: TurnPart, seconds: float) -> None:
        """Take in how long a part of a turn took."""

    def found(self, cause: str) -> None:
        """Count a cause that an admin was told."""


class NoMetrics:
    """Implements it where nobody counts."""

    def settled(self, platform: str, outcome: Outcome) -> None:
        """Let it pass."""

    def stopped(self, gate: str) -> None:
        """Let it pass."""

    def attempted(self, model: str, attempt: AttemptRecord) -> None:
        """Let it pass."""

    def took(self, part: TurnPart, seconds: float) -> None:
        """Let it pass."""

    def found(self, cause: str) -> None:
        """Let it pass."""


NO_METRICS: Metrics = NoMetrics()


class MetricsExporter(Metrics, Protocol):
    """Counts, and answers whoever asks for the numbers over HTTP."""

    async def serve(self, read: ReadGauges) -> None:
        """Answer until cancelled; wait for the address while somebody else has it."""
