"""The words of a tree, and what is bold only once."""

from __future__ import annotations

from bot.text.markdown.nodes import BOLD, ITALIC, Code, Link, Marked, Words, bare, without_bold

TREE = (
    Words("a ", "a "),
    Marked(ITALIC, "*", (Marked(BOLD, "**", (Words("b", "b"),)), Code("c"))),
    Link((Words("d", "d"),), "e"),
)


def test_words_without_marks() -> None:
    assert bare(TREE) == "a bcd"


def test_what_is_bold_already_is_not_bold_again() -> None:
    assert without_bold(TREE)[1] == Marked(ITALIC, "*", (Words("b", "b"), Code("c")))
    assert without_bold((Words("a", "a"),)) == (Words("a", "a"),)
