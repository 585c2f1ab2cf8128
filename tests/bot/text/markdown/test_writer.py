"""What is written reads the same again, and its spans lie where its marks are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.markdown.blocks import read
from bot.text.markdown.writer import fence_marks, language_of, write
from tests.bot.text.markdown.test_blocks import LINES
from tests.bot.text.markdown.test_inline_marks import PIECES
from tests.fakes.lengths import whole_or
from tests.rendering.making import Maker


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("#### a **b**", "**a b**"),
        ("__a__ _b_", "**a** _b_"),
        ("+ a", "+ a"),
        ("~~~py x=1\na\n~~~", "```py\na\n```"),
        ("````\n```\n````", "````\n```\n````"),
        ("- > a\n- ```\n  b\n  ```", "-\n> a\n-\n```\nb\n```"),
        ("> a\n>\n>> b", "> a\n> \n> b"),
        ("\\(a`b\\)", "``\\(a`b\\)``"),
        ("`` `a ``", "`` `a ``"),
        ("![](https://x.y)", "[https://x.y](https://x.y)"),
    ],
)
def test_what_is_drawn_alike_everywhere(text: str, written: str) -> None:
    assert write(read(text)).text == written


def test_spans_lie_where_the_marks_are() -> None:
    text, spans, _ = write(read("> **a [b](https://x.y)**\n> ```py\n> c\n> ```\n\n- ~~d~~"))
    found = {(text[span.start : span.body], text[span.tail : span.end], span.opening, span.closing) for span in spans}
    assert ("**", "**", "**", "**") in found and ("~~", "~~", "~~", "~~") in found
    assert ("```py\n> ", "\n> ```", "> ```py\n", "\n> ```") in found and ("> ", "", "> ", "") in found


def test_marks_around_code() -> None:
    assert [fence_marks(text) for text in ("", "`a`", "```", "`````")] == ["```", "```", "````", "``````"]
    assert [language_of(info) for info in ("py", 'js title="a"', "c++", "{x}", "")] == ["py", "js", "c++", "", ""]


@settings(max_examples=whole_or(200, 50))
@given(st.integers(0, 2**40))
def test_reading_it_again_changes_nothing(seed: int) -> None:
    written = write(read(Maker(seed).document().text)).text
    assert write(read(written)).text == written


@given(
    st.one_of(
        st.lists(st.sampled_from(LINES), max_size=9).map("\n".join), st.lists(st.sampled_from(PIECES)).map("".join)
    )
)
def test_spans_lie_in_the_text_and_in_each_other(text: str) -> None:
    written, spans, _ = write(read(text))
    for span in spans:
        assert (
            0 <= span.start <= span.body <= max(span.body, span.tail) <= span.end <= len(written)
            or span.start == span.body
        )
    inner = [span for span in spans if not span.is_line]
    for one, other in pairwise(inner):
        assert other.start >= one.end or other.end <= one.end
