"""Speak the OpenAI chat-completions protocol: also OpenRouter, Groq, Ollama, vLLM, llama.cpp and others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.openai.client import OpenAIProvider


def create(name: str, settings: Mapping[str, object]) -> OpenAIProvider:
    """Build a provider from its table of the configuration; raise pydantic's ValidationError for bad keys."""
    # imported here because the simulation shares the encoder and should not pay 0.1 s for an HTTP client
    from adapters.openai.client import OpenAIProvider, Settings

    return OpenAIProvider(name, Settings.model_validate(dict(settings)))
