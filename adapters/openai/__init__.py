"""Speak the OpenAI chat-completions protocol: also OpenRouter, Groq, Ollama, vLLM, llama.cpp and others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.openai.client import OpenAIProvider
    from adapters.openai.embeddings import OpenAIEmbedder


def create(name: str, settings: Mapping[str, object]) -> OpenAIProvider:
    """Build a provider from its table of the configuration; raise pydantic's ValidationError for bad keys."""
    # imported here because the simulation shares the encoder and should not pay 0.1 s for an HTTP client
    from adapters.openai.client import OpenAIProvider, Settings

    return OpenAIProvider(name, Settings.model_validate(dict(settings)))


def create_embedder(name: str, settings: Mapping[str, object], model: str) -> OpenAIEmbedder:
    """Build what makes vectors from the same table; raise pydantic's ValidationError for bad keys."""
    from adapters.openai.client import Settings
    from adapters.openai.embeddings import OpenAIEmbedder

    return OpenAIEmbedder(name, Settings.model_validate(dict(settings)), model)
