"""The data directory: its files, readable by their owner alone, and the room that is left."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from bot.errors import StoreError
from bot.ports.clock import Clock, Entropy
from bot.sentences import later

DATABASE = "glassmind.db"
SECRET = "secret.key"
SECRET_BYTES = 32
_FOR_THE_LOG = 4
"""The part of the low-water mark, as a divisor, that must be free on the disk whatever is free inside the database."""
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


def prepare(directory: Path) -> None:
    """Make the directory, and take from everybody else the right to read it; raise StoreError where that fails."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if stat.S_IMODE(directory.stat().st_mode) != 0o700:
            directory.chmod(0o700)
        for path in (directory / DATABASE, directory / f"{DATABASE}-wal", directory / f"{DATABASE}-shm"):
            _close_to_others(path)
        for path in (*directory.glob("*.key"), *directory.glob("backups/*")):
            _close_to_others(path)
    except OSError as error:
        why = f"{error.strerror} ({error.filename})"
        raise StoreError(later("store.unusable", folder=str(directory), why=why)) from None


def ensure_database(directory: Path, *, fresh: bool = False) -> Path:
    """Make an empty database file of mode 0600 where there is none; SQLite gives its side files the same mode.

    Raise StoreError where there was one, unless somebody wants to begin with an empty one (`fresh`).
    """
    path = directory / DATABASE
    was_in_use = not fresh and ((directory / SECRET).exists() or any((directory / "backups").glob("*.db")))
    if was_in_use and not path.exists():
        raise StoreError(later("store.was-in-use", file=str(path)))
    try:
        os.close(os.open(path, _CREATE, 0o600))
    except FileExistsError:
        if was_in_use and path.stat().st_size == 0:
            raise StoreError(later("store.is-empty-now", file=str(path))) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise StoreError(later("store.cannot-make", file=str(path), why=why)) from None
    return path


def ensure_secret(directory: Path, entropy: Entropy) -> bytes:
    """Return the HMAC key of this directory; made once, complete or not at all."""
    path = directory / SECRET
    if not path.exists():
        draft = directory / f"{SECRET}.new"
        draft.unlink(missing_ok=True)
        write_private(draft, entropy.token(SECRET_BYTES))
        draft.rename(path)
        sync(directory)
    return read_secret(directory)


def read_secret(directory: Path) -> bytes:
    """Return the HMAC key of this directory; raise StoreError when it is missing or damaged."""
    path = directory / SECRET
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        raise StoreError(later("store.no-key", file=SECRET, folder=str(directory))) from None
    if len(key) != SECRET_BYTES:
        raise StoreError(later("store.key-damaged", file=str(path), found=len(key), wanted=SECRET_BYTES))
    return key


def write_private(path: Path, content: bytes) -> None:
    """Write a new file of mode 0600 and wait until it is on the disk."""
    file = os.open(path, _CREATE, 0o600)
    try:
        os.write(file, content)
        os.fsync(file)
    finally:
        os.close(file)


def _close_to_others(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISREG(mode) and stat.S_IMODE(mode) & 0o077:
        try:
            path.chmod(0o600)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise StoreError(later("store.open-to-others", file=str(path), why=why)) from None


def sync(directory: Path) -> None:
    """Wait until the names in a directory are on the disk."""
    file = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def taken_bytes(directory: Path) -> int:
    """Return the bytes of the database, its side files included."""
    found = 0
    for path in directory.glob(f"{DATABASE}*"):
        # SQLite removes a side file when its last reader leaves
        with suppress(FileNotFoundError):
            found += path.stat().st_size
    return found


def spare_bytes(directory: Path) -> int:
    """Return the bytes inside the database that nothing needs any more; the file does not grow before they are used."""
    # never by opening the file itself: to close it again would take away every lock that SQLite holds on it here
    where = f"file:{quote(str(directory / DATABASE))}?mode=ro"
    try:
        with closing(sqlite3.connect(where, uri=True, timeout=0)) as connection:
            pages = connection.execute("PRAGMA freelist_count").fetchone()[0]
            return int(pages * connection.execute("PRAGMA page_size").fetchone()[0])
    except sqlite3.Error:
        return 0


class DiskRoom:
    """Free space, and a ballast file that is thrown away when there is none, so that what is under way can end.

    On a full disk SQLite can neither delete nor checkpoint; therefore nothing new is taken in below the low-water mark.
    What is free inside the database counts, but its log grows on the disk: a part of the mark must be free there.
    """

    def __init__(self, directory: Path, clock: Clock, low_water: int, ballast: int) -> None:
        self._directory = directory
        self._clock = clock
        self._low_water = low_water
        self._ballast = ballast
        self._looked_at = float("-inf")
        self._enough = False

    def enough(self) -> bool:
        """Whether free space is above the mark; looked up at most once a second."""
        now = self._clock.monotonic()
        if not 0 <= now - self._looked_at < 1.0:
            self._looked_at, self._enough = now, self._is_enough(self.free())
        return self._enough

    def _is_enough(self, free: int) -> bool:
        if free >= self._low_water:
            return True
        return free >= self._low_water // _FOR_THE_LOG and free + spare_bytes(self._directory) >= self._low_water

    def free(self) -> int:
        """Return the free bytes of the data directory."""
        return shutil.disk_usage(self._directory).free

    def holds(self, size: int) -> bool:
        """Whether so many bytes more leave free space above the mark."""
        return self.free() >= self._low_water + size

    def stock(self) -> None:
        """Put the ballast in place if there is plenty of room."""
        path = self._directory / "ballast"
        if not self._ballast or path.exists() or self.free() < self._low_water + 2 * self._ballast:
            return
        file = os.open(path, _CREATE, 0o600)
        try:
            os.posix_fallocate(file, 0, self._ballast)
        except OSError:
            path.unlink()
        finally:
            os.close(file)

    def spend(self) -> bool:
        """Throw the ballast away; False when there is none."""
        self._looked_at = float("-inf")
        try:
            (self._directory / "ballast").unlink()
        except OSError:
            return False
        return True
