"""Ask a person at a terminal; what is hidden is never shown, and a bad answer is asked for again with the fix."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from bot.errors import BotError, ConfigError
from bot.prompts import render
from bot.runtime.terminal import print_text
from bot.sentences import say
from bot.text.text import visible

T = TypeVar("T")


def ask(read: Callable[[str], T], topic: str, *, usual: str = "", hidden: bool = False, **values: Any) -> T:
    """Ask until `read` takes the answer; it raises a BotError that says what is wrong. `usual` is what Enter means."""
    words = render("init/ask", topic=topic, **{"kind": "", "choices": (), "usual": usual, **values})
    *before, last = words.splitlines()
    if before:
        print_text("\n".join(["", *before]))
    shown = visible(f"{last}{f' [{usual}]' if usual else ''}: ")
    while True:
        answer = getpass.getpass(shown) if hidden else input(shown)
        try:
            return read(answer.strip() or usual)
        except BotError as error:
            print_text(f"✗ {problem_text(error)}")


def one_of(choices: Iterable[str]) -> Callable[[str], str]:
    """Return a reader that takes one of these, or the beginning of one."""
    known = tuple(choices)

    def read(answer: str) -> str:
        found = [choice for choice in known if answer and choice.startswith(answer.lower())]
        if len(found) != 1:
            raise BotError(say("init.one-of", choices=", ".join(known)))
        return found[0]

    return read


def nonempty(answer: str) -> str:
    """Take any answer but none."""
    if not answer:
        raise BotError(say("init.must-answer"))
    return answer


def keep_anyway() -> bool:
    """Ask whether to keep what could not be checked."""
    return ask(lambda answer: answer.lower() in ("y", "yes"), "anyway")


def problem_text(error: BotError) -> str:
    """Say what is wrong, without a key that the person never typed."""
    if isinstance(error, ConfigError):
        return "\n  ".join(words.partition(": ")[2] or words for words in error.problems)
    return str(error)
