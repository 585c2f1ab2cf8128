"""Read files of a workspace, and nothing outside of it, whatever a link or a pattern says. Everything here blocks."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bot.errors import UserError
from bot.sentences import say
from bot.text.text import clean

MAX_FILE_BYTES = 1_000_000
"""Bytes that are read of one file."""
_MAX_VISITED = 20_000
SKIPPED_FOLDERS = frozenset(
    {".git", ".venv", "node_modules", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)


class FileText(NamedTuple):
    """What a file holds; `modified_at` is UTC ms."""

    path: str
    content: str
    modified_at: int
    whole: bool


def matching_files(root: Path, pattern: str) -> Iterator[str]:
    """Yield the files that a pattern names, in order; raise UserError for a pattern that leads out of the root."""
    parts = Path(pattern).parts
    if not parts or Path(pattern).is_absolute() or ".." in parts:
        raise UserError(say("task_prompt.pattern-leads-out", pattern=repr(pattern)))
    found = islice(root.glob(pattern), _MAX_VISITED)
    inside = (path.relative_to(root) for path in found)
    yield from sorted(path.as_posix() for path in inside if not SKIPPED_FOLDERS.intersection(path.parts))


def read_inside(root: Path, name: str) -> FileText | None:
    """Read a file under a root; None for what is not a text file, or is not really there."""
    try:
        real = root.resolve(strict=True)
        path = (real / name).resolve(strict=True)
        if not path.is_relative_to(real):
            return None
        # what was checked is what is opened: the path holds no link, and a link in its place is refused
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with open(opened, "rb") as file:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode):
            return None
        data = file.read(MAX_FILE_BYTES + 1)
    if b"\0" in data[:8000]:
        return None
    text = clean(data[:MAX_FILE_BYTES].decode("utf-8", "replace")).text
    return FileText(name, text, int(about.st_mtime * 1000), len(data) <= MAX_FILE_BYTES)
