"""A line holds a fact when it shares what is asked about, is about the right person, and says what was wanted."""

from __future__ import annotations

import pytest

from bot.mind.fact_search import Wanted, alike, find_fact, query, statements
from tests.bench.denials import line_of

PEOPLE = ("ann", "bob")


@pytest.mark.parametrize(
    ("one", "other"), [("dog", "dogs"), ("meet", "meeting"), ("bringt", "mitbringt"), ("собаку", "собака")]
)
def test_forms_of_a_word_are_alike(one, other):
    assert alike(one, other) and alike(other, one)


@pytest.mark.parametrize(("one", "other"), [("dog", "door"), ("1204", "12"), ("cat", "catalogue"), ("raid", "radio")])
def test_other_words_are_not(one, other):
    assert not alike(one, other)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("when is the raid?", Wanted.WHEN),
        ("wie heißt mein Hund?", Wanted.NAME),
        ("¿cuánto cuesta?", Wanted.NUMBER),
        ("où habite-t-il ?", Wanted.PLACE),
        ("what does bob like?", Wanted.ANYTHING),
    ],
)
def test_what_is_wanted_is_read_from_the_question(text, wanted):
    assert query(text).wanted is wanted


def test_what_lacks_the_wanted_kind_is_no_answer():
    asked = query("when is the raid?")
    assert find_fact(asked, [line_of("bob", "the raid was fun")]) is None
    found = find_fact(asked, [line_of("bob", "the raid was fun"), line_of("bob", "raid at 9 pm")])
    assert found is not None and found.told.line.text == "raid at 9 pm"


def test_what_another_person_has_is_not_the_askers():
    asked = query("what is my dog called?", "ann")
    assert find_fact(asked, [line_of("bob", "my dog is called Rex")], PEOPLE) is None
    assert find_fact(asked, [line_of("ann", "my dog is called Rex")], PEOPLE) is not None
    assert find_fact(asked, [line_of("memory:bob", "Ann's dog is called Rex.")], PEOPLE) is not None


def test_a_person_who_is_named_must_be_the_one():
    asked = query("when is bob's birthday?", "ann")
    assert find_fact(asked, [line_of("memory:ann", "Ann's birthday is on May 3.")], PEOPLE) is None
    assert find_fact(asked, [line_of("bob", "my birthday is on May 3")], PEOPLE) is not None


def test_questions_and_denials_are_no_statements():
    assert statements("My dog is Rex. Do you like him? I don't know him.").strip() == "My dog is Rex."
