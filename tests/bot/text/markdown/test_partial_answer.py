"""Of an answer that goes on, what is half is not seen; what is shown never goes back by much."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from bot.text.markdown.partial_answer import whole_so_far
from tests.bot.text.markdown.test_inline_marks import PIECES

TEXT = (
    "It is **very *good* tea** and `code`, see [it](https://x.y/z).\n\n"
    "> So \\(x_1\\) ||is|| it.\n\n| a |\n|---|\n| b |\n"
)


def test_word_by_word() -> None:
    for end in range(len(TEXT)):
        shown = whole_so_far(TEXT[:end])
        assert shown.count("**") % 2 == 0 and shown.count("`") % 2 == 0 and shown.count("||") % 2 == 0
        assert ("](" in shown) == (")" in shown.partition("](")[2])
        assert "\\(" not in shown or "\\)" in shown
    assert whole_so_far(TEXT) == TEXT


def test_what_waits_too_long_for_its_end_is_no_mark() -> None:
    assert len(whole_so_far("a `" + "b " * 400)) > 700
    assert whole_so_far("a `" + "b " * 20) == "a"


@given(st.lists(st.sampled_from([*PIECES, "```", "```py\n", "\n\n", "| a |\n"]), max_size=40).map("".join))
def test_nothing_breaks_it(text: str) -> None:
    assert len(whole_so_far(text)) <= len(text) + 60


def test_a_line_of_blanks_below_a_row_is_read_quickly() -> None:
    began = time.process_time()
    whole_so_far("| a |\n" + " " * 12_000 + "|x")
    assert time.process_time() - began < 0.3
