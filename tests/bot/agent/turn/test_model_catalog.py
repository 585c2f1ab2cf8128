"""What is known about models, and what is not."""

from __future__ import annotations

import pytest

from bot.agent.turn.model_catalog import parse_model, size_of
from bot.domain.llm import ModelName


def model(text: str) -> ModelName:
    return parse_model(text, "openai")


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("openai/gpt-5-mini", 400_000),
        ("openai/gpt-4o-2024-08-06", 128_000),
        ("openrouter/openai/gpt-4.1-mini:free", 1_047_576),
        ("openai/GPT-4o", 128_000),
        ("simulated/whatever", 128_000),
        ("anthropic/claude-haiku-5-5", 1_000_000),
        ("anthropic/claude-sonnet-4-5-20250929", 200_000),
        ("openrouter/anthropic/claude-opus-4.6", 1_000_000),
    ],
)
def test_common_models_are_known_by_any_service(name: str, window: int):
    size = size_of(model(name))
    assert size is not None and size.window == window


@pytest.mark.parametrize("name", ["local/llama3", "openai/gpt-4o-audio-preview", "openai/gpt-99", "x/"])
def test_what_is_not_in_the_table_is_not_guessed(name: str):
    assert size_of(model(name)) is None


def test_a_bare_name_belongs_to_the_default_provider():
    assert parse_model("gpt-4o", "openai") == ModelName(provider="openai", model="gpt-4o")
    assert str(parse_model(" openrouter/openai/gpt-4o ", "x")) == "openrouter/openai/gpt-4o"
