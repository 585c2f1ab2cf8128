"""A ladder or a prioritiser is one file and one line; a file without its line does nothing."""

from __future__ import annotations

from functools import partial

from bot.task_prompt.prioritisers import ALL
from bot.task_prompt.truncate import LADDERS, USUAL
from tests.architecture.tree import stems


def test_every_prioritiser_is_listed() -> None:
    assert stems("bot/task_prompt/prioritisers") - {"prioritiser"} == {
        each.__module__.rsplit(".", 1)[1] for each in ALL
    }


def test_every_ladder_is_listed() -> None:
    machinery = {"rung", "head", "python_lines", "grammars"}
    made = (each.func if isinstance(each, partial) else each for each in LADDERS.values())
    assert stems("bot/task_prompt/truncate") - machinery == {each.__module__.rsplit(".", 1)[1] for each in made}
    assert set(USUAL.values()) <= set(LADDERS)
