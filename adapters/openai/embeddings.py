"""Ask a service for vectors, as OpenAI's `/embeddings` does it and nearly everybody else: one body there, one back."""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Sequence
from hashlib import sha256
from struct import error as StructError
from struct import unpack

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from adapters.model_http.client import LifeSign, ModelHttpClient
from adapters.model_http.errors import NotTheProtocol
from adapters.openai.client import Settings, service_headers
from bot.domain.embedding import TextVectors, Vector
from bot.domain.llm import WireRequest

ENCODER = "openai-embeddings/1"
"""Stored with every call; raise the number when equal texts would give other bytes."""
_PATH = "/embeddings"
_MAX_NUMBERS = 8_192


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    index: int
    embedding: list[float] | str


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    prompt_tokens: int = 0
    total_tokens: int = 0


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    data: list[_Part]
    usage: _Usage | None = None


class OpenAIEmbedder:
    """Implements `bot.ports.embeddings.Embedder` over a service; `model` is as the service calls it."""

    encoder = ENCODER

    def __init__(self, provider: str, settings: Settings, model: str) -> None:
        self.name = f"{provider}/{model}"
        self._provider, self._model = provider, model
        self._line = ModelHttpClient(settings, service_headers(settings))

    def encode(self, texts: Sequence[str]) -> WireRequest:
        """Return the exact body that `embed` posts."""
        body = orjson.dumps({"model": self._model, "input": list(texts), "encoding_format": "float"})
        return WireRequest(
            provider=self._provider, model=self._model, path=_PATH, body=body, sha256=sha256(body).hexdigest()
        )

    async def embed(self, wire: WireRequest, count: int) -> TextVectors:
        """Post these bytes once; raise ProviderError."""
        answer = VectorAnswer(count)
        await self._line.post(wire.path, wire.body, answer)
        return answer.read

    async def close(self) -> None:
        await self._line.close()


class VectorAnswer:
    """Implements `adapters.model_http.client.AnswerReader` for a body of vectors; nobody streams them."""

    ending = "body"
    text = ""

    def __init__(self, count: int) -> None:
        self._count = count
        self.read = TextVectors(())

    @property
    def finished(self) -> bool:
        """Whether there is a vector for each text."""
        return len(self.read.vectors) == self._count

    def take(self, data: bytes) -> LifeSign:
        """Take what came as one event, as some proxies send it."""
        self.take_whole(data)
        return LifeSign.END

    def take_whole(self, data: bytes) -> None:
        """Read a whole body; raise NotTheProtocol."""
        try:
            body = _Body.model_validate(orjson.loads(data))
        except (ValidationError, orjson.JSONDecodeError):
            raise NotTheProtocol("something else than vectors") from None
        found = {part.index: _numbers(part.embedding) for part in body.data}
        if sorted(found) != list(range(self._count)):
            raise NotTheProtocol(f"{len(found)} vectors for {self._count} texts")
        vectors = [found[number] for number in range(self._count)]
        checked_vectors(vectors)
        tokens = (body.usage.prompt_tokens or body.usage.total_tokens or None) if body.usage else None
        self.read = TextVectors(vectors, tokens)


def checked_vectors(vectors: Sequence[Vector]) -> None:
    """Raise NotTheProtocol where vectors cannot be compared: of several lengths, zero, or with what is no number."""
    lengths = {len(vector) for vector in vectors}
    if len(lengths) > 1 or not all(0 < length <= _MAX_NUMBERS for length in lengths):
        raise NotTheProtocol("vectors of different or impossible lengths")
    if not all(math.isfinite(total := sum(map(abs, vector))) and total for vector in vectors):
        raise NotTheProtocol("vectors that are zero or hold no numbers")


def _numbers(said: list[float] | str) -> Sequence[float]:
    """Read the numbers; some services send 32-bit floats as base64, whatever they are asked for."""
    if isinstance(said, list):
        return said
    try:
        raw = b64decode(said, validate=True)
        return unpack(f"<{len(raw) // 4}f", raw)
    except (ValueError, StructError):
        raise NotTheProtocol("something else than vectors") from None
