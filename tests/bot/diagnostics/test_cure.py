"""What ended a turn is told with what helps: a broken installation and a full machine are no faults of the program."""

from __future__ import annotations

import pytest

from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.failure_words import recorded_error
from tests.bot.diagnostics.scenarios import answered, failed_turn


def told(error: BaseException) -> str:
    diagnosis = diagnose(failed_turn(f"internal: {recorded_error(error)}", answered()))
    return diagnosis.findings[0].model_dump_json()


@pytest.mark.parametrize(
    ("error", "why", "fix"),
    [
        (MemoryError(), "there is not enough memory", "Free memory"),
        (ImportError("cannot load it"), "cannot load it", "Install the bot again"),
        (ModuleNotFoundError("No module named 'x'"), "No module named", "Install the bot again"),
        (SyntaxError("invalid", ("/a/b/module.py", 3, 1, "")), "module.py is damaged", "Install the bot again"),
        (KeyError("somebody's words"), "KeyError", "bug in the program"),
    ],
)
def test_an_error_is_told_with_what_helps(error, why, fix):
    said = told(error)
    assert why in said
    assert fix in said
    assert "somebody's words" not in said
