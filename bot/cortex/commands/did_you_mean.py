"""Find the command that somebody meant who called it by another name or mistyped it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.cortex.commands import question_forms as forms
from bot.cortex.commands.command_arguments import fold
from bot.cortex.commands.command_table import BY_NAME
from bot.cortex.commands.parser import parse
from bot.cortex.commands.question_reader import ASKS_WHY, QuestionKind, ReadQuestion, plain_words_of, read_question
from bot.text.plain_words import plain_words

MAX_GUESSES = 3
_MAX_WORDS = 6
_MAX_REST_WORDS = 3
_MIN_SWAPPED, _MIN_SPELT, _MIN_LONG = 4, 5, 6
"""Letters of a name in which two may be swapped, one may be wrong, two may be wrong."""


class _Guess(NamedTuple):
    """A command that may be meant: the fewest slips first, then what reads most of the line as the command's name."""

    slips: int
    unread: int
    line: str


def _names() -> Mapping[tuple[str, ...], str]:
    """Return every way to call a command, with its name."""
    found = {tuple(plain_words_of(word)): name for name, others in forms.OTHER_NAMES.items() for word in others.split()}
    return found | {tuple(name.split()): name for name in BY_NAME if name}


_NAMES = _names()
_FILLERS = frozenset(forms.FILLERS.split())


def understand(line: str) -> ReadQuestion:
    """Read a line that is no command as it stands: another name of one, a typing error in one, or a question."""
    guesses = sorted(set(_guesses(line)))
    if guesses and guesses[0].slips == 0:
        return ReadQuestion(QuestionKind.COMMAND, guesses[0].line)
    asked = read_question(line)
    # who asks why in whatever language has mistyped no command
    if guesses and asked.kind is QuestionKind.LEFT_OVER and not ASKS_WHY(plain_words(line)):
        lines = tuple(dict.fromkeys(guess.line for guess in guesses))
        return ReadQuestion(QuestionKind.COMMAND, guesses=lines[:MAX_GUESSES])
    return asked


def _guesses(line: str) -> Iterator[_Guess]:
    typed = fold(line).rstrip("?!. ").split()
    if not typed or len(typed) > _MAX_WORDS:
        return
    said = [word for word in typed if _plain(word) not in _FILLERS]
    for words in (typed, said):
        for called, name in _NAMES.items():
            head, rest = words[: len(called)], words[len(called) :]
            slips = _slips([_plain(word) for word in head], called)
            if slips is None or len(rest) > _MAX_REST_WORDS:
                continue
            meant = " ".join((name, *rest))
            form = parse(meant).form
            if form.name:
                yield _Guess(slips, len(rest), meant)


def _plain(word: str) -> str:
    return "".join(plain_words(word)) or word


def _slips(words: Sequence[str], called: Sequence[str]) -> int | None:
    """Count the typing errors, None where it is another word."""
    if len(words) != len(called):
        return None
    total = 0
    for word, name in zip(words, called, strict=True):
        slips = edit_distance(word, name) if word != name else 0
        if slips > _allowed(word, name):
            return None
        total += slips
    return total


def _allowed(word: str, name: str) -> int:
    """Say how many slips still leave a word recognisable; of a short one every letter has to be there."""
    if len(name) < _MIN_SPELT:
        return int(sorted(word) == sorted(name) and len(name) >= _MIN_SWAPPED)
    return 1 if len(name) < _MIN_LONG else 2


def edit_distance(one: str, other: str) -> int:
    """Count what has to be put in, left out, replaced or swapped with its neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        latest = [i]
        for j, b in enumerate(other, 1):
            cost = min(row[j] + 1, latest[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            latest.append(cost)
        before, row = row, latest
    return row[-1]
