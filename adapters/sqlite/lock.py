"""One process per data directory."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from bot.errors import StoreError

_NAME = "lock"
_TRIES, _BETWEEN = 3, 0.02
"""Somebody who only looks holds the lock for an instant; that must not keep a bot from starting. Seconds."""


class DirectoryLock:
    """Holds `<dir>/lock` until released; the kernel releases it when the process dies, however it dies."""

    def __init__(self, directory: Path) -> None:
        path = directory / _NAME
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        if not _taken(self._file, fcntl.LOCK_EX, _TRIES):
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            who = f"process {holder}" if holder else "another process"
            raise StoreError(f"The data directory {directory} is in use by {who}. Stop it first.")
        os.fchmod(self._file, 0o600)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let the next process in; the file stays, because removing it would race with whoever opens it."""
        # it may be let go because the disk takes no writes: then whose it was stays there, and misleads nobody
        with suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)


def was_killed(directory: Path) -> bool:
    """Say whether the last owner is certainly gone without a release; the lock is only tried when it seems so."""
    try:
        file = os.open(directory / _NAME, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        holder = os.read(file, 20).strip()
        # in another container the number says nothing; the lock does
        return holder.isdigit() and not _lives(int(holder)) and _taken(file, fcntl.LOCK_SH, 1)
    finally:
        os.close(file)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # somebody else's, and alive
    return True


def _taken(file: int, kind: int, tries: int) -> bool:
    for left in reversed(range(tries)):
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if left:
                time.sleep(_BETWEEN)
        else:
            return True
    return False
