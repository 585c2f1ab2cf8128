"""Times and numbers are read as people say them."""

from __future__ import annotations

import pytest

from bot.mind.spoken_figures import numbers_of, times_of


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("see you at half past eight", 510),
        ("lands at twenty to seven", 400),
        ("um halb acht", 450),
        ("viertel nach sieben", 435),
        ("a las ocho y media", 510),
        ("sete e meia da noite", 450),
        ("a neuf heures dix", 550),
        ("в полдевятого", 510),
        ("двадцать минут восьмого", 440),
        ("chega as 15h", 180),
        ("14:30", 150),
        ("ao meio-dia", 0),
    ],
)
def test_a_time_is_read_in_minutes_of_half_a_day(said, minutes):
    assert [one.value for one in times_of(said.split())] == [minutes]


@pytest.mark.parametrize("said", ["at four tables", "we are four", "nothing here"])
def test_a_number_of_things_is_no_time(said):
    assert times_of(said.split()) == ()


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("twenty five euros", 25),
        ("funfundzwanzig leute", 25),
        ("treinta y cinco euros", 35),
        ("тысяча двести рублей", 1200),
        ("two hundred people", 200),
        ("1200", 1200),
    ],
)
def test_a_number_in_words_is_one_number(said, number):
    assert [one.value for one in numbers_of(said.split())] == [number]
