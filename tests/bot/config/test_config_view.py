"""The configuration as tools may see it."""

from __future__ import annotations

import pytest

from bot.config import parse_config
from bot.config.config_values import flatten
from bot.config.config_view import SECRET_TEXT, ConfigView
from bot.errors import ConfigError
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


DATABASE = "postgresql://glass:p%40ss-canary@db.example/mind"


@pytest.mark.parametrize("text", [f'url = "{DATABASE}"', 'url = "env:DB"'], ids=["in the file", "elsewhere"])
def test_the_password_of_a_database_is_shown_nowhere(text: str):
    loaded = parse_config(f"[store]\n{text}", {"DB": DATABASE})
    assert loaded.config.store.url == DATABASE
    view = ConfigView(loaded, Redactor.of(loaded.secrets))
    shown = "".join((*view.values(), repr(loaded), repr(loaded.config.store)))
    assert "p@ss-canary" not in shown and "p%40ss-canary" not in shown
    said = f"it failed at {DATABASE}, with p@ss-canary"
    assert "ss-canary" not in Redactor.of(loaded.secrets).redact(said).text


def test_an_address_without_a_password_is_no_secret():
    loaded = parse_config('[store]\nurl = "postgresql:///mind"', {})
    assert ConfigView(loaded, Redactor.of(loaded.secrets))["store.url"] == '"postgresql:///mind"'


@pytest.mark.parametrize("url", ["mysql://x", "glassmind.db"])
def test_another_kind_of_database_is_refused(url: str):
    with pytest.raises(ConfigError, match=r"store\.url: must be an address like postgresql://user@host/database"):
        parse_config(f'[store]\nurl = "{url}"', {})
