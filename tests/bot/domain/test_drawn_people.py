"""Whom a picture shows."""

from __future__ import annotations

from bot.domain.drawn_people import names_person, people_note
from bot.domain.ids import PersonKey, UserId

ANN, BO = PersonKey("console", UserId("101")), PersonKey("console", UserId("10"))


def test_a_note_names_everybody_and_nobody_by_a_part_of_a_number():
    note = people_note([ANN, PersonKey("telegram", UserId("10"))])
    assert names_person(note, ANN) and not names_person(note, BO)
    assert not names_person(people_note([]), BO)
