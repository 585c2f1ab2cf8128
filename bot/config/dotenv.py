"""Read a `.env` file: NAME=VALUE on each line, comments, quotes; a place for secrets beside the configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from bot.config.file_privacy import exposure, read_text
from bot.sentences import say

DOTENV_NAME = ".env"
_LINE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?P<value>.*?)\s*", re.ASCII | re.DOTALL)
_SINGLE = re.compile(r"'(?P<text>[^']*)'\s*(?:#.*)?")
_DOUBLE = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"\s*(?:#.*)?')
_COMMENT = re.compile(r"\s#")
_ESCAPE = re.compile(r"\\(.)")
_UNESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_BARE = re.compile(r"[A-Za-z0-9_.:/@%+,=-]+", re.ASCII)
_MAX_NAMED_LINES = 10
"""Of wrong ones, that are named."""


class DotenvVariables(NamedTuple):
    """What a file sets, and what is wrong with it; a problem never repeats a value."""

    values: Mapping[str, str]
    problems: tuple[str, ...] = ()
    text: str = ""


def read_variables(path: Path) -> DotenvVariables:
    """Read the file; one that is not there sets nothing, one that others can read is refused."""
    try:
        text = read_text(path)
        problem = exposure(path, is_secret=True)
    except FileNotFoundError:
        return DotenvVariables({})
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else "") or str(error)
        return DotenvVariables({}, (say("config.cannot-read", file=str(path), why=why),))
    values, wrong = parse_variables(text)
    problems = [say("config.dotenv-exposed", file=str(path), problem=problem)] if problem else []
    problems += [say("config.not-a-variable-line", file=str(path), line=str(line)) for line in wrong[:_MAX_NAMED_LINES]]
    if len(wrong) > _MAX_NAMED_LINES:
        problems.append(say("config.more-lines", file=str(path), count=len(wrong) - _MAX_NAMED_LINES))
    return DotenvVariables(values, tuple(problems), text)


def parse_variables(text: str) -> tuple[dict[str, str], list[int]]:
    """Return what is set, the last word on a name counting, and the numbers of the lines that say nothing.

    `'...'` is taken as it is, in `"..."` a backslash begins `\\n`, `\\t`, `\\r` or the character itself; without quotes
    a value ends at white space and `#`. Nothing is ever expanded.
    """
    values: dict[str, str] = {}
    wrong = []
    for number, line in enumerate(text.split("\n"), 1):
        if not (bare := line.strip()) or bare.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        value = _value(found["value"]) if found else None
        if found is None or value is None:
            wrong.append(number)
        else:
            values[found["name"]] = value
    return values, wrong


def _value(written: str) -> str | None:
    if written.startswith("'"):
        found = _SINGLE.fullmatch(written)
        return found["text"] if found else None
    if written.startswith('"'):
        found = _DOUBLE.fullmatch(written)
        return _ESCAPE.sub(lambda escape: _UNESCAPED.get(escape[1], escape[1]), found["text"]) if found else None
    if written.startswith("#"):
        return ""
    # white space and a # begin a comment; a # inside a word belongs to it
    return _COMMENT.split(written, maxsplit=1)[0].rstrip()


def write_variable(name: str, value: str) -> str:
    """Write one line that `parse_variables` and systemd's EnvironmentFile read as this value."""
    if _BARE.fullmatch(value):
        return f"{name}={value}\n"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'{name}="{escaped}"\n'
