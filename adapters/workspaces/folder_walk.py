"""Walk into a folder whose contents somebody hostile may change at any moment: by handles, never by paths.

Every step opens one name below a folder that is open already and refuses links, so that nothing that is renamed or
replaced in between leads anywhere else. Pipes and devices are never opened for long enough to be waited for.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from adapters.workspaces.paths import MAX_DEPTH, quoted_path
from bot.errors import ToolError
from bot.text.text import visible

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Linux has it; elsewhere a folder that may not be read is not looked into
_NAME_ONLY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC
_TRIES = 1000
_BATCH = 500


class FileOwner(NamedTuple):
    """Whom new files are given to, where the bot is root and programs are somebody else; -1: nobody else."""

    uid: int = -1

    def take(self, handle: int) -> None:
        """Give away what is open."""
        if self.uid >= 0:
            os.fchown(handle, self.uid, self.uid)


class FolderSize(NamedTuple):
    """What a workspace takes: bytes on the disk, names, and whether folders are nested deeper than is looked."""

    bytes: int
    names: int
    too_deep: bool


@contextmanager
def open_folder(name: str | os.PathLike[str], parent: int | None = None) -> Iterator[int]:
    """Open a folder that is no link; raise OSError."""
    handle = os.open(name, _FOLDER, dir_fd=parent)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def open_inside(root: int, names: Sequence[str], making: FileOwner | None = None) -> Iterator[int]:
    """Open the folder that some names lead to, made on the way for an owner; raise ToolError or OSError."""
    current = os.dup(root)
    try:
        for place, name in enumerate(names):
            try:
                below = _step(current, name, making)
            except OSError as error:
                raise refusal(error, "/".join(names[: place + 1]), _is_link(current, name)) from None
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def _step(parent: int, name: str, making: FileOwner | None) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except FileNotFoundError:
        if making is None:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
    below = os.open(name, _FOLDER, dir_fd=parent)
    making.take(below)
    return below


def read(folder: int, name: str, path: str, limit: int) -> bytes:
    """Read a plain file of at most `limit` bytes; raise ToolError."""
    try:
        handle = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        raise refusal(error, path, _is_link(folder, name)) from None
    try:
        return _read_whole(handle, path, limit)
    except OSError as error:
        raise refusal(error, path) from None
    finally:
        os.close(handle)


def _read_whole(handle: int, path: str, limit: int) -> bytes:
    found = os.fstat(handle)
    if stat.S_ISDIR(found.st_mode):
        raise ToolError(f'"{quoted_path(path)}" is a folder. List it with file_list.')
    if not stat.S_ISREG(found.st_mode):
        raise ToolError(f'"{quoted_path(path)}" is no plain file but a device, pipe or socket; it is not opened.')
    if found.st_nlink > 1:
        raise ToolError(f'"{quoted_path(path)}" has several names (hard links) and is not read. Make a copy of it.')
    chunks, size = [], 0
    # counted while reading: a file may grow, or say that it is empty
    while size <= limit and (chunk := os.read(handle, min(1 << 20, limit + 1 - size))):
        chunks.append(chunk)
        size += len(chunk)
    if size > limit:
        known = f"{max(found.st_size, size):,} bytes"
        raise ToolError(f'"{quoted_path(path)}" has {known}; files of up to {limit:,} bytes are read.')
    return b"".join(chunks)


def replace(folder: int, name: str, content: bytes, owner: FileOwner) -> None:
    """Put a file in the place of a plain one or of nothing, whole or not at all; raise ToolError or OSError."""
    mode = _mode_for(folder, name)
    temporary, handle = _unfinished_file(folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            owner.take(file.fileno())
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _mode_for(folder: int, name: str) -> int:
    with suppress(FileNotFoundError):
        found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(found):
            raise ToolError(f'"{quoted_path(name)}" is {_kind_of(found)}, and no file is put in its place.')
        # what can be run stays so
        return 0o600 | (found & 0o100)
    return 0o600


def _kind_of(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a link" if stat.S_ISLNK(mode) else "a device, pipe or socket"


def _unfinished_file(folder: int) -> tuple[str, int]:
    for count in range(_TRIES):
        name = f".unfinished-{count}.part"
        with suppress(FileExistsError):
            return name, os.open(name, _NEW, 0o600, dir_fd=folder)
    raise ToolError("There are too many unfinished files in that folder. Remove those that end in .part.")


def entries(folder: int) -> Iterator[tuple[str, os.stat_result]]:
    """Yield every name in a folder with what it is, links not followed; names that vanish meanwhile are left out."""
    with os.scandir(folder) as found:
        for entry in found:
            with suppress(FileNotFoundError):
                yield entry.name, entry.stat(follow_symlinks=False)


@dataclass(slots=True)
class _Tally:
    most: int
    bytes: int = 0
    names: int = 0
    too_deep: bool = False


def measure(root: int, most: int) -> FolderSize:
    """Say what a workspace takes; counting ends after `most` names. A folder that hides what is in it is opened."""
    tally = _Tally(most)
    _count(root, 0, tally)
    return FolderSize(tally.bytes, tally.names, tally.too_deep)


def _count(folder: int, depth: int, tally: _Tally) -> None:
    for name, found in entries(folder):
        tally.names += 1
        tally.bytes += found.st_blocks * 512
        if tally.names > tally.most:
            return
        if not stat.S_ISDIR(found.st_mode):
            continue
        if depth + 1 >= MAX_DEPTH:
            tally.too_deep = True
        elif (below := _open_unlocked(folder, name)) is not None:
            try:
                _count(below, depth + 1, tally)
            finally:
                os.close(below)


def _open_unlocked(folder: int, name: str) -> int | None:
    """Open a folder, even one that its owner may not look into; None when it is gone or no folder any more."""
    with suppress(PermissionError):
        return _or_none(folder, name)
    with suppress(OSError):
        _unlock(folder, name)
        return _or_none(folder, name)
    return None


def _or_none(folder: int, name: str) -> int | None:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except PermissionError:
        raise
    except OSError:
        return None


def _unlock(folder: int, name: str) -> None:
    handle = os.open(name, _NAME_ONLY, dir_fd=folder)
    try:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            # the only way to change the mode of what cannot be opened without following a link by its name
            os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)


def wipe(parent: int, name: str) -> None:
    """Remove a folder with all that is in it, however deep; raise OSError. Nothing outside of it is touched."""
    with open_folder(name, parent) as root:
        lift = f".lifted-{time.monotonic_ns()}"
        count = 0
        while found := list(islice(entries(root), _BATCH)):
            for below, kind in found:
                count += 1
                if stat.S_ISDIR(kind.st_mode):
                    _empty_folder(root, below, f"{lift}-{count}")
                else:
                    os.unlink(below, dir_fd=root)
    os.rmdir(name, dir_fd=parent)


def _empty_folder(root: int, name: str, lift: str) -> None:
    """Lift the folders of a folder to the root, so that depth costs nothing, and remove the rest of it."""
    _unlock(root, name)
    with open_folder(name, root) as folder:
        lifted = 0
        while found := list(islice(entries(folder), _BATCH)):
            for below, kind in found:
                lifted += 1
                if stat.S_ISDIR(kind.st_mode):
                    _unlock(folder, below)
                    os.rename(below, f"{lift}-{lifted}", src_dir_fd=folder, dst_dir_fd=root)
                else:
                    os.unlink(below, dir_fd=folder)
    os.rmdir(name, dir_fd=root)


def _is_link(folder: int, name: str) -> bool:
    with suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    return False


_WORDS = {
    errno.ENOENT: "does not exist; file_list shows what there is",
    errno.ENOTDIR: "is a file and no folder",
    errno.EISDIR: "is a folder",
    errno.EACCES: "may not be opened (its mode forbids it)",
    errno.EPERM: "may not be changed",
    errno.ENXIO: "is no plain file but a socket or pipe; it is not opened",
    errno.ENOSPC: "cannot be written: the disk is full",
    errno.EDQUOT: "cannot be written: the disk's quota is used up",
    errno.EROFS: "cannot be written: the disk is read-only",
    errno.ENAMETOOLONG: "has a name that is too long",
}


def refusal(error: OSError, path: str, is_link: bool = False) -> ToolError:
    """Say what the system refused, without a path of the host."""
    if is_link or error.errno == errno.ELOOP:
        return ToolError(f'"{quoted_path(path)}" is a link, and links are not followed. Name the file itself.')
    words = _WORDS.get(error.errno or 0, f"cannot be used ({error.strerror or type(error).__name__})")
    return ToolError(f'"{quoted_path(visible(path))}" {words}.')
