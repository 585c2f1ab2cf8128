"""Ask: nothing at all, and plain words."""

from __future__ import annotations

from bot.cortex.commands.command import Command, ParsedCommand, Question, QuestionArgs
from bot.cortex.commands.forms import Typed, nothing
from bot.domain.handles import parse_handle


def _words(typed: Typed) -> QuestionArgs | None:
    """Read everything that is not wholly a command; a handle alone opens its record."""
    if not typed.line or parse_handle(typed.rest) is not None:
        return None
    return QuestionArgs(text=typed.line)


_QUESTION = Question("", _words)
REPORT = Question("", nothing, shows_help=True)
ASK = Command("`<question>` the same, and a branch reads the context", REPORT, _QUESTION, often=True)


def as_question(text: str) -> ParsedCommand:
    """Return the question that a line turned out to be."""
    return ParsedCommand(_QUESTION, QuestionArgs(text=text))
