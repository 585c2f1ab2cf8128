"""A table is a block of columns where a phone has room, and else a list of its rows."""

from __future__ import annotations

from bot.text.markdown.blocks import read
from bot.text.markdown.tables import MAX_PHONE_COLUMNS, columns, drawable
from bot.text.markdown.writer import write


def drawn(text: str) -> str:
    return write(read(text)).text


def test_columns_are_counted_as_they_are_drawn() -> None:
    assert [columns(text) for text in ("abc", "绿茶", "e\u0301", "😀", "سلام")] == [3, 4, 1, 2, 4]


def test_what_is_as_wide_as_a_phone_is_a_block_and_one_more_is_a_list() -> None:
    for width, block in ((MAX_PHONE_COLUMNS - 3, True), (MAX_PHONE_COLUMNS - 2, False)):
        assert drawn(f"| {'a' * width} | b |\n|---|---|\n| c | d |").startswith("```") is block


def test_sides() -> None:
    assert drawn("| a | b | c |\n|---|:-:|--:|\n| 111 | 222 | 333 |").split("\n")[1] == "a     b     c"


def test_what_can_be_followed_stands_below() -> None:
    assert drawn("| a |\n|---|\n| [b](https://x.y) **[c](https://z.y)** |").endswith(
        "```\n[b](https://x.y) · [c](https://z.y)"
    )


def test_a_head_without_rows() -> None:
    assert drawn("| a | b |\n|---|---|") == "```\na  b\n─  ─\n```"
    assert drawn(f"| {'a' * 40} | **b** |\n|---|---|") == f"{'a' * 40} · **b**"


def test_what_is_drawn_already_is_left_alone() -> None:
    blocks = read("a\n\n- b\n\n```\nc\n```")
    assert drawable(blocks) is blocks
