"""A model of this machine; what needs the extra `embeddings` is skipped without it."""

from __future__ import annotations

import importlib.util

import pytest

from adapters.local_embeddings import create_embedder
from bot.errors import ConfigError, ProviderError

INSTALLED = all(importlib.util.find_spec(name) for name in ("numpy", "onnxruntime", "tokenizers"))


def test_a_folder_without_a_model_is_named_before_the_start(tmp_path):
    with pytest.raises(ConfigError, match=r"model\.onnx and tokenizer\.json must be there"):
        create_embedder("local", {}, str(tmp_path))


@pytest.mark.skipif(INSTALLED, reason="the extra `embeddings` is installed")
def test_without_the_extra_it_says_what_to_install(tmp_path):
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(ConfigError, match=r"glassmind\[embeddings\]"):
        create_embedder("local", {}, str(tmp_path))


@pytest.mark.skipif(not INSTALLED, reason="needs the extra `embeddings`")
async def test_a_file_that_is_no_model_fails_as_a_service_does(tmp_path):
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"{}")
    embedder = create_embedder("local", {}, str(tmp_path))
    with pytest.raises(ProviderError, match="cannot be used"):
        await embedder.embed(embedder.encode(["tea"]), 1)
