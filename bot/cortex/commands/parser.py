"""What an admin may type: a word is a command only if the whole line parses, otherwise the line is a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from bot.cortex.commands.command_arguments import TypedLine, fold
from bot.cortex.commands.command_table import BY_NAME
from bot.cortex.commands.cortex_command import CommandForm, ParsedCommand

_WORD = re.compile(r"\S+")


_NONE: Mapping[str, Sequence[CommandForm]] = MappingProxyType({})


def parse(line: str, added: Mapping[str, Sequence[CommandForm]] = _NONE) -> ParsedCommand:
    """Read what follows `!cortex`; a longer name comes before a shorter one, and what has none comes last.

    `added` are those of plugins.
    """
    line = line.strip()
    folded = fold(line)
    ends = [word.end() for word in islice(_WORD.finditer(folded), 2)]
    for end in (*reversed(ends), 0):
        name = " ".join(folded[:end].casefold().split())
        typed = TypedLine(line, folded[end:].strip(), line[end:].strip())
        for form in BY_NAME.get(name) or added.get(name, ()):
            args = form.read(typed)
            if args is not None:
                return ParsedCommand(form, args)
    raise AssertionError("what is no command is a question")
