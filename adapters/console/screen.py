"""Show chat on a terminal: who, where, and DM threads apart."""

from __future__ import annotations

import re

from bot.domain.messages import Button, OutgoingFile
from bot.sentences import say
from bot.text.invisible import visible_joined
from bot.text.text import one_line_name
from bot.text.times import plain_times

_CODE_OR_SIGN = re.compile(r"(```.+?```|``.+?``|`[^`]+`)|\\([*_~])", re.DOTALL)
"""A terminal draws no marks, so that a sign which is none needs no backslash: `2\\*3` is written for chats."""


def person_lines(place: str, name: str, text: str) -> str:
    """Lay out what a person said."""
    return _laid_out(f"[{_head(place)}] {one_line_name(name)}> ", text)


def bot_lines(place: str, bot: str, text: str, mark: str = "") -> str:
    """Lay out what the bot said."""
    plain = _CODE_OR_SIGN.sub(lambda found: found[1] or found[2], plain_times(text))
    return _laid_out(f"[{_head(place)}] {one_line_name(bot)}< ", plain) + mark


def button_lines(first: int, offered: tuple[Button, ...]) -> str:
    """Number the buttons, as they are pressed with /press."""
    return "  " + "  ".join(f"[{first + n} {one_line_name(button.label)}]" for n, button in enumerate(offered))


def file_line(file: OutgoingFile) -> str:
    """Say where a file lies."""
    return f"  ({say('console.file', name=one_line_name(file.name), path=visible_joined(file.path))})"


def _laid_out(head: str, text: str) -> str:
    # a terminal obeys control characters: other people's text may not move the cursor or set the title
    safe = visible_joined(text)
    lines = safe.split("\n")
    if len(lines) == 1:
        return head + safe
    return head.rstrip() + "".join(f"\n  {line}".rstrip(" ") for line in lines)


def _head(place: str) -> str:
    # a thread's title holds a channel's name, which is dead already
    return " ".join(visible_joined(place).split())
