"""However a channel is written, one is found or the closest are named."""

from __future__ import annotations

import pytest

from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace
from bot.errors import UserError
from bot.inspect.capture.channel_lookup import resolve
from bot.ports.channels import KnownChannel
from tests.fakes.values import KEY


def known(name, id):
    return KnownChannel(agent="main", id=ChannelId(id), name=name, place=ChannelPlace(), last_at=0)


CHANNELS = [
    known("general", "discord:1:10"),
    known("#general", "console:#general"),
    known("support", "discord:1:11"),
    known("Support Team", "telegram:-100123:7"),
    known("lounge", "telegram:-100999"),
]


@pytest.mark.parametrize("text", ["", "here", " HERE ", "this"])
def test_here_is_where_it_was_asked(text):
    assert resolve(text, KEY, []) == KEY


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("discord:1:11", "discord:1:11"),
        ("#support", "discord:1:11"),
        ("SUPPORT", "discord:1:11"),
        ("support team", "telegram:-100123:7"),
        ("1:11", "discord:1:11"),
        ("11", "discord:1:11"),
        ("-100999", "telegram:-100999"),
        ("-100123:7", "telegram:-100123:7"),
        ("general", "console:#general"),
    ],
)
def test_ids_names_and_bare_platform_ids(text, found):
    assert resolve(text, KEY, CHANNELS).channel == found


def test_a_name_that_two_have_asks_for_the_id():
    with pytest.raises(UserError, match=r"2 channels are called general. Give the id: .*discord:1:10"):
        resolve("general", ChannelKey(AgentId("main"), ChannelId("telegram:5")), CHANNELS)


def test_an_unknown_one_names_the_closest():
    with pytest.raises(UserError, match=r"no channel #suport. Closest: support \(discord:1:11\)"):
        resolve("#suport", KEY, CHANNELS)
    with pytest.raises(UserError, match="Known: #general"):
        resolve("xyzzy\n", KEY, CHANNELS)
    with pytest.raises(UserError, match="not heard anything"):
        resolve("xyzzy", KEY, [])
