"""Every refusal that an adapter can name comes with what ends it."""

from __future__ import annotations

import pytest

from adapters.discord.rest import errors as discord
from adapters.discord.rest import refusals
from adapters.telegram import errors as telegram
from bot.domain.delivery_failures import OF_THE_CHANNEL, OF_THE_HOST, UNREACHABLE_CODES, code_in, fix_of

NO_MESSAGE = {"unchanged", "unsupported_emoji", "reactions_full", "commands_quota", "too_late", "acknowledged"}
NO_MESSAGE |= {"reaction_blocked"}
"""Codes of what is no message that waits to be sent: reactions, menus, presses, and edits that change nothing."""
IN_ITS_OWN_WORDS = {"unsupported_message"}
"""Codes that say all that anybody knows."""
NAMED = {*telegram._REFUSALS.values(), *(row.cause for row in refusals.TABLE), *discord._FORM.values()}


@pytest.mark.parametrize("code", sorted(NAMED - NO_MESSAGE - IN_ITS_OWN_WORDS))
def test_a_refusal_has_a_fix(code: str):
    fix = fix_of(code, "d7k2m")
    assert fix.endswith(".") and "{" not in fix


@pytest.mark.parametrize(
    "code", ["unreachable", "token", "flood", "migrated", "not_connected", "file_gone", "http_403"]
)
def test_what_is_no_refusal_has_one_too(code: str):
    assert fix_of(code, "d7k2m")


def test_the_record_of_the_delivery_is_named():
    assert "report d7k2m" in fix_of("markup", "d7k2m")


def test_nothing_is_made_up():
    assert fix_of("50013", "d7k2m") == fix_of("http_502", "d7k2m") == ""
    assert not OF_THE_CHANNEL.keys() & OF_THE_HOST.keys()


def test_a_record_begins_with_its_code():
    assert code_in("unreachable: sendMessage: no connection") in UNREACHABLE_CODES
    assert code_in("") == ""
