"""A model behind a wire, and a way to price text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bot.domain.health import Probe
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.domain.snapshot import Tokenizer

OnText = Callable[[str], None]
"""Called with each piece of text as it streams in."""


class Anew(str):
    """No text: what was handed on so far turned out to be no words of the answer, which begins anew."""

    __slots__ = ()


class LLMProvider(Protocol):
    """A model service. `encoder` is `name/version` of the wire format, stored with every request."""

    name: str
    encoder: str

    def encode(self, request: LLMRequest) -> WireRequest:
        """Return the exact body that `complete` posts; pure, so the inspector can call it without sending."""

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post these very bytes once and wait for the answer; raise ProviderError. Never retries."""

    async def probe(self) -> Sequence[Probe]:
        """Look whether the service answers and takes the key; no model call, never raises."""

    async def close(self) -> None:
        """Let go of connections; a closed provider is not used again."""


class TokenCounter(Protocol):
    """Prices texts. Counts are memoised by content, so what was counted once costs a look-up."""

    def tokenizer(self, model: str) -> Tokenizer:
        """Return who counts for a model: exact or estimate, without a learned ratio."""

    def known(self, text: str) -> int | None:
        """Return the count of a text if it is already known; never counts, never loads the table."""

    def count(self, text: str) -> int:
        """Return the count of a text, counting it now if it must; only for short texts, or off the event loop."""

    async def warm(self, texts: Sequence[str]) -> None:
        """Count what is not known yet, off the event loop, in pieces; loads the table when it must."""

    async def sizes(self, texts: Sequence[str]) -> Mapping[str, int]:
        """Return the count of each text, counting off the event loop what is not known yet, unless it is short."""

    @property
    def ready(self) -> bool:
        """Whether nothing has to be loaded any more: the table is there, or it is known that it cannot be had."""

    @property
    def trouble(self) -> BaseException | None:
        """Why texts can only be estimated; None while nothing is wrong, or nothing was counted yet."""
