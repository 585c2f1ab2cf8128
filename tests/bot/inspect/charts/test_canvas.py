"""Whatever a channel is called, it can be drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.inspect.charts.canvas import Canvas, ChartBox, TextPen, cut_to_width, drawable_text, width_of
from tests.bot.inspect.charts.reading import Pixels

PEN = TextPen(30, (255, 255, 255))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("#café", "#cafe"),
        ("#日本語", "#?"),
        ("a🧑b", "a?b"),
        ("≈1.2K", "~1.2K"),
        ("next · x", "next · x"),
        ("a\nb", "a?b"),
    ],
)
def test_what_the_font_does_not_know(text, drawn):
    assert drawable_text(text) == drawn


@given(st.text(max_size=80))
def test_only_what_the_font_knows_is_drawn(text):
    assert all(" " <= letter <= "~" or letter == "·" for letter in drawable_text(text))


def test_long_words_are_cut_to_their_room():
    cut = cut_to_width("operating_contract" * 5, PEN, 200)
    assert cut.endswith("...") and width_of(cut, PEN) <= 200
    assert cut_to_width("short", PEN, 200) == "short" and cut_to_width("anything", PEN, 0) == "..."


def test_strokes():
    canvas = Canvas(40, 20, (0, 0, 0))
    canvas.fill(ChartBox(10, 5, 20, 4), (255, 0, 0))
    canvas.fill(ChartBox(0, 0, 0.4, 5), (0, 255, 0))
    canvas.rule((0, 15), (40, 15), (0, 0, 255), dash=5)
    pixels = Pixels(canvas.png())
    assert [pixels.run(y, (255, 0, 0)) for y in range(4, 10)] == [0, 20, 20, 20, 20, 0]
    assert (0, 255, 0) not in pixels.colours()
    assert pixels.run(15, (0, 0, 255)) == 20
