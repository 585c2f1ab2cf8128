"""A model behind a wire, and a way to price text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bot.domain.dialect import Dialect, TaughtTrait
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.domain.patience import Patience
from bot.domain.snapshot import Tokenizer
from bot.errors import ProviderError

OnText = Callable[[str], None]
"""Called with each piece of text as it streams in."""


class AnswerRestart(str):
    """No text: what was handed on so far turned out to be no words of the answer, which begins anew."""

    __slots__ = ()


class DialectBook(Protocol):
    """How a service wants its requests, and what its refusals teach of that. Pure; what was learnt is kept elsewhere.

    `learns` is False where the operator wants nothing to be learnt.
    """

    @property
    def learns(self) -> bool:
        """Whether anything may be learnt."""

    def of(self, model: str) -> Dialect:
        """Return what is known beforehand of how requests to a model are written."""

    def lesson(self, dialect: Dialect, error: ProviderError) -> TaughtTrait | None:
        """Return what a refusal teaches that the dialect does not have yet; None for most refusals."""


class LLMProvider(Protocol):
    """A model service. `encoder` is `name/version` of the wire format, stored with every request.

    `patience` is how long `complete` waits until an answer begins.
    """

    name: str
    encoder: str
    dialects: DialectBook
    patience: Patience

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the exact body that `complete` posts; pure, so the inspector can call it without sending.

        Without a `dialect` it is the one that is known beforehand.
        """

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post these very bytes once and wait for the answer; raise ProviderError. Never retries."""

    async def probe(self) -> Sequence[ProbeResult]:
        """Look at the service's list of models; no model call, never raises.

        A row may say what that proves of the key, and name the models: the facts `bot.domain.health.KEY` and `LISTED`.
        """

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
