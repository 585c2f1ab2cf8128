"""Ask for vectors: the one door to a model that makes them, which clears, records, bounds and prices every call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import structlog

from bot.domain.base import quarter_bytes
from bot.domain.embedding import EmbeddingRecord, TextVectors, Vector
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.domain.llm import LLMResponse, TokenUsage
from bot.domain.snapshot import ContextStats, CountMethod, Tokenizer
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderError, ProviderFault
from bot.ports.clock import Clock
from bot.ports.embeddings import Embedder
from bot.ports.journal import Journal
from bot.ports.meter import UsageMeter
from bot.text.redaction import RedactedText

log = structlog.get_logger(__name__)

NOWHERE = ChannelKey(AgentId(MAIN), ChannelId(""))
"""Whose a call is that is about no conversation, or was made in private."""
_DAY_MS = 86_400_000
_MAX_CHARS = 2_000
"""So much of a text is told: what a memory means stands at its beginning, and models read no more."""
_ESTIMATE = Tokenizer(name="bytes", method=CountMethod.BYTES)


class EmbeddingLimits(NamedTuple):
    """`seconds` is how long a question waits; `rest` how long nothing is asked for one after that went wrong.

    `price` is in US dollars per million tokens (None: not known), `daily_cost` the most that a day may cost (0: any).
    """

    seconds: float
    rest: float
    price: float | None
    daily_cost: Callable[[], float]


@dataclass(eq=False)
class EmbeddingClient:
    """Makes vectors. What went wrong is said once, in the log and by `trouble`, until a call goes well again.

    All vectors of one process have one length, that of the first: a model that is replaced behind its name would else
    mix what cannot be compared. A new start takes the new length.
    """

    embedder: Embedder
    journal: Journal
    meter: UsageMeter
    clock: Clock
    redact: Callable[[str], RedactedText]
    limits: EmbeddingLimits
    trouble: str = ""
    _length: int = 0
    _rests_until: float = 0.0

    @property
    def model(self) -> str:
        """The name under which vectors are kept; empty before the first came."""
        return f"{self.embedder.name}#{self._length}" if self._length else ""

    async def of_question(self, words: str, asked_in: ChannelKey | None) -> Vector | None:
        """Return the vector of a question; None where it does not come in time, and then none for a while."""
        if self.clock.monotonic() < self._rests_until:
            return None
        try:
            return (await self.of_texts([words], asked_in or NOWHERE, self.limits.seconds))[0]
        except ProviderError:
            return None

    async def of_texts(self, texts: Sequence[str], key: ChannelKey, seconds: float) -> Sequence[Vector]:
        """Return a vector for each text; raise ProviderError, also where that takes longer."""
        wire = self.embedder.encode([self.redact(text).text[:_MAX_CHARS] for text in texts])
        tokens = sum(quarter_bytes(text[:_MAX_CHARS]) for text in texts)
        row = await self.journal.record_embedding(
            EmbeddingRecord(
                agent=key.agent,
                channel=key.channel,
                at=self.clock.now(),
                model=self.embedder.name,
                encoder=self.embedder.encoder,
                wire_sha256=wire.sha256,
                wire_bytes=len(wire.body),
                stats=ContextStats(system_prompt=0, tools=0, history=tokens, window=0, tokenizer=_ESTIMATE),
            )
        )
        began = self.clock.monotonic()
        try:
            async with asyncio.timeout(seconds):
                came = await self.embedder.embed(wire, len(texts))
            self._check(came)
        except (ProviderError, TimeoutError) as failed:
            error = failed if isinstance(failed, ProviderError) else _too_slow(seconds)
            await self.journal.record_attempt(self._attempt(row, began, error=error))
            self._failed(error)
            raise error from None
        await self.journal.record_attempt(self._attempt(row, began, came=came, tokens=tokens))
        self._went_well()
        return came.vectors

    async def has_budget(self) -> bool:
        """Say whether today may cost more."""
        cap = self.limits.daily_cost()
        if not cap:
            return True
        midnight = self.clock.now() // _DAY_MS * _DAY_MS
        return sum(row.cost_usd for row in await self.meter.usage(None, midnight)) < cap

    def _check(self, came: TextVectors) -> None:
        length = len(came.vectors[0])
        self._length = self._length or length
        if length != self._length:
            words = f"the model's vectors have {length} numbers now, not {self._length}: a new start makes all anew"
            raise ProviderError(words, fault=ProviderFault.GARBAGE)

    def _attempt(
        self,
        row: int,
        began: float,
        *,
        came: TextVectors | None = None,
        tokens: int = 0,
        error: ProviderError | None = None,
    ) -> AttemptRecord:
        used = TokenUsage(input=came.tokens or tokens, output=0, estimated=came.tokens is None) if came else None
        price = self.limits.price
        return AttemptRecord(
            request=row,
            number=1,
            at=self.clock.now(),
            duration_ms=round((self.clock.monotonic() - began) * 1000, 3),
            response=LLMResponse(text="", usage=used) if used else None,
            fault=error.fault.value if error else "",
            status=error.status if error else None,
            error=str(error) if error else "",
            cost_usd=None if price is None or used is None else price * (used.input or 0) / 1_000_000,
        )

    def _failed(self, error: ProviderError) -> None:
        self._rests_until = self.clock.monotonic() + self.limits.rest
        told = self.redact(str(error)).text
        if not self.trouble:
            log.warning("memories_searched_by_words_alone", model=self.embedder.name, why=told)
        self.trouble = told

    def _went_well(self) -> None:
        if self.trouble:
            log.info("memories_searched_by_meaning_again", model=self.embedder.name)
        self.trouble, self._rests_until = "", 0.0


def _too_slow(seconds: float) -> ProviderError:
    return ProviderError(f"no vectors within {seconds:g} s", fault=ProviderFault.TIMEOUT)
