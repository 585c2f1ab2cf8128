"""Which days a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.time_spans import read_time_span

DAY = 86_400_000
NOW = 1_760_000_000_000
"""A Thursday morning."""
MIDNIGHT = NOW - NOW % DAY


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What did Ann say today?", (0,)),
        ("What happened yesterday?", (1,)),
        ("and the day before yesterday", (2,)),
        ("last week's budget", (4, 7, 10)),
        ("this week", (0, 3)),
        ("What was decided last month?", (20, 39, 45)),
        ("two weeks ago", (10, 14, 18)),
        ("3 days ago", (2, 3, 4)),
        ("on Monday", (3,)),
        ("on Thursday", (7,)),
        ("Was war gestern?", (1,)),
        ("vor drei Tagen", (3,)),
        ("vor einer Woche", (7,)),
        ("in der letzten Woche", (7,)),
        ("am Freitag", (6,)),
        ("Que s'est-il passé hier ?", (1,)),
        ("avant-hier", (2,)),
        ("la semaine dernière", (7,)),
        ("il y a deux mois", (50, 60, 70)),
        ("¿Qué pasó ayer?", (1,)),
        ("hace 2 semanas", (14,)),
        ("el mes pasado", (30,)),
        ("Что было вчера?", (1,)),
        ("на прошлой неделе", (7,)),
        ("неделю назад", (7,)),
        ("昨日何がありましたか", (1,)),
        ("先週の会議", (7,)),
        ("三日前", (3,)),
        ("昨天发生了什么", (1,)),
        ("上个星期", (7,)),
        ("两天前", (2,)),
        ("lately", (0, 13)),
    ],
)
def test_a_question_names_days_in_six_languages(question: str, days: tuple[int, ...]) -> None:
    span = read_time_span(question, NOW)
    assert span is not None
    for ago in days:
        assert span.since <= MIDNIGHT - ago * DAY + DAY // 2 < span.until


@pytest.mark.parametrize(
    ("question", "other"), [("yesterday", 0), ("yesterday", 2), ("last week", 1), ("last month", 3), ("today", 1)]
)
def test_other_days_are_not_of_it(question: str, other: int) -> None:
    span = read_time_span(question, NOW)
    assert span is not None and not span.since <= MIDNIGHT - other * DAY + DAY // 2 < span.until


@pytest.mark.parametrize(
    "question", ["", "Who likes tea?", "Wer ist hier der Chef?", "the week", "一番", "день рождения"]
)
def test_most_questions_name_none(question: str) -> None:
    assert read_time_span(question, NOW) is None


def test_the_rest_is_what_to_look_for() -> None:
    span = read_time_span("What did Ann say last week about the budget?", NOW)
    assert span is not None and span.rest.split() == ["what", "did", "ann", "say", "about", "the", "budget?"]


@given(st.text(), st.integers(-(10**15), 10**17))
def test_any_text_at_any_time_is_read(question: str, now: int) -> None:
    for words in (question, f"{question} 999 years ago", f"last year {question}"):
        span = read_time_span(words, now)
        assert span is None or span.since <= span.until
