"""What a fact is to those that are known already."""

from __future__ import annotations

import pytest

from bot.domain.memory import Memory, MemoryProvenance, MemoryScope, NewMemory, RelationKind
from bot.mind.fact_links import MAX_LINKS, fact_links
from tests.fakes import values as v

CONTRADICTING = [
    ("The raid starts at 8 pm", "The raid starts at 9 pm"),
    ("Ann eats fish", "Ann does not eat fish"),
    ("Der Treffpunkt ist am Montag", "Der Treffpunkt ist am Dienstag"),
    ("Ana come pescado", "Ana no come pescado"),
    ("A reunião é às 18:00", "A reunião é às 19:00"),
    ("La réunion est lundi", "La réunion est mardi"),
    ("Рейд начинается в 20:00", "Рейд начинается в 21:00"),
    ("The raid is on May 3", "The raid is on May 4"),
]


def known(*texts: str, **more: object) -> list[Memory]:
    return [Memory(id=row, body=v.memory(text, **more)) for row, text in enumerate(texts, 1)]


def linked(new: str, *texts: str, **more: object) -> list[tuple[RelationKind, int]]:
    memory: NewMemory = v.memory(new, **more)
    return [(one.kind, one.target) for one in fact_links(memory, known(*texts))]


@pytest.mark.parametrize("pair", CONTRADICTING)
def test_another_time_date_number_or_a_no_contradicts(pair):
    one, other = pair
    assert linked(other, one) == [(RelationKind.CONTRADICTS, 1)] == linked(one, other)


def test_what_is_nearly_the_same_is_linked_for_people_and_the_rest_is_left_alone():
    texts = ("Ann likes tea", "Bo likes tea", "The raid starts at eight")
    assert linked("Ann really likes tea", *texts) == [(RelationKind.RESEMBLES, 1)]
    assert linked("Bo owes Ann 5", "Ann owes Bo 5") == [(RelationKind.RESEMBLES, 1)]


def test_what_is_known_elsewhere_can_contradict_and_cannot_be_one_with_it():
    guild = known("Ann likes tea", "Tea is at 16:00", scope=MemoryScope.GUILD, scope_id="1")
    found = fact_links(v.memory("Ann really likes tea. Tea is at 17:00."), guild)
    assert [(one.kind, one.target) for one in found] == [(RelationKind.CONTRADICTS, 2)]


def test_what_two_people_say_of_themselves_is_about_two():
    ann, bo = (MemoryProvenance(author=who) for who in ("1", "2"))
    theirs = [Memory(id=1, body=v.memory("I never eat fish", provenance=ann))]
    assert not fact_links(v.memory("I eat fish", provenance=bo), theirs)
    assert fact_links(v.memory("I eat fish", provenance=ann), theirs)


def test_what_its_author_says_of_it_stands_and_there_is_a_most():
    updating = v.memory("Tea is at 17:00", relations=(v.relation(1, RelationKind.UPDATES, 1),))
    assert fact_links(updating, known("Tea is at 16:00")) == ()
    many = [f"Tea is at {hour}:00" for hour in range(1, 12)]
    assert len(linked("Tea is at 17:00", *many)) == MAX_LINKS
