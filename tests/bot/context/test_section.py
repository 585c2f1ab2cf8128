"""What a section read is canonical text that its renderer gets back."""

from __future__ import annotations

from bot.context.section import absent_section, loaded_section, section_values
from bot.domain.ids import ChannelId
from tests.fakes.contexts import CONSOLE, FACTS


def test_what_was_read_comes_back():
    read = loaded_section("x", {"b": 1, "a": "ß"}, "config:a")
    assert read.data == '{"a":"ß","b":1}' and read.sources == ("config:a",)
    assert section_values(read.data) == {"a": "ß", "b": 1}


def test_what_is_absent_says_why():
    assert absent_section("x", "because").data is None and absent_section("x", "because").reason == "because"


def test_capabilities_are_those_of_the_channels_platform():
    assert FACTS.capabilities(ChannelId("console:#general")) == CONSOLE
    assert FACTS.capabilities(ChannelId("irc:#general")) is None
