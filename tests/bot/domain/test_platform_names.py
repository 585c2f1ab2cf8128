"""A platform has the name of its table, and everything that is named by it has that name, too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.permalinks import locate, message_link
from bot.domain.platform_names import BY_KIND, PlatformNames, SwappedNames

TWO = PlatformNames({"discord": "discord", "support": "discord", "telegram": "telegram"})
SWAPPED = SwappedNames("discord", "support")
WORDS = {
    "discord:11:22 is no channel": "support:11:22 is no channel",
    "channel discord:dm:7": "channel support:dm:7",
    "Set platforms.discord.token": "Set platforms.support.token",
    "[platforms.discord]": "[platforms.support]",
    "support:11:22 is no channel": "discord:11:22 is no channel",
    "discord: away": "discord: away",
    "Discord says no": "Discord says no",
    "https://discord.com/channels/1/2": "https://discord.com/channels/1/2",
    "platforms.discord-eu.token": "platforms.discord-eu.token",
    "mydiscord:11": "mydiscord:11",
}


@pytest.mark.parametrize(("said", "renamed"), WORDS.items())
def test_ids_and_keys_are_renamed_and_words_and_addresses_are_not(said, renamed):
    assert SWAPPED.words(said) == renamed
    assert SWAPPED.words(renamed) == said


@given(path=st.text(max_size=20), name=st.sampled_from(["discord", "support", "telegram"]))
def test_renaming_twice_changes_nothing_and_the_path_stays(path, name):
    channel, person = ChannelId(f"{name}:{path}"), PersonKey(name, UserId("7"))
    renamed = SWAPPED.channel(channel)
    assert renamed.partition(":")[2] == path
    assert (SWAPPED.channel(renamed), SWAPPED.person(SWAPPED.person(person))) == (channel, person)
    assert (renamed == channel) == (name == "telegram")


def test_a_link_names_a_service_and_may_mean_either_bot_there():
    found = TWO.readings(locate("https://discord.com/channels/11/22/33"))
    assert found == tuple((channel, "33") for channel in ("discord:11:22", "support:11:22"))
    (only,) = TWO.readings(locate("https://t.me/c/1234567890/44"))
    assert only.channel == "telegram:-1001234567890"
    assert TWO.readings(None) == ()


def test_a_platform_that_is_not_configured_is_what_it_is_called():
    assert (TWO.kind_of("support"), TWO.kind_of("matrix"), BY_KIND.kind_of("discord")) == (
        "discord",
        "matrix",
        "discord",
    )
    link = message_link(ChannelId("support:11:22"), "33", TWO.kind_of("support"))
    assert link == "https://discord.com/channels/11/22/33"
