"""The command `timezone`; what it does to a whole bot stands in tests/dialogs/test_time_zones.py."""

from __future__ import annotations

import pytest

from bot.messaging.policy.command_syntax import parse_command


@pytest.mark.parametrize("text", ["timezone", "tz", "timezone Europe/Berlin", "timezone off", "/timezone berlin"])
def test_these_are_commands(text):
    found = parse_command(text, ())
    assert found is not None and found.name == "timezone"


@pytest.mark.parametrize("text", ["timezone of my talk is berlin", "timezone berlin", "timezones"])
def test_without_a_prefix_talk_is_talk(text):
    assert parse_command(text, ()) is None
