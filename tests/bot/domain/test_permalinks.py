"""Links to messages are read as the platforms write them, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import ChannelId
from bot.domain.permalinks import MessageLocation, locate, message_link

LINKS = {
    "https://discord.com/channels/11/22/33": ("discord:11:22", "33"),
    "https://ptb.discord.com/channels/11/22/33": ("discord:11:22", "33"),
    "https://canary.discord.com/channels/11/22/33": ("discord:11:22", "33"),
    "https://discordapp.com/channels/11/22/33/": ("discord:11:22", "33"),
    "<https://discord.com/channels/11/22/33>": ("discord:11:22", "33"),
    "HTTPS://Discord.com/channels/11/22/33": ("discord:11:22", "33"),
    "discord.com/channels/11/22": ("discord:11:22", ""),
    "https://discord.com/channels/@me/22/33": ("discord:dm", "33"),
    "https://t.me/c/1234567890/44": ("telegram:-1001234567890", "44"),
    "https://t.me/c/1234567890/7/44": ("telegram:-1001234567890:7", "44"),
    "https://t.me/c/1234567890/44?thread=7": ("telegram:-1001234567890:7", "44"),
    "https://t.me/c/1234567890/44?single": ("telegram:-1001234567890", "44"),
    "https://t.me/some_group/44": ("telegram:@some_group", "44"),
    "https://t.me/some_group/7/44": ("telegram:@some_group:7", "44"),
    "https://t.me/s/some_group/44": ("telegram:@some_group", "44"),
    "https://telegram.me/some_group/44": ("telegram:@some_group", "44"),
    "tg://privatepost?channel=1234567890&post=44": ("telegram:-1001234567890", "44"),
    "tg://privatepost?channel=1234567890&post=44&thread=7": ("telegram:-1001234567890:7", "44"),
    "tg://resolve?domain=some_group&post=44": ("telegram:@some_group", "44"),
    "tg://openmessage?user_id=555&message_id=44": ("telegram:555", "44"),
    "tg://openmessage?chat_id=555&message_id=44": ("telegram:-555", "44"),
}
WRITTEN = {
    ("discord:11:22", "33"): "https://discord.com/channels/11/22/33",
    ("telegram:-1001234567890", "44"): "https://t.me/c/1234567890/44",
    ("telegram:-1001234567890:7", "44"): "https://t.me/c/1234567890/7/44",
    ("discord:dm:22", "33"): "",
    ("telegram:-555", "44"): "",
    ("telegram:555", "44"): "",
    ("console:#general", "44"): "",
    ("discord:11:22", "33)[x](https://evil.example"): "",
    ("discord:11:x", "33"): "",
    ("telegram:-100", "44"): "",
    ("discord", ""): "",
}
NO_LINKS = (
    "",
    "#general",
    "general",
    "discord:11:22",
    "-1001234567890",
    "i4k2p",
    "https://discord.com/channels/11",
    "https://discord.com/channels/11/22/thirty",
    "https://discord.com/channels/11/22/33/44",
    "https://discord.com/channels/11/22/0",
    "https://discord.com/channels/@me/22",
    "https://discord.com.evil.example/channels/11/22/33",
    "https://evil.example/https://discord.com/channels/11/22/33",
    "https://discord.com@evil.example/channels/11/22/33",
    "https://t.me/some_group",
    "https://t.me/some_group/44?comment=5",
    "https://t.me/c/1234567890",
    "https://t.me/c/12/34/56/78",
    "https://t.me/joinchat/AAAA",
    "tg://resolve?domain=some_group",
    "tg://user?id=555",
    "ftp://discord.com/channels/11/22/33",
    "https://[discord.com/channels/11/22/33",
    "see https://discord.com/channels/11/22/33",
)


@pytest.mark.parametrize(("text", "found"), LINKS.items())
def test_every_form_of_a_link_names_a_channel_and_a_message(text, found):
    assert locate(text) == MessageLocation(ChannelId(found[0]), found[1])


@pytest.mark.parametrize("text", NO_LINKS)
def test_nothing_else_is_a_link(text):
    assert locate(text) is None


@given(st.sampled_from(sorted(LINKS)), st.integers(0, 60), st.text(max_size=3))
def test_any_text_is_read_or_refused(link, at, noise):
    locate(link[:at] + noise + link[at:])
    locate(noise)


@pytest.mark.parametrize(("where", "link"), WRITTEN.items())
def test_a_link_is_written_from_numbers_alone_and_read_back(where, link):
    channel, message = where
    assert message_link(ChannelId(channel), message, channel.partition(":")[0]) == link
    assert not link or locate(link) == MessageLocation(ChannelId(channel), message)
