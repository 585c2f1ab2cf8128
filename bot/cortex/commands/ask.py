"""Ask: nothing at all, and plain words."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import TypedLine, no_arguments
from bot.cortex.commands.cortex_command import CortexCommand, DiagnosisArgs, DiagnosisCommand, ParsedCommand
from bot.cortex.commands.question_reader import QuestionKind
from bot.domain.handles import parse_handle


def _words(typed: TypedLine) -> DiagnosisArgs | None:
    """Read everything that is not wholly a command; a handle alone opens its record."""
    if not typed.line or parse_handle(typed.rest) is not None:
        return None
    return DiagnosisArgs(text=typed.line)


_QUESTION = DiagnosisCommand("", _words)
REPORT = DiagnosisCommand("", no_arguments, shows_help=True)
ASK = CortexCommand("commands.ask", REPORT, _QUESTION, often=True)


def as_question(text: str, asked: QuestionKind = QuestionKind.LEFT_OVER) -> ParsedCommand:
    """Return the question that a line turned out to be."""
    return ParsedCommand(_QUESTION, DiagnosisArgs(text=text, asked=asked))
