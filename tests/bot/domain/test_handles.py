"""Handles can be typed from a phone, and are no words."""

from __future__ import annotations

from bot.domain.handles import SLOTS, Handle, HandleKind, handle, has_digit, parse_handle
from bot.domain.process import named_work

NEIGHBOURS = 3_000
BETWEEN = 997


def test_every_name_has_a_digit_is_its_own_and_is_read_back_without_it_too() -> None:
    rows = [*range(1, NEIGHBOURS), *range(NEIGHBOURS, SLOTS, BETWEEN)]
    names = {row: handle(HandleKind.MEMORY, row) for row in rows}
    assert len(set(names.values())) == len(rows)
    for row, name in names.items():
        assert has_digit(name) and len(name) in {5, 6}
        written_before = name if len(name) == 5 else name[0] + name[2:]
        read = {parse_handle(one) for one in (name, name.upper(), written_before)}
        assert read == {Handle(HandleKind.MEMORY, row)}


def test_what_was_named_before_keeps_its_name_where_a_digit_was_in_it() -> None:
    assert [handle(HandleKind.INBOUND, row) for row in (1, 2, 3, 4)] == ["i2krxn", "i7hva", "i2varz", "if3pm"]
    assert parse_handle("ivarz") == parse_handle("i2varz") == Handle(HandleKind.INBOUND, 3)


def test_a_task_with_many_words_like_names_still_names_earlier_work() -> None:
    branch = handle(HandleKind.BRANCH, 1)
    task = f"Which bytes were wrong, which words began being bound where, says {branch}?"
    assert named_work(task)[0] == Handle(HandleKind.BRANCH, 1)


def test_what_is_too_long_or_of_no_kind_is_no_name() -> None:
    assert [parse_handle(text) for text in ("", "m", "z27d4", "m27d", "m27d44", "m2a7d4", "m3krxn", "mürze")] == [
        None
    ] * 8
