"""Copies of the database: their names, which carry the moment they are of, and the one way to write one."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from adapters.sqlite.engine.directory import DATABASE, sync, write_private

FOLDER = "backups"
DAILY = "daily"
_PART = ".part"
_NAME = re.compile(r"(daily|before-\d+|replaced)-(\d{8}T\d{6}Z)\.db", re.ASCII)
_STAMP = "%Y%m%dT%H%M%SZ"
_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""Seconds of the first and of the last second that a date can be of."""
_SIDES = ("-wal", "-shm", "-journal")


class DatabaseCopy(NamedTuple):
    """A copy that is there. `kind`: `daily`, `before-<schema>` (an upgrade) or `replaced` (a restore)."""

    path: Path
    kind: str
    at: int


def stamp(now: int) -> str:
    """Write a moment as names carry it, to the second; a clock may say anything, a name holds the years 1 to 9999."""
    seconds = min(max(now // 1000, _FIRST), _LAST)
    # strftime writes the year 970 as "970"
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment.year:04d}{moment:%m%dT%H%M%SZ}"


def path_of(directory: Path, kind: str, now: int) -> Path:
    """Say where a copy of a data directory belongs."""
    return directory / FOLDER / f"{kind}-{stamp(now)}.db"


def find_copies(directory: Path) -> Sequence[DatabaseCopy]:
    """Return the copies of a data directory, newest first; files with other names are not ours."""
    names = ((path, _NAME.fullmatch(path.name)) for path in (directory / FOLDER).glob("*.db"))
    copies = [DatabaseCopy(path, name[1], _moment(name[2])) for path, name in names if name]
    return sorted(copies, key=lambda copy: (copy.at, copy.path), reverse=True)


def remove(directory: Path, is_old: Callable[[DatabaseCopy], bool]) -> None:
    """Remove copies with everything that belongs to them, whatever they were made for."""
    for copy in filter(is_old, find_copies(directory)):
        for side in (*_SIDES, ""):
            copy.path.with_name(copy.path.name + side).unlink(missing_ok=True)


def remove_drafts(directory: Path) -> None:
    """Remove what a process that died was writing; the caller holds the directory's lock."""
    for path in (directory / FOLDER).glob(f"*.db{_PART}*"):
        path.unlink()


def draft_of(path: Path) -> Path:
    """Say where a copy is written before it is whole."""
    return path.with_name(path.name + _PART)


def write_draft(path: Path, connection: sqlite3.Connection) -> Path:
    """Write what is committed to the draft of a copy, readable by its owner alone; nothing is left after a failure.

    It reads one moment and keeps no writer waiting: in WAL mode a reader never does.
    """
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = draft_of(path)
    draft.unlink(missing_ok=True)
    try:
        # SQLite accepts an empty file as the target and keeps its mode
        write_private(draft, b"")
        connection.execute("VACUUM INTO ?", (str(draft),))
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


def publish(path: Path) -> Path:
    """Give a draft that is on the disk from end to end its name."""
    draft = draft_of(path)
    file = os.open(draft, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        os.fsync(file)
    finally:
        os.close(file)
    draft.rename(path)
    sync(path.parent)
    if path.parent.name == FOLDER:
        # the folder may be as new as the copy, and nothing else waits for its name
        sync(path.parent.parent)
    return path


def put_back(directory: Path, path: Path) -> Path:
    """Give a draft the database's name where that is free, else that of a copy; return which."""
    publish(path)
    live = directory / DATABASE
    if live.exists():
        return path
    # side files that stayed would be played into it
    for side in _SIDES:
        live.with_name(live.name + side).unlink(missing_ok=True)
    os.link(path, live)
    path.unlink()
    sync(directory)
    return live


def _moment(text: str) -> int:
    try:
        return round(datetime.strptime(text, _STAMP).replace(tzinfo=UTC).timestamp() * 1000)
    except ValueError:  # digits that are no date: as old as can be
        return 0
