"""Phrases of words are found where they stand, with other endings and words between."""

from __future__ import annotations

import time

import pytest

from bot.text.phrase_table import PhraseTable, words_of

TABLE = PhraseTable("turn .. deaf ear, ^ignore him/her, repl* to _ later, ne PAS", {"PAS": "pas plus"})


@pytest.mark.parametrize(
    "text",
    ["You turn a deaf ear.", "turn deaf ear", "Please ignore her", "so: ignore him", "replies to Tom later", "ne plus"],
)
def test_a_phrase_is_found(text):
    assert TABLE.holds(words_of(text))


@pytest.mark.parametrize(
    "text",
    ["turn to Bob, deaf ear", "turn a b c d deaf ear", "they ignore him", "reply to later", "replies to , later"],
)
def test_clauses_gaps_and_beginnings_are_heeded(text):
    assert not TABLE.holds(words_of(text))


def test_where_it_stands_is_told():
    words = words_of("L'idée: ignore him now")
    assert list(TABLE.found(words)) == [(3, 5)] and words[:3] == ("l'", "idee", ":")


@pytest.mark.parametrize("text", [".. deaf", "ab* cd", "_ x"])
def test_a_phrase_that_begins_with_any_word_is_refused(text):
    with pytest.raises(ValueError):
        PhraseTable(text)


@pytest.mark.parametrize("unit", ["turn ", "turn a ", "ignore ", "'", "l'"])
def test_a_long_text_is_read_in_time(unit):
    words = words_of(unit * 4_000)
    begun = time.process_time()
    TABLE.holds(words)
    assert time.process_time() - begun < 0.2
