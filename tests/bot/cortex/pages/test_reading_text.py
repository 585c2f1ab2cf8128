from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.pages.reading_place import MAX_PAGES, ReadingPlace, has_changed, mark_of, part_at, read_place
from bot.cortex.pages.reading_text import GONE, NEW, SAME, PartLine, in_pages, section_lines
from bot.text.markdown.tables import columns
from bot.text.text import unfence, utf16_length


@given(st.booleans(), st.integers(0, (1 << 20) - 1), st.integers(0, 511), st.integers(0, 1023))
def test_a_place_comes_back_and_fits_a_button(sent, mark, part, page):
    place = ReadingPlace(sent, mark, part, page)
    assert place.argument < 1 << 40 and read_place(place.argument) == place


@given(st.integers(0, (1 << 40) - 1))
def test_any_number_is_some_place(argument):
    assert read_place(argument).page <= MAX_PAGES


def test_a_part_that_moved_is_found_by_its_name_and_one_that_went_is_not():
    place = ReadingPlace(False, mark_of("section:skills", "old"), 2, 1)
    assert part_at(place, ("section:identity", "section:new", "section:skills")) == "section:skills"
    assert part_at(place, ("section:identity",)) is None
    assert has_changed(place, "section:skills", "new") and not has_changed(place, "section:skills", "old")


def test_lines_that_came_and_went_are_marked():
    assert section_lines("a\nc\nd", "a\nb\nd") == [
        PartLine(SAME, "a"),
        PartLine(GONE, "b"),
        PartLine(NEW, "c"),
        PartLine(SAME, "d"),
    ]
    assert {line.sign for line in section_lines("a\nb", None)} == {NEW}


@given(st.lists(st.tuples(st.sampled_from("+ "), st.text(max_size=300)), max_size=30), st.booleans())
def test_every_page_is_a_whole_fence_that_fits_a_phone_and_a_message(lines, is_compared):
    laid = in_pages([PartLine(sign, text.replace("\n", "")) for sign, text in lines], is_compared=is_compared)
    for page in laid.pages:
        words = unfence(page)
        assert words is not None and utf16_length(page) < 1_700
        assert all(columns(row) <= 38 for row in words.split("\n"))


def test_nothing_on_a_page_is_a_link_or_a_ping():
    (page,) = in_pages([PartLine(SAME, "@everyone https://evil.example/x <@1> ``` t.me/x")], is_compared=False).pages
    assert "@" not in page and "https://" not in page and "t.me" not in page and page.startswith("````")
