"""What kind of task it is, by what is asked; and which of its words mean something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.task_prompt import TaskBrief, TaskType, classify
from bot.task_prompt.task import keywords
from tests.bot.task_prompt.given import NOW


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("why isn't this responding?", TaskType.DEBUG),
        ("it doesn't answer ann any more", TaskType.DEBUG),
        ("the last turn failed with a timeout", TaskType.DEBUG),
        ("why does the test fail", TaskType.DEBUG),
        ("what would it say to a stranger?", TaskType.TEST),
        ("dry run of the new prompt", TaskType.TEST),
        ("clean up old memories about the plan", TaskType.REFACTOR),
        ("audit what it was told", TaskType.ANALYZE),
        ("what is in its context?", TaskType.ANALYZE),
        ("add a rule that it answers in French", TaskType.IMPLEMENT),
        ("draft a fix", TaskType.IMPLEMENT),
        ("hm", TaskType.ANALYZE),
        ("", TaskType.ANALYZE),
    ],
)
def test_a_request_is_classified_by_its_words(request_, expected):
    assert classify(request_) is expected


def test_what_is_said_explicitly_wins():
    assert classify("why does it fail", said="test") is TaskType.TEST
    assert classify("Refactor: why does it fail") is TaskType.REFACTOR
    assert classify("nonsense: add a rule", said="nonsense") is TaskType.IMPLEMENT


def test_keywords_are_the_words_that_mean_something():
    assert keywords("Why does bot/app.py not load the Config, the config?") == ("bot/app.py", "load", "config")


@given(st.text(max_size=400))
def test_any_request_has_a_kind_and_a_bounded_number_of_keywords(text):
    task = TaskBrief(task_type=classify(text), request=text, at=NOW, budget=1)
    assert len(task.keywords) <= 24 and all(len(word) >= 3 for word in task.keywords)
