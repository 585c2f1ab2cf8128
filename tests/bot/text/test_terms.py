"""What a text is about is compared however it is written: words, numbers, times and dates in six languages."""

from __future__ import annotations

import pytest

from bot.text.terms import index_terms, is_figure, is_function_word, plain, stem, terms, traces, word_form


@pytest.mark.parametrize(
    "text",
    ["8 pm", "20:00", "20 Uhr", "20h00", "8:00 p.m.", "20 часов"],
)
def test_a_time_is_one_time_however_it_is_written(text):
    assert "time:20:00" in terms(text)


@pytest.mark.parametrize("text", ["Thursday", "am Donnerstag", "el jueves", "quinta-feira", "jeudi", "в четверг"])
def test_a_weekday_is_one_day_in_six_languages(text):
    assert terms(text) == ("weekday:4",)


@pytest.mark.parametrize("text", ["12.7.", "12 July", "12 juillet", "12 июля"])
def test_a_date_is_a_day_and_a_month(text):
    assert set(terms(text)) >= {"12", "month:7"}


@pytest.mark.parametrize("text", ["1,204", "1.204", "1 204".replace(" ", "\u00a0"), "1204"])
def test_a_number_is_one_number_however_it_is_grouped(text):
    assert terms(text) == ("1204",)


def test_a_small_number_may_be_written_in_words():
    assert terms("seven") == terms("sieben") == terms("семь") == ("7",)
    assert "seven" in traces("7") and "sept" not in traces("7")


def test_words_that_say_nothing_of_a_subject_are_left_out():
    assert terms("What is the name of the dog?") == ("name", "dog")
    assert plain("Größe") == plain("GROSSE") == "grosse"


def test_every_term_leaves_a_trace_in_what_holds_it():
    text = "On Thursday, 12.7., at 8 pm, Ann reserved 1,204 seats for two: code x17, 時間割"
    for term in terms(text):
        assert any(trace in plain(text) for trace in traces(term)), term


def test_a_word_named_like_a_kind_of_term_is_a_word():
    assert terms("time") == ("time",) and traces("time") == ("time",)
    assert not is_figure("time") and is_figure("time:20:00")
    assert stem("reservation") == stem("reserve") == "reser"


def test_letters_of_their_own_stay_what_they_are():
    """In Russian й is no и with a mark: with it taken off, May would be no month and `мой` would be a subject."""
    assert terms("май, мой Größe") == ("month:5", "grosse")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cake", "cakes"),
        ("table", "tables"),
        ("reserved", "reservation"),
        ("keller", "kellern"),
        ("partido", "partidos"),
        ("кошка", "кошку"),
        ("аня", "аней"),
    ],
)
def test_forms_of_a_word_have_something_in_common(one: str, other: str) -> None:
    assert word_form(one) == word_form(other) != ""


@pytest.mark.parametrize("term", ["", "it", "1204", "time:20:00", "weekday:4", "緑茶", "rtx4090"])
def test_what_has_no_forms_has_none(term: str) -> None:
    assert word_form(term) == ""


def test_an_index_holds_function_words_too() -> None:
    assert index_terms("Is it the tea?") == ("is", "it", "the", "tea") and terms("Is it the tea?") == ("tea",)
    assert is_function_word("the") and not is_function_word("tea")
