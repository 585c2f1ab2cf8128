"""Blocks are found where they are, however they are indented, and nothing is lost of what no rule reads."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.markdown.blocks import MAX_READ_CHARS, read
from bot.text.markdown.nodes import (
    Block,
    BlockQuote,
    Blocks,
    CodeFence,
    Heading,
    Paragraph,
    TableBlock,
    ThematicBreak,
    bare_text,
)
from bot.text.markdown.writer import write

LINES = [
    "a",
    "- b",
    "  - c",
    "1. d",
    "> e",
    "> > f",
    "```",
    "```py",
    "~~~",
    "    g",
    "# h",
    "---",
    "| i | j |",
    "|---|---|",
]
LINES += ["", "\\[", "\\]", "$$", "****", "\t", "-", ">", "<details>", "[^1]: k", "[l]: https://x.y", ">>> m", "text\r"]


def words(block: Block) -> str:
    if isinstance(block, CodeFence):
        return f"{block.info} {block.text}"
    if isinstance(block, BlockQuote):
        return " ".join(map(words, block.inside))
    if isinstance(block, TableBlock):
        return " ".join(bare_text(cell) for row in (block.head, *block.rows) for cell in row)
    return "" if isinstance(block, ThematicBreak) else bare_text(block.inside)


def shapes(blocks: Blocks) -> list[tuple[str, str, str]]:
    return [(type(block).__name__, block.prefix, words(block)) for block in blocks]


def test_a_fence_holds_what_is_indented_with_it_and_without() -> None:
    for indent in ("", "  ", "    ", "        "):
        text = f"1. a\n{indent}```py\n{indent}if x:\n{indent}    y\n{indent}```\n2. b"
        (_, fence, _) = read(text)
        assert isinstance(fence, CodeFence) and (fence.info, fence.text) == ("py", "if x:\n    y")
    (_, fence, _) = read("1. a\n   ```\ndef f():\n    pass\n   ```\n2. b")
    assert fence.text == "def f():\n    pass"


@pytest.mark.parametrize("language", ["", "markdown", "md", "text"])
def test_a_fence_may_hold_others(language: str) -> None:
    blocks = read(f"```{language}\na\n```py\nb\n```\nc\n```js\nd\n```\n```\ne")
    assert shapes(blocks)[0][2] == f"{language} a\n```py\nb\n```\nc\n```js\nd\n```" and len(blocks) == 2


def test_another_fence_ends_where_it_says() -> None:
    assert shapes(read("```py\na\n```js\nb\n```\nc\n```\nd")) == [
        ("CodeFence", "", "py a\n```js\nb"), ("Paragraph", "", "c"), ("CodeFence", "", " d"),
    ]  # fmt: skip


def test_lists_stand_in_the_prefix_of_their_lines() -> None:
    assert shapes(read("- a\n  more\n  - b\n    1) c\n\n   d")) == [
        ("Paragraph", "- ", "a\n  more"), ("Paragraph", "  - ", "b"), ("Paragraph", "    1) ", "c"),
        ("Paragraph", "   ", "d"),
    ]  # fmt: skip
    assert shapes(read("- \n- - a\n- # b")) == [
        ("Paragraph", "-", ""),
        ("Paragraph", "- - ", "a"),
        ("Heading", "- ", "b"),
    ]


def test_a_quote_ends_where_its_marks_end() -> None:
    assert shapes(read("> a\nb\n>c\n> - d\n\n> e")) == [
        ("BlockQuote", "", "a"), ("Paragraph", "", "b"), ("BlockQuote", "", "c d"), ("BlockQuote", "", "e"),
    ]  # fmt: skip
    assert shapes(read(">>> 1 + 1\n2")) == [("Paragraph", "", ">>> 1 + 1\n2")]


def test_a_table_keeps_every_cell() -> None:
    (table, after) = read("| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |\n| 4 |\nafter")
    assert isinstance(table, TableBlock) and table.sides == ("center", "right")
    assert [[bare_text(cell) for cell in row] for row in table.rows] == [["1", "2 3"], ["4", ""]]
    assert isinstance(after, Paragraph)


def test_formulas_have_lines_of_their_own() -> None:
    assert shapes(read("a\n\\[\n- x\n\\]\nb")) == [
        ("Paragraph", "", "a"),
        ("CodeFence", "", " \\[\n- x\n\\]"),
        ("Paragraph", "", "b"),
    ]
    assert shapes(read("$$\n# x")) == [("Paragraph", "", "$$"), ("Heading", "", "x")]


def test_a_line_under_a_word_is_a_line_and_marks_alone_are_words() -> None:
    assert shapes(read("a\n---\nb")) == [("Paragraph", "", "a"), ("ThematicBreak", "", ""), ("Paragraph", "", "b")]
    assert shapes(read("***")) == [("Paragraph", "", "***")] and read("") == read("\n") == ()
    (heading,) = read("## a ##")
    assert isinstance(heading, Heading) and (heading.level, bare_text(heading.inside)) == (2, "a")


@given(st.lists(st.sampled_from(LINES), max_size=14).map("\n".join))
def test_no_word_is_lost(text: str) -> None:
    seen = " ".join(words(block) for block in read(text))
    assert sorted(re.findall("[b-fij-m]", re.sub("https://x.y|details|pre|text|py", "", seen))) == sorted(
        re.findall("[b-fij-m]", re.sub("https://x.y|details|text|py", "", text))
    )


@pytest.mark.parametrize(
    "piece", ["> ", "- ", "1. ", "- a\n  ", "> - ", "```\n", "```py\n", "| a |\n", "|-|\n", "\\[\n", "#\n"]
)
def test_no_input_takes_long_or_goes_too_deep(piece: str) -> None:
    began = time.process_time()
    read((piece * 20_000)[:20_000])
    read("\n".join("  " * n + "- a" for n in range(200)))
    assert time.process_time() - began < 5


def test_the_end_of_what_is_very_long_is_words() -> None:
    text = "**a**\n" * (MAX_READ_CHARS // 6 + 10)
    assert isinstance(read(text)[-1], Paragraph) and words(read(text)[-1]).startswith("**a**")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1. a\n1. b\n1. c", "1. a\n2. b\n3. c"),
        ("1. a\n\n1. b\n2. c", "1. a\n\n2. b\n3. c"),
        ("1. a\n2. b\n2. c\n3. d", "1. a\n2. b\n3. c\n4. d"),
        # what begins again, counts down or leaves some out stays
        ("1. a\n2. b\n\n1. c\n2. d", "1. a\n2. b\n\n1. c\n2. d"),
        ("3. a\n2. b\n5. c", "3. a\n2. b\n5. c"),
        ("1. a\n1. b\n5. c", "1. a\n2. b\n5. c"),
        # two spaces and three are both further in
        ("1. a\n  1. b\n  2. c\n2. d", "1. a\n  1. b\n  2. c\n2. d"),
        ("1. a\n  - b\n1. c\n  - d", "1. a\n  - b\n2. c\n  - d"),
        ("1. a\n   1. b\n   1. c\n1. d", "1. a\n   1. b\n   2. c\n2. d"),
        ("1. 1. a\n   1. b\n2. 1. c", "1. 1. a\n   2. b\n2. 1. c"),
        ("1. a\n1.\n1. b", "1. a\n2.\n3. b"),
        ("9. a\n9. b", "9. a\n10. b"),
        # lists that are two stay two
        ("1. a\n1) b\n1. c", "1. a\n1) b\n1. c"),
        ("1. a\n\nb\n\n1. c", "1. a\n\nb\n\n1. c"),
        ("1. a\n- b\n1. c", "1. a\n- b\n1. c"),
        ("1. a\n#### b\n1. c", "1. a\n\n**b**\n1. c"),
        ("1. a\n---\n1. b", f"1. a\n{'─' * 12}\n1\\. b"),
        ("> 1. a\n> > 1. b", "> 1. a\n> 1\\. b"),
        ("1. > 1. a\n1. > 1. b", "1.\n> 1. a\n2.\n> 1. b"),
    ],
)
def test_a_number_that_stands_twice_in_a_row_is_counted_on(written: str, shown: str) -> None:
    assert write(read(written)).text == shown
    assert write(read(shown)).text == shown


def test_a_mark_that_stands_alone_on_its_line_is_kept() -> None:
    for text in ("1.\n   a\n2.\n   b", "-\n  - a", "1.\n   - a", "1.\n   ```\n   a\n   ```", "-\n  > a"):
        assert shapes(read(text))[0] == ("Paragraph", text.partition("\n")[0], "")
