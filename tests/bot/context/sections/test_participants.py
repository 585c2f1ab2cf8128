"""Participants come from the history, so a quiet channel's prompt does not change with who writes next."""

from __future__ import annotations

from bot.context.sections.participants import MAX_PEOPLE, ParticipantsSection
from bot.domain.base import JsonText
from bot.domain.channel import Turn
from tests.fakes.contexts import says, talked, trigger
from tests.fakes.values import channel


def shown(state, at=None):
    return ParticipantsSection().render(state, at or trigger(), JsonText("{}"))


def test_newest_speakers_come_first_once_by_id():
    state = talked(channel(), ("hi", "hello")).replace(ambient=(says("x", 5, "43", "bob", ambient=True), says("y", 6)))
    assert shown(state).splitlines()[2:] == [
        "- ann (id 42), last spoke 2025-10-09T08:53:26Z",
        "- bob (id 43), last spoke 2025-10-09T08:53:25Z",
    ]


def test_the_trigger_is_not_looked_at():
    state = talked(channel(), ("hi", "hello"))
    assert shown(state, trigger(says("I am new", 9, "77", "carol"))) == shown(state)


def test_nobody_has_spoken():
    assert shown(channel()) == ""


def test_a_crowd_is_cut():
    crowd = tuple(says("x", n, str(n), f"user{n}") for n in range(1, 400))
    text = shown(channel().replace(turns=(Turn(id=1, messages=crowd),)))
    assert text.count("\n- ") == MAX_PEOPLE and "(The last 20.)" in text
