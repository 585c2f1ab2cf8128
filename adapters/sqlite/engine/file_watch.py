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
        # before every look and every commit it is asked: names are put together once
        self._database = str(directory / DATABASE)
        looks = {str(directory / name): _look(str(directory / name)) for name in _NAMES}
        self._known = {name: found[:2] for name, found in looks.items() if found is not None}
        self._size = _size(looks[self._database])

    def problem(self) -> str:
        """Say what became of the files (empty: they are there)."""
        looks = {name: _look(name) for name in self._known}
        for name, found in looks.items():
            if found is None:
                return say("store.file-removed", file=name)
            if found[:2] != self._known[name]:
                return say("store.file-replaced", file=name)
        before, now = self._size, _size(looks.get(self._database))
        if now < before:
            return say("store.file-cut", file=self._database)
        self._size = now
        return ""

    def check(self) -> None:
        """Raise DamagedDatabase when what is written would not be found again."""
        if problem := self.problem():
            raise DamagedDatabase(later("store.takes-nothing", problem=problem))


def _look(name: str) -> tuple[int, int, int] | None:
    """Return which file this is, by its device and number, and how many bytes it has; None where there is none."""
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size


def _size(look: tuple[int, int, int] | None) -> int:
    return look[2] if look is not None else 0
