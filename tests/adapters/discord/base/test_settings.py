"""A mistake in the table is named with its key and its fix, and the token is a secret from the beginning."""

from __future__ import annotations

import tomllib

import pytest
from pydantic import ValidationError

from adapters.discord import parts
from adapters.discord.base.settings import Settings
from bot.config import parse_config
from bot.config.load import validation_problems
from bot.config.schema import PlatformConfig
from tests.architecture.tree import ROOT

TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAx.GcAnAr.canary_0123456789-abcdefghij"
TABLE = '[platforms.discord]\ntoken = "env:DISCORD_TOKEN"\n'


def test_the_token_is_a_secret_and_reaches_the_adapter():
    loaded = parse_config(TABLE, {"DISCORD_TOKEN": TOKEN})
    assert loaded.secrets["platforms.discord.token"] == TOKEN
    settings = Settings.model_validate(loaded.config.platforms["discord"].settings)
    assert settings.token.get_secret_value() == TOKEN and "canary" not in repr(settings) + str(settings)


def test_who_only_looks_needs_no_token():
    loaded = parse_config(TABLE, None)
    Settings.model_validate(loaded.config.platforms["discord"].settings)


def test_every_shard_or_some_of_them():
    assert Settings(token=TOKEN).shard_ids == ()
    assert Settings(token=TOKEN, shard_count=4).shard_count == 4
    assert Settings(token=TOKEN, shard_count=4, shard_ids=[3, 0]).shard_ids == (3, 0)


def test_shards_are_divided_among_those_who_listen():
    own = {"token": TOKEN, "shard_count": 5, "shard_ranges": 2}
    first, second = parts(own)
    assert (first["shard_ids"], second["shard_ids"]) == ((0, 1), (2, 3, 4))
    assert Settings.model_validate(first).shard_names == "0,1 of 5"
    assert parts({"token": TOKEN, "shard_count": 5}) == [{"token": TOKEN, "shard_count": 5}]


@pytest.mark.parametrize(
    "token",
    [
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJpZCI6IjEwMDAwMDAwMDAwMDAwMDAwMSJ9" * 9 + "." + "x" * 342,
        "one-word-of-a-server-of-ones-own",
        "a/b+c=.d~e",
    ],
    ids=["a JWT", "a word", "with signs"],
)
def test_a_token_of_another_shape_is_for_the_server_to_judge(token):
    assert Settings(token=token).token.get_secret_value() == token


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({"token": "my canary"}, ".token", "developer portal"),
        ({"token": f"Bot {TOKEN}"}, ".token", "without `Bot`"),
        ({"token": ""}, ".token", "developer portal"),
        ({"token": "canary\r\nX-Admin: yes"}, ".token", "one word"),
        ({"token": "canary-ü"}, ".token", "one word"),
        ({"rest_url": "discord.com/api"}, ".rest_url", "must be an address"),
        ({"rest_url": "https://user:pass@discord.com"}, ".rest_url", "password"),
        ({"cdn_url": "ftp://cdn"}, ".cdn_url", "must be an address"),
        ({"gateway_url": "https://gateway.discord.gg"}, ".gateway_url", "wss://"),
        ({"proxy": "socks5://user:canary@proxy:1080"}, ".proxy", "must be an address"),
        ({"shard_ids": [1]}, "", "need shard_count"),
        ({"shard_ids": [0, 2], "shard_count": 2}, "", "below shard_count (2)"),
        ({"shard_ids": [1, 1], "shard_count": 2}, "", "twice"),
        ({"shard_ranges": 3, "shard_count": 2}, "", "more shard_ranges than shards"),
        ({"shard_ranges": 2}, "", "set shard_count"),
        ({"shard_ranges": 2, "shard_count": 2, "shard_ids": [0]}, "", "do not go together"),
        ({"shard_ids": [-1], "shard_count": 2}, ".shard_ids.0", "must be 0 or more"),
        ({"shard_count": "4"}, ".shard_count", "must be a whole number"),
        ({"message_content": "perhaps"}, ".message_content", "must be true or false"),
        ({"backfill_hours": float("inf")}, ".backfill_hours", "finite"),
        ({"backfill_messages": -1}, ".backfill_messages", "must be 0 or more"),
        ({"shards": 1}, ".shards", "unknown key"),
    ],
)
def test_every_mistake_names_its_key_and_its_fix(changes, key, words):
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"token": TOKEN, **changes})
    (problem,) = validation_problems(caught.value, Settings, "platforms.discord")
    assert problem.startswith(f"platforms.discord{key}: ") and words in problem
    assert "canary" not in problem


def test_the_example_shows_every_key_with_its_default():
    lines = (ROOT / "config.example.toml").read_text().split("# [platforms.discord]")[1].split("\n\n")[0].splitlines()
    shown = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines[1:]))
    own = {name: field.default for name, field in Settings.model_fields.items() if name != "token"}
    assert shown.keys() - set(PlatformConfig.model_fields) == own.keys() | {"token"}
    assert {name: tuple(shown[name]) if isinstance(shown[name], list) else shown[name] for name in own} == own
