"""Vectors from a model in a folder of this machine, with the extra `embeddings`; nothing is ever downloaded."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from bot.domain.embedding import TextVectors
from bot.domain.llm import WireRequest
from bot.errors import ConfigError, ProviderError, ProviderFault
from bot.sentences import say

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

ENCODER = "local-embeddings/1"
_MODEL, _TOKENS = "model.onnx", "tokenizer.json"
_MAX_TOKENS = 256
_THREADS = 1
"""The machine is there for the bot first."""


class LocalEmbedder:
    """Implements `bot.ports.embeddings.Embedder`: a transformer whose words are averaged, as sentence models are."""

    encoder = ENCODER

    def __init__(self, folder: Path) -> None:
        self.name = f"local/{folder.name}"
        self._folder = folder

    def encode(self, texts: Sequence[str]) -> WireRequest:
        """Return the texts; they go nowhere."""
        body = orjson.dumps(list(texts))
        return WireRequest(
            provider="local", model=self._folder.name, path="", body=body, sha256=sha256(body).hexdigest()
        )

    async def embed(self, wire: WireRequest, count: int) -> TextVectors:
        """Make the vectors on a thread; raise ProviderError where the model cannot be used."""
        return await asyncio.to_thread(self._embed, orjson.loads(wire.body))

    async def close(self) -> None:
        """Nothing is open."""

    def _embed(self, texts: list[str]) -> TextVectors:
        try:
            import numpy

            tokenizer, session = self._loaded
            read = tokenizer.encode_batch(texts)
            mask = numpy.array([one.attention_mask for one in read], dtype=numpy.int64)
            given = {
                "input_ids": numpy.array([one.ids for one in read], dtype=numpy.int64),
                "attention_mask": mask,
                "token_type_ids": numpy.array([one.type_ids for one in read], dtype=numpy.int64),
            }
            wanted = {one.name for one in session.get_inputs()}
            states = session.run(None, {name: value for name, value in given.items() if name in wanted})[0]
            weights = mask[:, :, None].astype(states.dtype)
            means = (states * weights).sum(axis=1) / weights.sum(axis=1)
        except Exception as error:  # noqa: BLE001 - whatever a file that is no model makes of others' libraries
            what = f"{type(error).__name__}: {error}"
            why = say("config.model-unusable", folder=str(self._folder), why=what)
            raise ProviderError(why[:300], fault=ProviderFault.NOT_FOUND) from None
        return TextVectors(means.tolist(), int(mask.sum()))

    @cached_property
    def _loaded(self) -> tuple[Tokenizer, InferenceSession]:
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options: Any = SessionOptions()
        options.intra_op_num_threads = _THREADS
        tokenizer = Tokenizer.from_file(str(self._folder / _TOKENS))
        tokenizer.enable_truncation(_MAX_TOKENS)
        tokenizer.enable_padding()
        session = InferenceSession(str(self._folder / _MODEL), options, providers=["CPUExecutionProvider"])
        return tokenizer, session


def _and(one: str, other: str) -> str:
    return say("machine.and", one=one, other=other)


def create_embedder(name: str, settings: Mapping[str, object], model: str) -> LocalEmbedder:
    """Build it for the folder `model`; raise ConfigError where something is missing."""
    folder = Path(model)
    missing = [one for one in (_MODEL, _TOKENS) if not (folder / one).is_file()]
    if missing:
        raise ConfigError([say("config.files-missing", folder=str(folder), files=reduce(_and, missing))])
    try:
        import numpy
        import onnxruntime
        import tokenizers

        del numpy, onnxruntime, tokenizers
    except ImportError as error:
        raise ConfigError([say("config.library-missing", name=str(error.name))]) from None
    return LocalEmbedder(folder)
