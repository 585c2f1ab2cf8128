"""Whom a picture shows: nothing can be looked for in its pixels, so a note beside the file says who is named there."""

from __future__ import annotations

from collections.abc import Iterable

from bot.domain.ids import PersonKey

NOTE_ENDING = ".people"
"""What the name of the note has behind the picture's own."""


def people_note(people: Iterable[PersonKey]) -> str:
    """Write who is named, a line for each."""
    return "".join(sorted(f"{_told(person)}\n" for person in people))


def names_person(note: str, person: PersonKey) -> bool:
    """Say whether a note names somebody."""
    return _told(person) in note.split("\n")


def _told(person: PersonKey) -> str:
    return f"{person.platform}:{person.user_id}"
