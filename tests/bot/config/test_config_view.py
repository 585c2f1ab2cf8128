"""The configuration as tools may see it."""

from __future__ import annotations

import pytest

from bot.config import parse_config
from bot.config.config_values import flatten
from bot.config.config_view import SECRET_TEXT, ConfigView
from bot.text.redaction import Redactor

TOKEN = "sk-live-0123456789abcdef"  # a canary, not a key
TEXT = """
[model]
rounds = 7
[providers.openai]
kind = "openai"
api_key = "env:KEY"
base_url = "https://x.example/?k=KEY"
"""


def test_every_key_is_there_and_no_secret():
    loaded = parse_config(TEXT.replace("k=KEY", f"k={TOKEN}"), {"KEY": TOKEN})
    view = ConfigView(loaded, Redactor.of(loaded.secrets))
    assert view["model.rounds"] == "7" and view["bot.name"] == '"Glassmind"'
    assert view["providers.openai.api_key"] == SECRET_TEXT
    assert len(view) == len(set(view)) == len(list(flatten(loaded.config)))
    assert TOKEN not in "".join(view.values())
    with pytest.raises(KeyError):
        view["model.nonsense"]
