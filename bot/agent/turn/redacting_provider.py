"""A model service whose errors hold no secret of this process: not its own key alone, nobody's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.domain.dialect import Dialect
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.errors import ProviderError
from bot.ports.model import LLMProvider, OnText
from bot.text.redaction import RedactedText


class DiscreetProvider:
    """Implements `bot.ports.model.LLMProvider` over another one.

    An adapter knows its own key; what a service repeats may be another's, and what it says becomes part of records.
    """

    def __init__(self, provider: LLMProvider, redact: Callable[[str], RedactedText]) -> None:
        self._provider = provider
        self._redact = redact
        self.name = provider.name
        self.encoder = provider.encoder
        self.dialects = provider.dialects
        self.patience = provider.patience

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the body that the service gets."""
        return self._provider.encode(request, dialect)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post a request; raise ProviderError without secrets."""
        answering = self._provider.complete(wire, on_text)
        # nobody keeps the bytes while a model thinks
        del wire
        try:
            return await answering
        except ProviderError as error:
            told = self._redact(str(error))
            if not told.count:
                raise
            clean = ProviderError(
                told.text,
                fault=error.fault,
                status=error.status,
                retry_after=error.retry_after,
                partial_text=error.partial_text,
                behind=error.behind,
                named=error.named,
                limit=error.limit,
                size=error.size,
            )
        # outside of the handler, so that a traceback does not show the first one
        raise clean

    async def probe(self) -> Sequence[ProbeResult]:
        """Look whether the service answers."""
        return await self._provider.probe()

    async def close(self) -> None:
        await self._provider.close()
