"""The heads of text files, as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.front_matter import HeadFault, WrongHead, read_front_matter


def head(text: str) -> dict[str, str]:
    return read_front_matter(f"---\n{text}\n---\nbody").values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: plain words", "plain words"),
        ("a: with: a colon", "with: a colon"),
        ("a: words # and a comment", "words"),
        ("a: c#", "c#"),
        ('a: "quoted \\"inside\\" # no comment"', 'quoted "inside" # no comment'),
        ("a: 'it''s'", "it's"),
        ("a: goes on\n  in the next line", "goes on in the next line"),
        ("a: >\n  folded\n  lines\n\n  and more", "folded lines\nand more"),
        ("a: >-\n  folded", "folded"),
        ("a: |\n  kept\n    as it is", "kept\n  as it is"),
        ("# a comment\n\na: b\nlicense: MIT\nmetadata:\n  version: 1\nallowed-tools:\n- Read\n- Grep", "b"),
        ("a:", ""),
    ],
)
def test_what_people_write(text, value):
    assert head(text)["a"] == value


@pytest.mark.parametrize(
    ("text", "fault", "at"),
    [
        ("", HeadFault.MISSING, ""),
        ("name: x", HeadFault.MISSING, ""),
        ("---\nname: x\n", HeadFault.NOT_CLOSED, ""),
        ("---\nname: x\nname: y\n---\n", HeadFault.KEY_TWICE, "name"),
        ("---\nname x\n---\n", HeadFault.NO_KEY, "2"),
        ('---\nname: "x\n---\n', HeadFault.QUOTES_OPEN, "name"),
        ("---\n{a: b}\n---\n", HeadFault.NO_KEY, "2"),
    ],
)
def test_what_is_wrong_is_said(text, fault, at):
    with pytest.raises(WrongHead) as wrong:
        read_front_matter(text)
    assert (wrong.value.fault, wrong.value.at) == (fault, at)


def test_marks_and_line_ends_of_other_systems():
    found = read_front_matter("\ufeff---\r\nname: x\r\n---\r\n\r\nDo it.\r\n")
    assert found.values == {"name": "x"} and found.body == "Do it."


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("-:a \n\t\"'|>#[]{}\\"), max_size=60))
def test_anything_is_read_or_refused(text):
    try:
        read_front_matter(f"---\n{text}")
    except WrongHead as wrong:
        assert wrong.fault in HeadFault
