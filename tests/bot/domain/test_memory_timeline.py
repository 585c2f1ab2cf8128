"""Steps that can be told apart on a phone, and counts that add up."""

from __future__ import annotations

import pytest

from bot.domain.ids import PersonKey, UserId
from bot.domain.memory_timeline import MemoryCount, MemoryTimeline, TeacherCounts, TimelineSpan
from tests.fakes.clock import START

HOUR, DAY = 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("span", "step", "steps"),
    [
        (1, HOUR, 1),
        (2 * DAY, HOUR, 48),
        (30 * DAY, DAY, 30),
        (60 * DAY, 7 * DAY, 9),
        (365 * DAY, 7 * DAY, 53),
        (1000 * DAY, 28 * DAY, 36),
        (70_000 * DAY, 91 * DAY, 53),
    ],
)
def test_a_span_is_cut_into_steps_that_end_with_now(span, step, steps):
    found = TimelineSpan.back(START, span)
    assert (found.step_ms, found.steps) == (step, steps)
    assert found.at(steps - 1) <= START < found.until == found.at(steps)
    assert found.since % min(step, DAY) == 0, "days begin at midnight"


def test_a_midnight_belongs_to_the_day_that_it_begins():
    midnight = START // DAY * DAY
    assert TimelineSpan.back(midnight, 7 * DAY).until == midnight + DAY
    assert TimelineSpan.back(midnight - 1, 7 * DAY).until == midnight


def test_counts_add_up():
    span = TimelineSpan(0, DAY, 2)
    ann = TeacherCounts(PersonKey("console", UserId("1")), "ann", (MemoryCount(2, 1), MemoryCount(0, 1)))
    others = TeacherCounts(None, "", (MemoryCount(), MemoryCount(5, 0)), 3)
    timeline = MemoryTimeline(span, (ann, others))
    assert ann.total == (2, 2) and ann.total.total == 4
    assert timeline.total == (7, 2) and timeline.steps == ((2, 1), (5, 1))
    assert MemoryTimeline(span).total == (0, 0) and MemoryTimeline(span).steps == ((0, 0), (0, 0))
