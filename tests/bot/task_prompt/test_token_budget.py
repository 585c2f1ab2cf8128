"""The parts of a budget always add up, and what one does not use flows to the context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.errors import UserError
from bot.task_prompt import TokenBudget

BUDGETS = st.builds(
    TokenBudget, total=st.integers(1, 2_000_000), input_allocation_pct=st.integers(1, 1000).map(lambda n: n / 1000)
)


def test_the_usual_budget():
    assert TokenBudget().parts == (800, 4000, 800, 2400)


def test_another_total_keeps_the_shares():
    assert TokenBudget(total=16_000).parts == (1600, 8000, 1600, 4800)


def test_another_share_is_split_one_five_one():
    assert TokenBudget(total=8_000, input_allocation_pct=0.875).parts == (1000, 5000, 1000, 1000)


def test_what_does_not_divide_goes_to_the_largest_remainder():
    assert TokenBudget(total=7).parts == (1, 3, 1, 2)
    assert TokenBudget(total=1).parts == (0, 1, 0, 0)


@given(BUDGETS)
def test_the_parts_always_add_up(budget):
    assert sum(budget.parts) == budget.total
    assert min(budget.parts) >= 0
    assert budget.input + budget.response == budget.total
    exact = budget.total * budget.input_allocation_pct
    assert abs(budget.context - exact * 5 / 7) < 1 and abs(budget.response - (budget.total - exact)) < 1


@given(BUDGETS, st.integers(0, 3000), st.integers(0, 3000))
def test_what_is_not_used_flows_to_the_context_and_never_to_the_answer(budget, system, request):
    if system + request >= budget.input:
        with pytest.raises(UserError, match="does not fit"):
            budget.context_room(system, request)
        return
    room = budget.context_room(system, request)
    assert room + system + request + budget.response == budget.total
    if system <= budget.system and request <= budget.request:
        assert room == budget.context + (budget.system - system) + (budget.request - request)


@pytest.mark.parametrize("bad", [{"total": 0}, {"input_allocation_pct": 0}, {"input_allocation_pct": 1.1}])
def test_a_budget_that_cannot_be_is_refused(bad):
    with pytest.raises(ValidationError):
        TokenBudget(**bad)
