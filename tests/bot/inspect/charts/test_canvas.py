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


def test_a_hatch_stays_within_its_rectangle_and_meets_that_of_its_neighbour():
    def hatched(*boxes: ChartBox) -> Pixels:
        canvas = Canvas(80, 60, (0, 0, 0))
        for box in boxes:
            canvas.hatch(box, (255, 0, 0), gap=9, width=3)
        return Pixels(canvas.png())

    whole = hatched(ChartBox(10, 5, 45, 36))
    assert all(whole.column(x, (255, 0, 0)) == 0 for x in (*range(10), *range(55, 80)))
    assert all(whole.run(y, (255, 0, 0)) == (15 if 5 <= y < 41 else 0) for y in range(60))
    assert hatched(ChartBox(10, 5, 45, 20), ChartBox(10, 25, 45, 16)).rows == whole.rows
    assert hatched(ChartBox(10, 5, 0, 36), ChartBox(10, 5, 9, 0.3)).colours().keys() == {(0, 0, 0)}
