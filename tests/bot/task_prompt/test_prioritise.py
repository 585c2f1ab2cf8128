"""A score is a sum whose parts are kept; the formula is the page's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.task_prompt import ChunkMark, ChunkPriority, ChunkType, TaskType, prioritise
from bot.task_prompt.compress import chunk_order
from bot.task_prompt.prioritise import score
from bot.task_prompt.prioritisers import ScorePoints
from tests.bot.task_prompt.given import HOUR, NOW, chunk, chunks, task


def points(given, wanted=None, **parts) -> dict[str, float]:
    return {part.name: part.points for part in score(given, wanted or task()).parts}


@pytest.mark.parametrize(
    ("priority", "expected"), [("CRITICAL", 1000), ("HIGH", 800), ("MEDIUM", 500), ("LOW", 200), ("MINIMAL", 100)]
)
def test_the_base(priority, expected):
    assert points(chunk(priority=ChunkPriority[priority])) == {"base": expected}


@pytest.mark.parametrize(
    ("kind", "mark", "boost"),
    [
        (TaskType.DEBUG, ChunkMark.ERROR, 300),
        (TaskType.DEBUG, ChunkMark.FAILED_TURN, 300),
        (TaskType.TEST, ChunkMark.TEST, 250),
        (TaskType.TEST, ChunkMark.FIXTURE, 250),
        (TaskType.IMPLEMENT, ChunkMark.TARGET, 400),
        (TaskType.REFACTOR, ChunkMark.DEPENDANT, 200),
    ],
)
def test_a_kind_of_task_boosts_what_it_needs_and_nothing_else(kind, mark, boost):
    assert points(chunk(marks=(mark,)), task(task_type=kind))["task_boost"] == boost
    others = [other for other in ChunkMark if other is not mark and (kind, other) != (kind, mark)]
    boosted = {other for other in others if "task_boost" in points(chunk(marks=(other,)), task(task_type=kind))}
    assert boosted <= {ChunkMark.ERROR, ChunkMark.FAILED_TURN, ChunkMark.TEST, ChunkMark.FIXTURE} - {mark}
    assert "task_boost" not in points(chunk(marks=(mark,)), task(task_type=TaskType.ANALYZE))


def test_files_are_known_by_their_names_too():
    assert points(chunk(source="tests/test_app.py"), task(task_type=TaskType.TEST))["task_boost"] == 250
    assert points(chunk(source="bot/errors.py"), task(task_type=TaskType.DEBUG))["task_boost"] == 300
    assert "task_boost" not in points(chunk(source="latest.py"), task(task_type=TaskType.TEST))


@pytest.mark.parametrize(("hours", "expected"), [(0, 100), (24, 50), (48, 25), (-5, 100)])
def test_what_changed_lately_halves_every_day(hours, expected):
    assert points(chunk(modified_at=NOW - hours * HOUR))["recency"] == expected


def test_what_is_mentioned():
    wanted = task("where is the parser of config.py?")
    assert points(chunk(source="bot/config.py"), wanted)["mention"] == 150
    assert points(chunk("the parser is here"), wanted)["mention"] == 50
    assert points(chunk("the Parser of config.py", source="parser/config.py"), wanted)["mention"] == 300
    assert "mention" not in points(chunk("the sparsers", source="notes"), wanted)


def test_of_a_text_full_of_near_misses_only_the_first_are_looked_at():
    assert "mention" not in points(chunk("sparsers " * 60 + "parser"), task("the parser"))


def test_a_chunk_above_a_quarter_of_the_budget_costs_points():
    def penalty(tokens):
        return points(chunk(tokens=tokens), task(budget=1000)).get("size", 0)

    assert penalty(250) == 0
    assert penalty(625) == -100
    assert penalty(1000) == penalty(9000) == -200


def test_the_score_says_why():
    found = score(
        chunk(priority=ChunkPriority.HIGH, marks=(ChunkMark.ERROR,), modified_at=NOW - 24 * HOUR),
        task("", TaskType.DEBUG),
    )
    assert found.total == 1150
    assert str(found) == "1150: base +800 (high), task_boost +300 (debug: error), recency +50 (24.0 h old)"


def test_a_prioritiser_of_ones_own_is_one_more_in_the_list():
    def domain(chunk, task):
        return ScorePoints(200.0, "ours") if "domain" in chunk.source else ScorePoints(0.0)

    (scored,) = prioritise([chunk(source="bot/domain/base.py")], task(), (domain,))
    assert scored.metadata.score.total == 200
    assert scored.metadata.score.parts[0].why == "ours"


def test_ties_are_broken_by_source_and_then_id():
    given = [chunk("b", "x"), chunk("a", "x"), chunk("c", "w")]
    ordered = sorted(prioritise(given, task()), key=chunk_order)
    assert ordered[0].source == "w"
    assert [one.id for one in ordered[1:]] == sorted(one.id for one in ordered[1:])


@settings(max_examples=60, deadline=None)
@given(st.lists(chunks(), max_size=6), st.sampled_from(TaskType), st.text(max_size=60))
def test_a_score_is_the_sum_of_its_parts_within_the_bounds_of_the_formula(given_, kind, request):
    for before, after in zip(given_, prioritise(given_, task(request, kind)), strict=True):
        parts = {part.name: part.points for part in after.metadata.score.parts}
        assert after.points == pytest.approx(sum(parts.values()))
        assert parts.pop("base") == before.priority
        assert parts.pop("task_boost", 0) in {0, 200, 250, 300, 400}
        assert 0 <= parts.pop("recency", 0) <= 100
        assert parts.pop("mention", 0) in range(0, 301, 50)
        assert -200 <= parts.pop("size", 0) <= 0
        assert not parts
        assert after.id == before.id and after.content == before.content


@given(st.none() | st.integers(-100 * HOUR, 5000 * HOUR))
def test_recency_is_a_hundred_halved_for_every_day(age):
    found = points(chunk(modified_at=None if age is None else NOW - age)).get("recency", 0)
    assert found == (0 if age is None else round(100 * 2 ** (-max(age, 0) / (24 * HOUR)), 3))


NAMES = ["parser", "users", "config", "orders", "billing"]


@given(st.lists(st.sampled_from(NAMES), unique=True), st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_a_mention_is_worth_150_in_the_source_and_50_in_the_content_for_each_keyword(asked, source, content):
    wanted = task(f"how about the {' and the '.join(asked)}?")
    assert wanted.keywords == tuple(asked)
    given_ = chunk(f"here {' '.join(sorted(content))}!", source="/".join(["src", *sorted(source)]))
    expected = min(300, 150 * len(source & set(asked)) + 50 * len(content & set(asked)))
    assert points(given_, wanted).get("mention", 0) == expected


@given(st.integers(0, 20_000), st.integers(1, 20_000))
def test_size_costs_nothing_up_to_a_quarter_of_the_budget_and_two_hundred_where_it_fills_it(tokens, budget):
    found = points(chunk(tokens=tokens), task(budget=budget)).get("size", 0)
    over = max(0, tokens - budget / 4) / (budget * 3 / 4)
    assert found == pytest.approx(-min(200, 200 * over), abs=0.001)


@settings(max_examples=60, deadline=None)
@given(st.lists(chunks(), max_size=6), st.sampled_from(TaskType), st.text(max_size=60))
def test_the_order_is_by_score_then_source_then_id(given_, kind, request):
    scored = prioritise(given_, task(request, kind))
    ordered = sorted(scored, key=chunk_order)
    assert ordered == sorted(ordered, key=lambda one: (-one.metadata.score.total, one.source, one.id))


def test_only_files_are_known_by_their_names():
    assert "task_boost" not in points(
        chunk(source="errors", chunk_type=ChunkType.HISTORY), task(task_type=TaskType.DEBUG)
    )
