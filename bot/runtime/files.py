"""The one door for writing files: names made by us, for our eyes alone, nothing overwritten, nothing half-written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bot.domain.base import digest_text

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SAFE = re.compile(r"[A-Za-z0-9-][A-Za-z0-9._-]{0,79}")
_OTHER = re.compile(r"[^A-Za-z0-9-]+")
_TRIES = 10_000


class FileName(NamedTuple):
    """What a new file is called; a number comes between the two when the name is taken. `suffix` begins with a dot."""

    stem: str
    suffix: str


def write_new(root: Path, folders: Sequence[str], name: FileName, content: bytes) -> Path:
    """Write a new file of mode 0600 below `root` and return its path; raise OSError, and then nothing is left behind.

    Blocks: call it off the event loop.
    """
    with _inside(root, folders) as directory:
        return root.joinpath(*folders, _keep(directory, name, content))


def write_file(path: Path, content: bytes, *, replace: bool) -> None:
    """Write a file of mode 0600 under a name of its own, whole or not at all; raise OSError, FileExistsError too.

    Blocks: call it off the event loop.
    """
    with writing(path, replace=replace) as file:
        file.write(content)


@contextmanager
def writing(path: Path, *, replace: bool) -> Iterator[BinaryIO]:
    """Do what `write_file` does, with a file that is written piece by piece; it is there once all of it is."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        temporary, handle = _open_temporary(directory, path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if replace:
                os.replace(temporary, path.name, src_dir_fd=directory, dst_dir_fd=directory)
            else:
                os.link(temporary, path.name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
            os.fsync(directory)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=directory)
    finally:
        os.close(directory)


def remove_older(folder: Path, before: int) -> int:
    """Remove the files in one of our folders that were written before a moment (UTC ms); return how many. Blocks."""
    removed = 0
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime * 1000 < before:
                os.unlink(entry.path)
                removed += 1
    return removed


def is_file(path: Path) -> bool:
    """Say whether a file is still there. Blocks."""
    return path.is_file()


def safe_name(text: str) -> str:
    """Make a file name out of any text: plain ids stay readable, everything else also carries its digest."""
    if "." not in text and _SAFE.fullmatch(readable := text.replace(":", ".")):
        return readable
    return f"{_OTHER.sub('_', text)[:40]}-{digest_text(text)[:12]}"


@contextmanager
def _inside(root: Path, folders: Sequence[str]) -> Iterator[int]:
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    current = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in folders:
            below = _enter(current, name)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def _enter(parent: int, name: str) -> int:
    # it may be there from an earlier file; a planted link is refused by O_NOFOLLOW
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
    return os.open(name, _DIRECTORY, dir_fd=parent)


def _keep(directory: int, name: FileName, content: bytes) -> str:
    temporary = _write_temporary(directory, name.stem, content)
    try:
        for count in range(1, _TRIES):
            taken = f"{name.stem}{name.suffix}" if count == 1 else f"{name.stem}-{count}{name.suffix}"
            try:
                # a link, unlike a rename, never replaces what is there
                os.link(temporary, taken, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
            except FileExistsError:
                continue
            os.fsync(directory)
            return taken
    finally:
        os.unlink(temporary, dir_fd=directory)
    raise FileExistsError(17, "too many files of that name")


def _write_temporary(directory: int, stem: str, content: bytes) -> str:
    name, handle = _open_temporary(directory, stem)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        os.unlink(name, dir_fd=directory)
        raise
    return name


def _open_temporary(directory: int, stem: str) -> tuple[str, int]:
    for count in range(_TRIES):
        name = f".{stem}-{count}.part"
        try:
            return name, os.open(name, _NEW_FILE, 0o600, dir_fd=directory)
        except FileExistsError:
            continue
    raise FileExistsError(17, "too many unfinished files of that name")
