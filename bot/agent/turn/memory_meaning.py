"""Keep a vector for each memory, made beside all turns, and find by them what means the same as a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.agent.turn.circuit_breaker import OF_THE_REQUEST
from bot.agent.turn.embedding_client import NOWHERE, EmbeddingClient
from bot.domain.embedding import VectorCount, VectorQuery
from bot.domain.health import ProbeResult
from bot.domain.ids import ChannelKey, PersonKey, platform_of
from bot.domain.memory import Memory, MemoryHit, MemoryReach, MemoryType
from bot.errors import ProviderError
from bot.ports.clock import Clock
from bot.ports.embeddings import VectorStore
from bot.sentences import say
from bot.text.figures import exact_number
from bot.text.text import quote_line

log = structlog.get_logger(__name__)

NAME = "memory search"
_NEAREST = 20
_AT_LEAST = 0.25
"""What is no nearer than that means something else (cosine)."""
_BATCH_SECONDS = 30.0
_WAIT_SECONDS = 5.0
_PASSES_ANEW = 720
"""After so many waits everything is gone through again: what was brought back has no vector any more."""


@dataclass(eq=False)
class MemoryMeaning:
    """Implements `bot.ports.embeddings.MeaningSearch`. `is_out`: who wants nothing kept is told to no model."""

    client: EmbeddingClient
    vectors: VectorStore
    clock: Clock
    batch: int
    is_out: Callable[[PersonKey], bool]
    _after: int = 0
    _is_cleared: bool = False

    async def nearest(
        self, reach: MemoryReach, words: str, kind: MemoryType | None, asked_in: ChannelKey | None
    ) -> Sequence[MemoryHit]:
        """Return what means about the same as a question, the nearest first; () where that cannot be told in time."""
        vector = await self.client.of_question(words, asked_in)
        if vector is None:
            return ()
        found = await self.vectors.nearest(reach, VectorQuery(self.client.model, vector), kind, _NEAREST)
        return [hit for hit in found if hit.score >= _AT_LEAST]

    async def run(self) -> None:
        """Make the vectors that are missing, again and again until cancelled."""
        waits = 0
        while True:
            await self.fill()
            waits += 1
            if waits % _PASSES_ANEW == 0:
                self._after = 0
            await self.clock.sleep(self.client.limits.rest if self.client.trouble else _WAIT_SECONDS)

    async def fill(self) -> int:
        """Make the vectors that are missing, as far as the service and the day's budget let it; return how many."""
        made = 0
        while (some := await self.vectors.missing(self.client.model, self._after, self.batch)) and (
            await self.client.has_budget()
        ):
            wanted = [memory for memory in some if not self._keeps_out(memory)]
            try:
                made += await self._embed(wanted)
            except ProviderError:
                break
            self._after = some[-1].id
        return made

    async def _embed(self, memories: Sequence[Memory]) -> int:
        if not memories:
            return 0
        texts = [memory.body.content for memory in memories]
        try:
            vectors = await self.client.of_texts(texts, NOWHERE, _BATCH_SECONDS)
        except ProviderError as error:
            if error.fault not in OF_THE_REQUEST:
                raise
            # what the service does not take, by its length or by what it says, keeps no other from its vector
            half = len(memories) // 2
            return await self._embed(memories[:half]) + await self._embed(memories[half:]) if half else 0
        if not self._is_cleared:
            # those of another model, or of one that was replaced behind its name
            if gone := await self.vectors.drop_others(self.client.model):
                log.info("vectors_dropped", many=gone, now=self.client.model)
            self._is_cleared = True
        return await self.vectors.put(self.client.model, list(zip(memories, vectors, strict=True)))

    def _keeps_out(self, memory: Memory) -> bool:
        people = (memory.body.provenance.author, *memory.body.subjects)
        return any(self.is_out(PersonKey(platform_of(memory.body.channel), user)) for user in people)

    async def probe(self) -> Sequence[ProbeResult]:
        """Say how memories are searched."""
        count = await self.vectors.count(self.client.embedder.name)
        return [meaning_row(self.client.embedder.name, count, self.client.trouble)]


async def meaning_probe(meaning: MemoryMeaning | None) -> Sequence[ProbeResult]:
    """Say how memories are searched."""
    return [meaning_row("", VectorCount(0, 0), "")] if meaning is None else await meaning.probe()


def meaning_row(model: str, count: VectorCount, trouble: str) -> ProbeResult:
    """Say how memories are searched; without a model by words."""
    if not model:
        return ProbeResult(name=NAME, state="ok", evidence=say("doctor.by-words"))
    counts = {"model": model, "vectors": exact_number(count.vectors), "memories": exact_number(count.memories)}
    if trouble:
        evidence = say("doctor.by-words-alone", why=quote_line(trouble, 120), **counts)
        return ProbeResult(name=NAME, state="warning", evidence=evidence, fix=say("doctor.by-words-alone-fix"))
    return ProbeResult(name=NAME, state="ok", evidence=say("doctor.by-meaning", **counts))
