"""Rich messages as they are written and read: nothing but what Telegram takes, and every word of the answer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Message

from adapters.telegram.message import rich_words
from adapters.telegram.rich_message import MAX_BLOCKS, MAX_COLUMNS, MAX_LETTERS, rich_message
from tests.servers.telegram.rich_mode import parsed

TABLE = "| a | b |\n|---|---|\n| {} | c |"


def html(markdown: str) -> str:
    message = rich_message(markdown)
    assert message is not None
    parsed(message)
    return str(message["html"])


def cell(words: str) -> str:
    """What stands for some words in a cell."""
    return html(TABLE.format(words)).partition("</tr><tr><td>")[2].partition("</td>")[0]


# what is one


@pytest.mark.parametrize(
    "text",
    [
        "",
        "words",
        "a | b",
        "**bold** ||and|| `a|b`",
        "---\n\n# title",
        "```\n| a | b |\n|---|---|\n```",
        "> | a |\n> |---|",
    ],
)
def test_what_marks_say_is_no_rich_message(text):
    assert rich_message(text) is None


def test_no_more_columns_than_a_table_may_have():
    def wide(columns: int) -> str:
        return f"|{'x|' * columns}\n|{'---|' * columns}"

    assert rich_message(wide(MAX_COLUMNS)) and rich_message(wide(MAX_COLUMNS + 1)) is None


def test_no_more_blocks_than_a_message_may_have():
    # the table and its first row are blocks too
    fits = "| a |\n|---|\n" + "| b |\n" * (MAX_BLOCKS - 2)
    assert html(fits) and rich_message(f"{fits}| c |\n") is None


def test_no_more_letters_than_a_message_may_have():
    assert html(TABLE.format("x" * (MAX_LETTERS - 3))) and rich_message(TABLE.format("x" * (MAX_LETTERS - 2))) is None


def test_no_deeper_than_a_message_may_be():
    marks = ["**", "*", "~~", "||"] * 5
    text = f"{''.join(marks)}x{''.join(reversed(marks))}\n\n{TABLE}"
    message = rich_message(text)
    assert message is None or parsed(message)


# what stands in it


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("a < b & c > \"d'", "a &lt; b &amp; c &gt; &quot;d&#x27;"),
        ("&lt;b&gt;", "&lt;b&gt;"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("**b** *i* ~~s~~", "<b>b</b> <i>i</i> <s>s</s>"),
        ("[t](https://x.org/?a=1&b=\"2)", "<a href=\"https://x.org/?a=1&amp;b=&quot;2\">t</a>"),
        ("[t](tg://user?id=5)", "t (<code>tg://user?id=5</code>)"),
        ("@ann and a@b.org", "@\u2060ann and a@b.org"),
        ("`@ann`", "<code>@ann</code>"),
        ("<t:1760000000:t> UTC", '<tg-time unix="1760000000" format="t">08:53</tg-time>'),
        ("", "&nbsp;"),
    ],
)  # fmt: skip
def test_what_stands_in_a_cell(words, written):
    assert cell(words) == written


def test_lines_and_indentations_are_kept():
    assert html(f"one\n  two\n\n- three\n  - four\n\n{TABLE}").startswith(
        "<p>one<br>&nbsp;&nbsp;two</p><p>- three<br>&nbsp;&nbsp;- four</p><table"
    )


def test_whoever_reads_from_the_right_gets_it_so():
    assert rich_message(TABLE.format("x"))  # from the left
    assert rich_message("123 **سلام** tea\n\n" + TABLE).get("is_rtl") is True  # type: ignore[union-attr]
    assert "is_rtl" not in rich_message("tea سلام\n\n" + TABLE)  # type: ignore[operator]


@given(st.text(max_size=80))
def test_whatever_stands_there_is_taken(text):
    message = rich_message(f"{text}\n\n{TABLE}\n\n{text}")
    assert message is None or parsed(message)


# what is read


def said(message: Any) -> str:
    chat = {"id": 1, "type": "private"}
    read = Message.de_json({"message_id": 1, "date": 1, "chat": chat, "rich_message": message}, None)
    return rich_words(read)


def test_every_word_is_read():
    blocks = [
        {"type": "heading", "size": 1, "text": ["Teas ", {"type": "bold", "text": "here"}]},
        {"type": "table", "cells": [[{"text": "a"}, {}], [{"text": {"type": "code", "text": "b"}}, {"text": "c"}]]},
        {"type": "list", "items": [{"label": "1.", "blocks": [{"type": "paragraph", "text": "one"}]}]},
        {"type": "details", "summary": "more", "blocks": [{"type": "mathematical_expression", "expression": "x^2"}]},
    ]
    assert said({"blocks": blocks}) == "Teas here\n| a |  |\n| b | c |\n1. one\nmore\nx^2"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(
            st.sampled_from(["blocks", "text", "cells", "items", "label", "summary", "x"]), inside, max_size=4
        )
    ),
    max_leaves=30,
)


@given(JSON)
def test_whatever_comes_is_no_trouble(message):
    assert isinstance(said(message), str)


def test_what_is_endless_ends():
    text: Any = "x"
    for _ in range(500):
        text = {"type": "bold", "text": [text]}
    assert said({"blocks": [{"type": "paragraph", "text": text}] * 10_000}) == ""


def test_a_long_line_that_is_no_table_is_read_quickly():
    began = time.process_time()
    assert rich_message("|\n" + "-" * 20_000 + "x") is None
    assert time.process_time() - began < 0.3
