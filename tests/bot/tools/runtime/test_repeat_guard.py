"""A model that repeats itself."""

from __future__ import annotations

from bot.tools.runtime.repeat_guard import RepeatGuard


def again(guard: RepeatGuard, result: str = "same", arguments: str = "{}", *, ok: bool = True) -> str:
    return guard.plan("look", arguments) or guard.finish("look", arguments, result, ok=ok)


def test_the_second_equal_result_warns_and_the_fourth_call_is_not_run():
    guard = RepeatGuard()
    assert again(guard) == ""
    assert "2 more such" not in (second := again(guard)) and "1 more such call" in second
    assert "will not be run again" in again(guard)
    assert "was not run" in again(guard)


def test_another_result_or_other_arguments_begin_anew():
    guard = RepeatGuard()
    assert [again(guard, f"{n}") for n in range(9)] == [""] * 9
    assert [again(guard, "same", f"{n}") for n in range(9)] == [""] * 9


def test_equal_failures_count_whatever_the_arguments():
    guard = RepeatGuard()
    told = [again(guard, "offline", f"{n}", ok=False) for n in range(4)]
    assert told[0] == "" and "such call" in told[1] and "failed the same way" in told[3]


def test_equal_calls_of_one_round_are_counted_before_they_run():
    guard = RepeatGuard()
    planned = [guard.plan("look", "{}") for _ in range(6)]
    assert [bool(refusal) for refusal in planned] == [False, False, False, True, True, True]
