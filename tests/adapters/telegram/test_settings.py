"""A mistake in the table is named with its key and its fix, and the token is a secret from the beginning."""

from __future__ import annotations

import tomllib

import pytest
from pydantic import ValidationError

from adapters.telegram import Settings, create
from bot.config import parse_config
from bot.config.load import validation_problems
from bot.config.schema import PlatformConfig
from tests.architecture.tree import ROOT
from tests.fakes.clock import FakeClock

TOKEN = "123456:AAcanary_0123456789-abcdefghij"
TABLE = '[platforms.telegram]\ntoken = "env:TELEGRAM_TOKEN"\n'


def test_the_token_is_a_secret_and_reaches_the_adapter():
    loaded = parse_config(TABLE, {"TELEGRAM_TOKEN": TOKEN})
    assert loaded.secrets["platforms.telegram.token"] == TOKEN
    settings = Settings.model_validate(loaded.config.platforms["telegram"].settings)
    assert settings.token.get_secret_value() == TOKEN and "canary" not in repr(settings) + str(settings)


def test_a_token_of_the_test_servers_is_taken():
    settings = Settings(token=f"{TOKEN}/test")
    assert settings.token.get_secret_value() == f"{TOKEN}/test"


def test_who_only_looks_needs_no_token():
    loaded = parse_config(TABLE, None)
    telegram = create(loaded.config.platforms["telegram"].settings, FakeClock())
    assert telegram.health().state == "starting"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("token", "my canary", "BotFather"),
        ("token", "123:with space", "BotFather"),
        ("base_url", "telegram.org", "must be an address"),
        ("base_url", "https://user:pass@telegram.org/bot", "password"),
        ("proxy", "socks5://proxy:1080", "must be an address"),
        ("poll_timeout", 600, "must be 50 or less"),
        ("request_timeout", 0, "must be more than 0"),
        ("tokn", "x", "Did you mean `token`?"),
    ],
)
def test_every_mistake_names_its_key_and_its_fix(key, value, words):
    with pytest.raises(ValidationError) as caught:
        create({"token": TOKEN, key: value}, FakeClock())
    (problem,) = validation_problems(caught.value, Settings, "platforms.telegram")
    assert problem.startswith(f"platforms.telegram.{key}: ") and words in problem
    assert "canary" not in problem


def test_the_example_shows_every_key_with_its_default():
    lines = (ROOT / "config.example.toml").read_text().split("# [platforms.telegram]")[1].split("\n\n")[0].splitlines()
    shown = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines[1:]))
    own = {name: field.default for name, field in Settings.model_fields.items() if name != "token"}
    assert shown.keys() - set(PlatformConfig.model_fields) == own.keys() | {"token"}
    assert {name: shown[name] for name in own} == own
