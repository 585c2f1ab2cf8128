"""One process per data directory."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from bot.errors import StoreError
from bot.sentences import later

_NAME = "lock"
_TRIES, _RETRY_SECONDS = 3, 0.02
"""Somebody who only looks holds the lock for an instant; that must not keep a bot from starting. Seconds."""


class DirectoryLock:
    """Holds `<dir>/lock`, and the directory itself, until released; the kernel does that when the process dies.

    The file says who it is, and can be removed; the directory cannot, as long as there is a database in it.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / _NAME
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        self._directory = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if not (_taken(self._file, fcntl.LOCK_EX, _TRIES) and _directory_taken(self._directory)):
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            os.close(self._directory)
            raise StoreError(later("store.in-use", folder=str(directory), process=holder or "unknown"))
        os.fchmod(self._file, 0o600)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let the next process in; the file stays, because removing it would race with whoever opens it."""
        # it may be let go because the disk takes no writes: then whose it was stays there, and misleads nobody
        with suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)
        os.close(self._directory)


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


def _directory_taken(directory: int) -> bool:
    try:
        return _taken(directory, fcntl.LOCK_EX, _TRIES)
    except OSError:
        # NFS locks nothing that is open for reading alone: there the file is all there is
        return True


def _taken(file: int, kind: int, tries: int) -> bool:
    for left in reversed(range(tries)):
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if left:
                time.sleep(_RETRY_SECONDS)
        else:
            return True
    return False
