"""What common models can hold, and what a name in the configuration means."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.domain.llm import ModelName

UNKNOWN_WINDOW = 8_192
"""What nearly every chat model can hold; a finding says that the window is a guess."""
UNKNOWN_OUTPUT = 1_024
LONGEST_REPLY = 16_384
"""Providers charge the asked-for output against the rate limit, so a chat does not ask for 128,000 tokens."""


class ModelWindow(NamedTuple):
    """Tokens: the whole window, and the most that one answer may have; and whether the model takes pictures."""

    window: int
    max_output: int
    sees_images: bool = False


# 2026-11-21, not read at the source (https://platform.openai.com/docs/models): gpt-5, gpt-5.1, gpt-4o, o3 and the
# windows of gpt-4 and gpt-3.5 from public copies of those pages; the rest from general knowledge. The configuration
# overrides all of it for the main model.
_SIZES = {
    "gpt-5": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5-mini": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5-nano": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5.1": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5-chat": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-5.1-chat": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-4.1": ModelWindow(1_047_576, 32_768, sees_images=True),
    "gpt-4.1-mini": ModelWindow(1_047_576, 32_768, sees_images=True),
    "gpt-4.1-nano": ModelWindow(1_047_576, 32_768, sees_images=True),
    "gpt-4o": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-4o-mini": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-4-turbo": ModelWindow(128_000, 4_096, sees_images=True),
    "gpt-4": ModelWindow(8_192, 4_096),
    "gpt-3.5-turbo": ModelWindow(16_385, 4_096),
    "o3": ModelWindow(200_000, 100_000, sees_images=True),
    "o3-mini": ModelWindow(200_000, 100_000),
    "o4-mini": ModelWindow(200_000, 100_000, sees_images=True),
    "o1": ModelWindow(200_000, 100_000, sees_images=True),
    # 2026-11-22, from public copies of https://platform.claude.com/docs/en/about-claude/models/overview; not found
    # there: opus-4-7 (as its neighbours) and sonnet-4-6 (as people report it)
    **dict.fromkeys(
        (
            *("claude-fable-5-1", "claude-fable-5", "claude-opus-5-5", "claude-opus-5", "claude-opus-4-8"),
            *("claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-5-5", "claude-sonnet-5", "claude-haiku-5-5"),
        ),
        ModelWindow(1_000_000, 128_000, sees_images=True),
    ),
    "claude-sonnet-4-6": ModelWindow(1_000_000, 64_000, sees_images=True),
    **dict.fromkeys(("claude-sonnet-4-5", "claude-haiku-4-5"), ModelWindow(200_000, 64_000, sees_images=True)),
    # ours: the simulation reads any length, and says so
    "simulated-1": ModelWindow(128_000, 4_096),
}
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$")


def size_of(model: ModelName) -> ModelWindow | None:
    """Look a model up, whatever service offers it; None when nothing is known."""
    if model.provider == "simulated":
        return _SIZES["simulated-1"]
    # OpenRouter and others put the maker before the name
    name = model.model.rsplit("/", 1)[-1].partition(":")[0].lower()
    bare = _DATED.sub("", name)
    # OpenRouter writes claude-opus-4.6
    return _SIZES.get(name) or _SIZES.get(bare) or _SIZES.get(bare.replace(".", "-"))


def parse_model(text: str, default_provider: str) -> ModelName:
    """Read `provider/model`; a bare name belongs to the default provider."""
    provider, slash, model = text.strip().partition("/")
    return ModelName(provider=provider, model=model) if slash else ModelName(provider=default_provider, model=provider)
