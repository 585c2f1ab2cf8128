"""What the walk takes for an answer that names what is missing, and which files it counts."""

from __future__ import annotations

import pytest

from tests.faults.lacking.walk import NO_MEMORY, Played, is_read, trouble

WHOLE = "memory search: by words. The bot exports 7 skills as json; bot.cortex.pages.exports"
"""Words that a bot says which lacks nothing."""


def _bore(answer: str) -> Played:
    return Played(True, ["[#general] glassmind< Hello, ann!"], {"why": WHOLE, "doctor": answer})


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        ("module:bot.cortex.words.report:memory", f"Something went wrong: {NO_MEMORY}."),
        ("module:bot.cortex.words.report:os", "Something went wrong: report.py: Input/output error."),
        ("module:bot.cortex.words.report:import", "cannot be loaded: bot[.]cortex[.]words[.]report is broken"),
        ("module:json.decoder:import", "cannot be loaded: json.decoder is broken"),
        ("module:PIL.Image:import", "No picture: PIL is broken"),
        ("file:prompts/en/cortex/gap.md.j2", "gap.md.j2: Permission denied"),
        ("folder:skills", "skills: this folder of skills cannot be read: Permission denied"),
        ("folder:context", "/somewhere/data/context is not a folder"),
    ],
)
def test_only_the_very_thing_is_a_name_for_it(case, answer):
    assert not trouble(case, _bore(answer))
    assert trouble(case, _bore("All is well.")) == "nothing names what is missing"


def test_code_and_what_python_makes_of_it_is_no_file_that_a_bot_reads():
    code = ("bot/data/x.py", "bot/data/__pycache__/x.cpython-311.pyc", "bot/data/__pycache__/x.cpython-311.pyc.1405")
    assert not any(map(is_read, code))
    assert is_read("prompts/en/sentences/alerts.ftl") and is_read("bot/data/o200k_base.bin.xz")
