"""The words of a tree, and what is bold only once."""

from __future__ import annotations

from bot.text.markdown.nodes import (
    BOLD,
    ITALIC,
    InlineCode,
    InlineLink,
    MarkedWords,
    PlainWords,
    bare_text,
    without_bold,
)

TREE = (
    PlainWords("a ", "a "),
    MarkedWords(ITALIC, "*", (MarkedWords(BOLD, "**", (PlainWords("b", "b"),)), InlineCode("c"))),
    InlineLink((PlainWords("d", "d"),), "e"),
)


def test_words_without_marks() -> None:
    assert bare_text(TREE) == "a bcd"


def test_what_is_bold_already_is_not_bold_again() -> None:
    assert without_bold(TREE)[1] == MarkedWords(ITALIC, "*", (PlainWords("b", "b"), InlineCode("c")))
    assert without_bold((PlainWords("a", "a"),)) == (PlainWords("a", "a"),)
