"""The models, as a tool sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.health import ModelHealth
from bot.domain.llm import ModelName
from bot.domain.snapshot import ModelLimits


class ModelChain(Protocol):
    """Which models there are, what they hold and how they are. A model is asked by a turn, and by nothing else."""

    def chain(self, override: str = "") -> Sequence[ModelName]:
        """Return the models that are asked, in order."""

    def limits(self, model: ModelName) -> ModelLimits:
        """Return what a model can hold."""

    def health(self) -> Sequence[ModelHealth]:
        """Return how each model is."""
