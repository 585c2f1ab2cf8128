"""Numbers are short, have a unit, and say how exact they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.sentences import speaking
from bot.text.figures import decimal, duration, exact_number, money, quantity, size
from tests.fakes.lengths import whole_or


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1K"),
        (1204, "1.2K"),
        (999_949, "999.9K"),
        (999_950, "1M"),
        (1_234_567, "1.2M"),
        (2_500_000_000, "2.5B"),
        (-1500, "-1.5K"),
    ],
)
def test_quantities_are_rounded(number, shown):
    assert quantity(number) == shown


@pytest.mark.parametrize(
    ("octets", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 KiB"),
        (1234, "1.2 KiB"),
        (10_240, "10 KiB"),
        (1_023_000, "999 KiB"),
        (1_048_576, "1 MiB"),
        (5 * 1024**3, "5 GiB"),
        (3 * 1024**5, "3072 TiB"),
    ],
)
def test_room_has_one_unit(octets, shown):
    assert size(octets) == shown


def test_exact_numbers_are_not():
    assert [exact_number(number) for number in (7, 1204, -1234567)] == ["7", "1,204", "-1,234,567"]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 ms"),
        (0.0004, "0.4 ms"),
        (0.34, "340 ms"),
        (0.9999, "1 s"),
        (2.1, "2.1 s"),
        (12.4, "12 s"),
        (59.7, "1 min"),
        (240, "4 min"),
        (3599, "1 h"),
        (7200, "2 h"),
        (5400, "1.5 h"),
        (172_800, "2 d"),
        (-2.1, "-2.1 s"),
    ],
)
def test_durations_have_one_unit(seconds, shown):
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (0, "$0.00"),
        (0.04, "$0.04"),
        (0.0012, "$0.0012"),
        (0.00999, "$0.01"),
        (0.00001, "<$0.0001"),
        (1204.5, "$1,204.50"),
        (-0.04, "-$0.04"),
    ],
)
def test_money_below_a_cent_still_says_something(usd, shown):
    assert money(usd) == shown


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_a_figure_is_short_and_has_its_unit(seconds, usd):
    assume(seconds >= 0)
    assert re.fullmatch(r"\d+(\.\d)? (ms|s|min|h|d)", duration(seconds))
    assert re.fullmatch(r"<?\$[\d,]+\.\d+", money(usd))


def test_figures_have_the_marks_of_the_language_that_is_spoken():
    with speaking("de"):
        german = (quantity(2490), exact_number(12_345), size(4_000_000), duration(2.13), money(1204.5), decimal(0.8, 2))
    assert german == ("2,5K", "12.345", "3,8 MiB", "2,1 s", "$1.204,50", "0,80")
    assert decimal(1204.5, 1) == "1,204.5"
