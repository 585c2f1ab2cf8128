"""One process per data directory."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from bot.errors import StoreError


class DirectoryLock:
    """Holds `<dir>/lock` until released; the kernel releases it when the process dies, however it dies."""

    def __init__(self, directory: Path) -> None:
        path = directory / "lock"
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            who = f"process {holder}" if holder else "another process"
            raise StoreError(f"The data directory {directory} is in use by {who}. Stop it first.") from None
        os.fchmod(self._file, 0o600)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let the next process in; the file stays, because removing it would race with whoever opens it."""
        os.ftruncate(self._file, 0)
        os.close(self._file)
