"""Marks are read as models mean them; everything else stays, and nothing takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.markdown.inline_marks import read_inline
from bot.text.markdown.nodes import InlineCode, InlineLink, Inlines, MarkedWords, PlainWords, bare_text

PIECES = [
    *"*_~|`\\[]()<>$&!# \n",
    "**",
    "||",
    "a",
    "é",
    "字",
    "1",
    "$x_1$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "https://x.y/_z_",
]
PIECES += ["<b>", "</b>", "<br>", "&amp;", "&lt;", "__init__", "[^1]", "![a](https://x.y)", "<https://x.y>"]


def kinds(inlines: Inlines) -> list[str]:
    """What is more than words, from left to right, inner ones behind what they are in."""
    found: list[str] = []
    for one in inlines:
        if isinstance(one, InlineCode):
            found.append(f"code {one.text}")
        elif isinstance(one, InlineLink):
            found += [f"link {one.address}", *kinds(one.label)]
        elif isinstance(one, MarkedWords):
            found += [f"{one.kind} {bare_text(one.inside)}", *kinds(one.inside)]
    return found


@pytest.mark.parametrize(
    ("text", "words", "marks"),
    [
        ("a ||b|| c", "a b c", ["spoiler b"]),
        ("a || b || c", "a || b || c", []),
        ("a||b||c", "a||b||c", []),
        ("这是**重点。**内容", "这是重点。内容", ["bold 重点。"]),
        ("这是*强调*的", "这是强调的", ["italic 强调"]),
        ("2*3*4", "2*3*4", []),
        ("src/*.py and *.txt", "src/*.py and *.txt", []),
        ("$x_i$", "$x_i$", ["code $x_i$"]),
        ("$5 or $6", "$5 or $6", []),
        ("$5-$6", "$5-$6", []),
        ("US$5 a$b$c", "US$5 a$b$c", []),
        (r"\(x\) \[y\]", r"\(x\) \[y\]", [r"code \(x\)", r"code \[y\]"]),
        (r"\(x", "(x", []),
        ("`$x$`", "$x$", ["code $x$"]),
        ("__init__", "__init__", []),
        ("__bold__", "bold", ["bold bold"]),
        ("https://x.y/__a__.", "https://x.y/__a__.", []),
        ("_https://x.y/a_", "https://x.y/a", ["italic https://x.y/a"]),
        ("**https://x.y**", "https://x.y", ["bold https://x.y"]),
        ("[a [1]](https://x.y/(z))", "a [1]", ["link https://x.y/(z)"]),
        ('[a](https://x.y "b")', "a", ["link https://x.y"]),
        ("![a](https://x.y)", "a", ["link https://x.y"]),
        ("see[^1]", "see[1]", []),
        ("[^1]: so", "[1] so", []),
        ("&lt;b&gt; &amp;lt; &x; AT&T", "<b> &lt; &x; AT&T", []),
        ("<b>a</b> <kbd>b</kbd> <u>c</u>", "a b c", ["bold a", "code b", "underline c"]),
        ("the <b> tag, List<i>", "the <b> tag, List<i>", []),
        ("x<sup>2</sup> H<sub>2</sub>O e<sup>ab</sup>", "x² H₂O e^ab", []),
        ("a<br>b", "a\nb", []),
        ("use <br> here", "use <br> here", []),
        ("<https://x.y/a_b>", "https://x.y/a_b", []),
        ("**a __b__ c**", "a b c", ["bold a b c"]),
    ],
)
def test_what_models_write(text: str, words: str, marks: list[str]) -> None:
    found = read_inline(text)
    assert (bare_text(found), kinds(found)) == (words, marks)


def test_words_that_touch_are_one_and_know_how_they_are_written() -> None:
    assert read_inline(r"a \* &lt;b __init__") == (PlainWords("a * <b __init__", r"a \* \<b \_\_init\_\_"),)
    assert read_inline("") == ()


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_letters_are_neither_lost_nor_invented(text: str) -> None:
    letters = [one for one in bare_text(read_inline(text)) if one in "é字"]
    assert sorted(letters) == sorted(one for one in text if one in "é字")


@pytest.mark.parametrize(
    "piece", ["*", "_a", "[(", "**a ", "`a ", "||a", "\\(", "$a", "$$", "<b>", "&a", "https://a)", "[^", "!["]
)
def test_no_input_takes_long(piece: str) -> None:
    began = time.process_time()
    read_inline((piece * 20_000)[:20_000])
    assert time.process_time() - began < 3
