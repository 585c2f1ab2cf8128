"""A `!cortex` command is one file and one line, and the help lists what can be typed."""

from __future__ import annotations

import re
from importlib import import_module

from bot.cortex.commands.command_table import BY_NAME, COMMANDS, help_text
from bot.cortex.commands.cortex_command import CortexCommand
from tests.architecture.tree import ROOT, stems

MACHINERY = {
    "command_arguments",
    "command_table",
    "cortex_command",
    "did_you_mean",
    "memory_filters",
    "memory_propose",
    "parser",
    "question_forms",
    "question_reader",
}
UNLISTED = {"", "help"}


def test_every_command_is_listed() -> None:
    for stem in stems("bot/cortex/commands") - MACHINERY:
        module = import_module(f"bot.cortex.commands.{stem}")
        assert [one for one in vars(module).values() if isinstance(one, CortexCommand) and one in COMMANDS], stem


def test_the_help_lists_what_can_be_typed() -> None:
    quoted = " ".join(re.findall(r"`([^`]+)`", help_text(brief=False)))
    for name in BY_NAME.keys() - UNLISTED:
        assert re.search(rf"(?<!\w){name.split()[0]}(?!\w)", quoted), name


def test_the_page_for_developers_says_where_a_command_goes() -> None:
    page = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    assert "`bot/cortex/commands/command_table.py`" in page
