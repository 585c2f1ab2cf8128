"""Speak the Anthropic Messages protocol: Claude, and the services that offer the same protocol."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.anthropic.client import AnthropicProvider, Settings


def create(name: str, settings: Mapping[str, object]) -> AnthropicProvider:
    """Build a provider from its table of the configuration; raise pydantic's ValidationError for bad keys."""
    return AnthropicProvider(name, Settings.model_validate(dict(settings)))
