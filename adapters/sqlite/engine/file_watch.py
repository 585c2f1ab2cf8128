"""Whether the files that are written to are still those that the next start will find under their names."""

from __future__ import annotations

import os
from pathlib import Path

from adapters.sqlite.engine.directory import DATABASE
from bot.errors import DamagedDatabase
from bot.sentences import later, say

_NAMES = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")


class FileWatch:
    """Knows the files of an open database. An open file can be written to long after its name leads nowhere.

    Any thread may ask; it takes a look at three names, some microseconds.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._known = {name: _identity(directory / name) for name in _NAMES}
        self._size = self._size_now()

    def problem(self) -> str:
        """Say what became of the files (empty: they are there)."""
        for name, known in self._known.items():
            found = _identity(self._directory / name)
            if known is not None and found is None:
                return say("store.file-removed", file=str(self._directory / name))
            if known is not None and found != known:
                return say("store.file-replaced", file=str(self._directory / name))
        before, self._size = self._size, self._size_now()
        if self._size < before:
            self._size = before
            return say("store.file-cut", file=str(self._directory / DATABASE))
        return ""

    def check(self) -> None:
        """Raise DamagedDatabase when what is written would not be found again."""
        if problem := self.problem():
            raise DamagedDatabase(later("store.takes-nothing", problem=problem))

    def _size_now(self) -> int:
        try:
            return os.stat(self._directory / DATABASE).st_size
        except OSError:
            return 0


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path, follow_symlinks=True)
    except OSError:
        return None
    return found.st_dev, found.st_ino
