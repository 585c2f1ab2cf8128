"""Who is told how model services fare, whatever becomes of the one turn that asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.agent.turn.circuit_breaker import RequestOwner
from bot.domain.llm import ModelName
from bot.errors import ProviderError


class ServiceObserver(Protocol):
    """Hears of every request that was given up on, and of who answered; returns without waiting."""

    def failed(self, model: ModelName, error: ProviderError, by: RequestOwner) -> None:
        """A request was given up on, after its last attempt."""

    def answered(self, model: ModelName, before: Sequence[ModelName]) -> None:
        """A model answered; those before it in the chain did not."""

    def unanswered(self, models: Sequence[ModelName]) -> None:
        """Take that none of these models answered."""


class SilentObserver:
    """Implements it where nobody listens."""

    def failed(self, model: ModelName, error: ProviderError, by: RequestOwner) -> None:
        """Take no notice."""

    def answered(self, model: ModelName, before: Sequence[ModelName]) -> None:
        """Take no notice."""

    def unanswered(self, models: Sequence[ModelName]) -> None:
        """Take no notice."""
