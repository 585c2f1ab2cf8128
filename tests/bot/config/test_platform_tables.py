"""Several bots in one file: each has a name that means one thing, and an account of its own."""

from __future__ import annotations

import pytest

from bot.app.adapters import adapter_problems
from bot.config import parse_config
from bot.errors import ConfigError

PAGE = (
    '[web_page]\nenabled = true\naddress = "https://bot.example"\ndiscord_client_id = "123456789012345678"\n'
    'discord_client_secret = "abcdefghijklmnopqrst"\n'
)
REFUSED = {
    '[platforms.a]\nkind = "discord"\ntoken = "env:ONE"\n[platforms.b]\nkind = "discord"\ntoken = "env:ONE"\n': (
        "platforms.b.token: the same as platforms.a.token, and one account is one bot."
    ),
    '[platforms.telegram]\ntoken = "env:ONE"\n[platforms.b]\nkind = "telegram"\ntoken = "env:SAME"\n': (
        "platforms.b.token: the same as platforms.telegram.token"
    ),
    '[platforms.discord]\nkind = "telegram"\n': (
        'platforms.discord: "discord" is a kind of platform, and this one is "telegram".'
    ),
    '[platforms.irc]\nkind = "discord"\n[platforms.libera]\nkind = "irc"\n': 'platforms.irc: "irc" is a kind',
    '[platforms.host]\nkind = "telegram"\n': 'platforms.host: "host" means something else',
    '[platforms."My Bot"]\nkind = "telegram"\n': "cannot be the name of a platform: use up to 32 lowercase letters",
    '[platforms."a:b"]\nkind = "telegram"\n': "cannot be the name of a platform",
    '[platforms.a]\nkind = "Discord!"\n': "platforms.a.kind: must fit the pattern",
    '[platforms.console]\n[platforms.b]\nkind = "console"\n': (
        "platforms.b: platforms.console reads what is typed at this terminal already."
    ),
    '[platforms.a]\nkind = "discord"\n[platforms.b]\nkind = "discord"\n' + PAGE: (
        "web_page.discord_platform: name the bot whose application it is. Enabled ones on Discord: a, b."
    ),
    '[platforms.a]\nkind = "discord"\nallowed_channels = ["b:11:22"]\n': "platforms.a.allowed_channels[0]",
}
TAKEN = (
    '[platforms.a]\nkind = "discord"\ntoken = "env:ONE"\n[platforms.b]\nkind = "discord"\ntoken = "env:TWO"\n',
    '[platforms.a]\nkind = "discord"\ntoken = "env:ONE"\n[platforms.b]\nkind = "telegram"\ntoken = "env:ONE"\n',
    '[platforms.a]\nkind = "discord"\ntoken = "env:ONE"\n'
    '[platforms.b]\nkind = "discord"\ntoken = "env:ONE"\nenabled = false\n',
    '[platforms.console]\n[platforms.b]\nkind = "console"\nscript = "lines.txt"\n',
    '[platforms.a]\nkind = "discord"\nallowed_channels = ["a:11:22", "22"]\n',
    f'[platforms.a]\nkind = "discord"\n{PAGE}',
    f'[platforms.a]\nkind = "discord"\n[platforms.b]\nkind = "discord"\n{PAGE}discord_platform = "b"\n',
)
TOKENS = {"ONE": "first-token", "SAME": "first-token", "TWO": "second-token"}


@pytest.mark.parametrize(("text", "problem"), REFUSED.items())
def test_bots_that_cannot_be_told_apart_are_refused_with_what_to_do(text, problem):
    with pytest.raises(ConfigError) as caught:
        parse_config(text, TOKENS)
    assert problem in "\n".join(caught.value.problems)
    assert "first-token" not in "\n".join(caught.value.problems)


@pytest.mark.parametrize("text", TAKEN)
def test_bots_that_can_be_told_apart_are_taken(text):
    parse_config(text, TOKENS)


def test_people_who_sign_in_with_discord_are_of_the_bot_that_is_named():
    assert parse_config(TAKEN[-1], TOKENS).config.sign_in_platform == "b"
    assert parse_config(TAKEN[-2], TOKENS).config.sign_in_platform == "a"
    assert parse_config(TAKEN[0], TOKENS).config.sign_in_platform == ""


def test_a_kind_that_nobody_knows_is_refused_by_the_name_of_the_table():
    (problem,) = adapter_problems({"platforms": {"support": {"kind": "slack"}}})
    assert problem.startswith("platforms.support.kind: there is no adapter 'slack'")
