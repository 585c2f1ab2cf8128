"""Written questions in six languages are read without a model."""

from __future__ import annotations

import pytest

from bot.cortex.commands.did_you_mean import edit_distance, understand
from bot.cortex.commands.question_reader import QuestionKind
from tests.bench.asked import figures


def test_most_written_questions_are_read_right_and_few_are_left_to_a_model():
    found = figures()
    assert found["before read right"] >= 0.95 and found["after read right"] >= 0.9
    assert found["last read right"] >= 0.8 and found["last to a model"] <= 0.15
    assert found["idioms read right"] >= 0.9 and found["idioms last read right"] >= 0.9
    assert found["slang read right"] >= 0.95 and found["slang last read right"] >= 0.9


@pytest.mark.parametrize(
    "line",
    ["perché quello?", "perche no", "dlaczego nie?", "waarom niet", "neden yok", "hvorfor ikke", "чому мовчить", "pq"],
)
def test_who_asks_why_in_whatever_language_has_mistyped_no_command(line):
    assert understand(line).guesses == () and not understand(line).line.startswith("memory")


@pytest.mark.parametrize(
    "line",
    [
        "El ascensor no funciona los domingos.",
        "why does nothing from the list show up in the summary",
        "did it not work on my report?",
        "the search isn't working on the site",
        "why isn't it doing anything about the spam",
        "non mais pourquoi il répond ça",
        "is it still working?",
        "non, il dit que c'est demain",
    ],
)
def test_what_does_not_work_is_not_always_the_bot(line):
    assert understand(line).kind is not QuestionKind.WHY_SILENT


@pytest.mark.parametrize(
    ("line", "guesses"), [("doctr", ("doctor",)), ("usgae", ("usage",)), ("contxt last", ("context last",))]
)
def test_a_typing_error_is_a_guess_and_no_certainty(line, guesses):
    assert understand(line) == (QuestionKind.COMMAND, "", guesses)


@pytest.mark.parametrize("line", ["find it odd", "what is wrong here?", "text", "skip"])
def test_what_only_resembles_a_command_is_a_question(line):
    assert understand(line).kind is QuestionKind.LEFT_OVER


def test_two_swapped_letters_are_one_slip():
    assert [edit_distance("hlep", "help"), edit_distance("doctr", "doctor"), edit_distance("", "ab")] == [1, 1, 2]
