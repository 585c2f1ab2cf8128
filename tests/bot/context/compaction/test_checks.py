"""Whether a summary can be used, and what it leaves out, is told without a model."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.compaction.checks import MAX_MISSING_NAMED, flaw, is_looping, missing
from bot.context.transcript import as_message
from tests.fakes import values as v
from tests.fakes.lengths import whole_or

PROSE = (
    "Ann wanted the report by Friday and James promised to look at the numbers of May before that. The first try "
    "failed, because the server was down; the second one worked, and gave 4711 rows. What is left is to send it to bo, "
    "who has to say whether the totals are right, and to find out why the server was down in the first place."
)


@pytest.mark.parametrize(
    ("text", "tokens", "why"),
    [
        ("", 0, "empty"),
        (" \n", 1, "empty"),
        ("fine", 10, ""),
        ("fine", 100, "longer"),
        ("and so on and on it goes my friend " * 30, 10, "looping"),
        ("那么我们继续讨论这个问题" * 40, 10, "looping"),
        (PROSE, 60, ""),
    ],
)
def test_what_cannot_be_used(text: str, tokens: int, why: str):
    assert flaw(text, tokens, 100).split(":")[0] == why


@settings(max_examples=whole_or(100, 40), deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 10**9).map(str), unique=True, max_size=200))
def test_what_is_said_once_is_no_loop(words: list[str]):
    assert not is_looping(" ".join(words))


def said(text: str, name: str = "ann"):
    return as_message(1, v.inbound(text, "7", author=v.author("100", name)), ambient=False)


def test_names_ids_and_numbers_that_are_missing_are_named():
    sources = [
        said("the code is ABC-123, ask @james about 4711", "Änne"),
        v.call("look", '{"ticket": "T2345"}'),
        v.result("found 17.5 at 12:30"),
        v.said("see #general"),
    ]
    assert missing(sources, "") == ("Änne", "@james", "ABC-123", "4711", "T2345", "17.5", "12:30", "#general")
    whole = "ÄNNE and James, abc-123, 4711, t2345, 17.5, 12:30, in general"
    assert missing(sources, whole) == ()
    # a number is there only as a whole
    assert missing([said("it costs 47")], "ann paid 4711") == ("47",)


def test_the_header_of_a_message_is_nothing_that_was_said():
    assert missing([said("nothing special")], "ann") == ()


def test_the_list_ends():
    assert len(missing([said(" ".join(f"x{n}" for n in range(500)))], "ann")) == MAX_MISSING_NAMED


def test_whom_discord_was_told_to_call_is_no_number_that_a_summary_could_lose():
    assert missing([said("<@1425768080998400000> ask <@!42> in <#4711> at 18:30")], "ann") == ("18:30",)
