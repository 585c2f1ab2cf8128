"""The message that said what is told no more is found; what is still told is not lost."""

from __future__ import annotations

import pytest

from bot.mind.lost_facts import asks_for_everything, lost_fact
from tests.bench.denials import line_of
from tests.bench.lost import LOST, NEVER_SAID, wrong

SAID = line_of("bob", "the meeting is on thursday at 18:30")


def test_lost_facts_are_found_and_none_is_invented():
    missed, invented = wrong(LOST, NEVER_SAID)
    assert len(LOST) >= 40 and len(missed) <= 2 and not invented


def test_what_is_still_told_is_not_lost():
    sides = ([SAID], [line_of("summary", "They meet on Thursday at 18:30; the meeting is at Joe's.")])
    assert lost_fact("No idea.", "when is the meeting?", "ann", "why did it forget the meeting", sides) is None
    gone = ([SAID], ())
    assert lost_fact("No idea.", "when is the meeting?", "ann", "why did it forget the meeting", gone) is not None


def test_an_answer_that_denies_nothing_and_is_not_asked_about_lost_nothing():
    assert lost_fact("On Friday.", "when is the meeting?", "ann", "", ([SAID], ())) is None


@pytest.mark.parametrize(
    "question", ["did it forget everything", "hat er alles vergessen?", "lo olvidó todo", "он забыл всё?"]
)
def test_whoever_asks_for_everything_names_nothing(question):
    assert asks_for_everything(question) and not asks_for_everything("did it forget the raid")
