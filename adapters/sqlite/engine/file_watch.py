"""Whether the files that are written to are still those that the next start will find under their names."""

from __future__ import annotations

import os
from pathlib import Path

from adapters.sqlite.engine.directory import DATABASE
from bot.errors import DamagedDatabase

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
                return f"{self._directory / name} was removed or moved away while I was running."
            if known is not None and found != known:
                return f"{self._directory / name} was replaced by another file while I was running."
        before, self._size = self._size, self._size_now()
        if self._size < before:
            self._size = before
            return f"{self._directory / DATABASE} was cut off while I was running."
        return ""

    def check(self) -> None:
        """Raise DamagedDatabase when what is written would not be found again."""
        if problem := self.problem():
            raise DamagedDatabase(f"{problem} Nothing more is taken in.")

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
