"""The one way to a terminal: it obeys what it is sent, so nothing reaches it that a person would not see."""

from __future__ import annotations

import os
import sys
import traceback
from types import TracebackType
from typing import Any

import orjson

from bot.sentences import ENGLISH, known_language
from bot.text.invisible import escaped, visible_joined


def terminal_language() -> str:
    """Return the language of the terminal, if sentences are there in it: its locale is one like `de_DE.UTF-8`."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return known_language(locale.partition(".")[0].replace("_", "-")) or ENGLISH


def print_text(text: str) -> None:
    """Write to standard output: every control character and every invisible one is written out."""
    sys.stdout.write(visible_joined(text) + "\n")
    sys.stdout.flush()


def complain(text: str) -> None:
    """Do the same on standard error."""
    sys.stderr.write(visible_joined(text) + "\n")


def say_json(value: Any) -> None:
    """Write a value as indented JSON: what a terminal would obey is escaped, and reads back as the same value."""
    sys.stdout.write(escaped(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()) + "\n")
    sys.stdout.flush()


def show_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show what nobody caught: an error's text is often somebody else's."""
    complain("".join(traceback.format_exception(kind, error, trace)).rstrip("\n"))
