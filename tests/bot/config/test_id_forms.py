"""Lists of ids hold ids: what could match nobody is refused, with its place, its value and where to find the number."""

from __future__ import annotations

import pytest

from bot.config.load import parse_config
from bot.errors import ConfigError

# ruff: noqa: E501 - tables of values

NO_USER = ['"@spammer"', '"spammer"', '" 123"', '"123 "', '"00123"', "0", '"0"', "-5", "true", "1.5", "123.0", '"１２３"', '""',
           '"-100123"', '"1 2"', '"0x12"', '"1e5"', "[1]", "9999999999999999999"]  # fmt: skip
NO_CHANNEL = [
    '"#general"',
    '"kitchen"',
    '"-1001 "',
    '"--5"',
    '"@kitchen"',
    '"-100:x"',
    '"-100:0"',
    "true",
    "1.0",
    '"t.me/kitchen"',
    '""',
]
TIERS = ("owner_ids", "admin_ids", "moderator_ids", "allowed_users", "blocked_users")


def refused(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, {"TOKEN": "1:x"})
    return str(caught.value)


@pytest.mark.parametrize("platform", ["telegram", "discord", "console"])
@pytest.mark.parametrize("key", TIERS)
@pytest.mark.parametrize("value", NO_USER)
def test_a_person_is_a_number_in_every_list_of_every_platform(platform, key, value):
    found = refused(f"[platforms.{platform}]\n{key} = [7, {value}]")
    assert (f"platforms.{platform}.{key}" in found and "whoami" in found) or "too many digits" in found


@pytest.mark.parametrize("key", ["allowed_channels", "blocked_channels"])
@pytest.mark.parametrize("value", NO_CHANNEL)
def test_a_channel_of_telegram_is_a_number(key, value):
    assert f"platforms.telegram.{key}" in refused(f"[platforms.telegram]\n{key} = [{value}]")


@pytest.mark.parametrize("value", ['"#general"', '"general"', '"-5"', "-5", '"My Server"'])
@pytest.mark.parametrize("key", ["allowed_channels", "blocked_channels", "allowed_guilds"])
def test_a_place_of_discord_is_a_number(key, value):
    assert f"platforms.discord.{key}" in refused(f"[platforms.discord]\n{key} = [{value}]")


@pytest.mark.parametrize("value", ['"telegram:#general"', '"telegram:kitchen"', "true"])
@pytest.mark.parametrize("table", ["tools.web", "agents.helper"])
def test_the_channels_of_tools_and_agents_are_ids_too(table, value):
    assert table in refused(f"[platforms.telegram]\n[platforms.discord]\n[{table}]\nchannels = [{value}]")


def test_everything_odd_is_named_at_once():
    found = refused('[platforms.telegram]\nblocked_users = ["@a", 5, "b"]\nallowed_channels = ["#c"]')
    assert found.count("whoami") == 3 and "blocked_users[0]" in found and "blocked_users[2]" in found


@pytest.mark.parametrize(
    "text",
    [
        "[platforms.telegram]\nowner_ids = [5000000001, \"7\"]\nblocked_users = [1]\nallowed_channels = [-1001234567890, \"-100:7\", \"telegram:-100:7\"]",
        "[platforms.discord]\nallowed_guilds = [\"1425768080998400002\"]\nblocked_channels = [1425768080998400002, \"discord:11\", \"discord:1:22\"]",
        "[platforms.console]\nallowed_channels = [\"#general\", \"console:#general\"]\nowner_ids = [1]",
        "[platforms.second]\nkind = \"telegram\"\nallowed_channels = [\"second:-100\"]",
        "[platforms.telegram]\nallowed_users = []\nallowed_channels = []\n[tools.web]\nchannels = [-100, \"telegram:-100\"]",
    ],
)  # fmt: skip
def test_ids_as_people_write_them_are_taken(text):
    parse_config(text, {})
