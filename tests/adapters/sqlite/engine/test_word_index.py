"""What is found by its words, and in which order: compared with what a look at all of it says."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.sqlite.engine.word_index import (
    MAX_NEWEST,
    IndexedMemory,
    IndexReader,
    count_in,
    every_term,
    places_of,
    put_words,
    question_terms,
    rank_rows,
    scope_place,
    take_words,
)
from bot.domain.ids import MAIN, ChannelId
from bot.domain.memory import MemoryReach
from bot.text.terms import index_terms, is_function_word, word_form

HERE = ChannelId("console:#here")
REACH = MemoryReach(agent=MAIN, channel=HERE)
WORDS = ["tea", "reservation", "reserved", "Größe", "the", "7", "お茶の時間", "q"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join), max_size=25)


def index() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.row_factory = sqlite3.Row
    made.execute("CREATE VIRTUAL TABLE memory_fts USING fts5(text, tokenize=\"ascii tokenchars '_:.-~@'\")")
    return made


def put(connection: sqlite3.Connection, number: int, text: str, channel: str = HERE, author: str = "") -> None:
    put_words(connection, number, IndexedMemory("main", "console", "channel", channel, channel, author, text))


def found(connection: sqlite3.Connection, words: str, most: int | None = None) -> list[tuple[float, int]]:
    known = count_in(connection, places_of(REACH))
    return [tuple(one) for one in rank_rows(IndexReader.once(connection), known, question_terms(words), most)]


def weight_of_length(text: str) -> float:
    sizes = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 512, 2048)
    size = next((size for size in sizes if len(index_terms(text)) <= size), 2048)
    return 2.2 / (1.3 + 0.9 * size / 12)


def by_looking_at_all(texts: Sequence[str], words: str) -> dict[int, float]:
    """Say what each text that holds any of the words counts for, by the definition."""
    held = {number: set(index_terms(text)) for number, text in enumerate(texts, 1)}
    common = {n: {word_form(term) for term in terms if not is_function_word(term)} for n, terms in held.items()}
    scores = dict.fromkeys(held, 0.0)

    def rarity(many: int) -> float:
        return math.log1p((len(texts) - many + 0.5) / (many + 0.5))

    for term in question_terms(words):
        exact = [number for number in held if term in held[number]]
        forms = [number for number in held if word_form(term) and word_form(term) in common[number]] or exact
        for number in exact:
            scores[number] += (0.6 if len(forms) > len(exact) else 1) * rarity(len(exact))
        for number in forms if len(forms) > len(exact) else ():
            scores[number] += 0.4 * rarity(len(forms))
    return {number: score * weight_of_length(texts[number - 1]) for number, score in scores.items() if score}


@settings(deadline=None)
@given(TEXTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join))
def test_the_order_is_that_of_a_look_at_all(texts: list[str], words: str) -> None:
    with closing(index()) as connection:
        for number, text in enumerate(texts, 1):
            put(connection, number, text)
            put(connection, 1000 + number, text, "console:#elsewhere")
        ranked = found(connection, words)
        wanted = by_looking_at_all(texts, words)
        assert {row: score for score, row in ranked} == pytest.approx(wanted)
        assert ranked == sorted(ranked, reverse=True)


@settings(deadline=None)
@example(["reservation", "tea"], "tea reservation", 0)
@given(TEXTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), st.integers(0, 60))
def test_where_there_is_too_much_what_is_found_stands_as_in_the_whole(texts: list[str], words: str, most: int) -> None:
    with closing(index()) as connection:
        for number, text in enumerate(texts, 1):
            put(connection, number, text)
        some, whole = found(connection, words, most), found(connection, words)
        kept = {row for _, row in some}
        assert [row for _, row in some] == [row for _, row in whole if row in kept]
        # there are fewer than the newest of the commonest word that are always looked at
        assert len(texts) <= MAX_NEWEST and len(some) == len(whole)


def test_of_common_words_the_newest_are_found_and_rarer_words_find_everything() -> None:
    with closing(index()) as connection:
        for number in range(1, 2001):
            put(connection, number, "tea kettle" if number == 3 else "tea" if number % 2 else "tea cake")
        rows = [row for _, row in found(connection, "tea", most=100)]
        assert rows == sorted((row for row in range(2001 - MAX_NEWEST, 2001)), key=lambda row: (row % 2 == 0, -row))
        assert next(row for _, row in found(connection, "tea kettle", most=100)) == 3
        assert len(found(connection, "tea cake", most=1500)) == 1000 + MAX_NEWEST // 2
        assert len(found(connection, "tea cake")) == 2000


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Ann reserved a table", "Who has reservations?"),
        ("Die Größe ist 42", "grosse"),
        ("Crème brûlée le jeudi", "creme brulee"),
        ("we meet at 8 pm", "20:00"),
        ("El número es 1.204", "1204"),
        ("アンさんは緑茶が好きです", "緑茶は誰が好き"),
        ("安喜欢绿茶", "谁喜欢绿茶"),
        ("Аня любит зелёный чай", "зеленый"),
        ("Кошку зовут Мурка", "кошка"),
        ("Los partidos son el domingo", "partido"),
        ("the cakes", "a cake"),
        ("who are you", "who are you?"),
    ],
)
def test_words_are_found_in_other_forms(said: str, asked: str) -> None:
    with closing(index()) as connection:
        put(connection, 1, said)
        put(connection, 2, "nothing of that kind: 17")
        assert [row for _, row in found(connection, asked)] == [1]


def test_what_somebody_said_is_found_by_their_name() -> None:
    with closing(index()) as connection:
        put(connection, 1, "the lift is broken", author="Ann Lee")
        put(connection, 2, "the lift is broken", author="Bob")
        put(connection, 3, "the lift is broken", author="Аня")
        assert [row for _, row in found(connection, "what did Ann say about the lift?")] == [1, 3, 2]
        assert [row for _, row in found(connection, "Что сказала Аней?")] == [3]


def test_repeating_a_word_and_saying_everything_gain_nothing() -> None:
    with closing(index()) as connection:
        put(connection, 1, "tea is at four")
        put(connection, 2, "tea " * 50 + "is at four")
        put(connection, 3, " ".join(f"word{n}" for n in range(5000)) + " tea four")
        assert [row for _, row in found(connection, "tea four")] == [1, 2, 3]


@pytest.mark.parametrize(
    "words", ["", "...", '"', '" OR x', "NEAR(a b)", "a*", "text:tea", "-tea^", "\0", "x" * 50_000]
)
def test_any_text_is_a_question(words: str) -> None:
    with closing(index()) as connection:
        put(connection, 1, "coffee")
        assert found(connection, words) == []


def test_what_is_taken_out_leaves_nothing_behind() -> None:
    with closing(index()) as connection:
        for number in (1, 2, 3):
            put(connection, number, "secret tea " * number)
        take_words(connection, 2)
        assert [row for _, row in found(connection, "secret")] == [1, 3]
        connection.execute("INSERT INTO memory_fts (memory_fts) VALUES ('integrity-check')")


def test_places_are_kept_apart() -> None:
    assert len({scope_place("main", "discord", scope, "1") for scope in ("channel", "guild", "user", "global")}) == 4
    assert scope_place("main", "discord", "user", "1") != scope_place("main", "telegram", "user", "1")
    assert scope_place("main", "", "channel", "1") != scope_place("other", "", "channel", "1")
    assert every_term("who likes tea") == ("who", "likes", "tea")
    assert question_terms("who likes tea") == ("likes", "tea") and question_terms("who is it") == ("who", "is", "it")
