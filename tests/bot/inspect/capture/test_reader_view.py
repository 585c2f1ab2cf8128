"""What a reader holds says what it is missing."""

from __future__ import annotations

from tests.bot.context.shown import capture


async def test_content_is_what_was_said_or_what_the_tools_returned():
    messages = (await capture()).messages
    assert messages[3].content == "No."
    assert messages[2].content == "- note one\n- note two"
    assert messages[1].content == ""


async def test_exact_means_that_nothing_is_missing():
    shown = await capture()
    assert shown.exact
    assert not type(shown)(**{**vars(shown), "redactions": 1}).exact
    assert not type(shown)(**{**vars(shown), "withheld": 1}).exact
