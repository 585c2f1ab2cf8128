"""List what stands in a workspace and search through it, however much and however odd it is."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from adapters.workspaces.folder_walk import entries, open_folder, read
from adapters.workspaces.paths import MAX_DEPTH
from bot.errors import ToolError
from bot.ports.workspaces import EntryKind, FileEntry, FileHit, FileHits, FileSearch, FolderListing
from bot.text.text import excerpt

FOLDER = "workspaces"
MAX_ENTRIES = 500
_MAX_SEARCHED_BYTES = 100_000_000
_MAX_NAMES_READ = 20_000
_SEARCH_SECONDS = 10.0
_LINE = 300
_TEXT_START = 8192


class _FoundFile(NamedTuple):
    folder: int
    path: str
    name: str
    status: os.stat_result


def list_folder(folder: int, path: str, depth: int) -> FolderListing:
    """Return what stands in an open folder, `path` being its own; folders come before what is in them."""
    found = [_entry(one) for one in islice(_walk(folder, path, depth), MAX_ENTRIES + 1)]
    return FolderListing(tuple(found[:MAX_ENTRIES]), len(found) > MAX_ENTRIES)


def search_folder(folder: int, sought: FileSearch, limit: int, is_over: Callable[[], bool]) -> FileHits:
    """Look for a text in every plain file below an open folder, until it is over or there are hits enough."""
    wanted = sought.text.casefold() if sought.any_case else sought.text
    until = time.monotonic() + _SEARCH_SECONDS
    hits: list[FileHit] = []
    files = unread = 0
    for one in islice(_walk(folder, sought.path, MAX_DEPTH), _MAX_NAMES_READ):
        if is_over() or time.monotonic() > until or len(hits) > sought.limit:
            return FileHits(tuple(hits[: sought.limit]), files, unread, more=True)
        if not stat.S_ISREG(one.status.st_mode) or not fnmatchcase(one.name, sought.names):
            continue
        text = _text(one, limit)
        if text is None:
            unread += 1
            continue
        files += 1
        for number, line in enumerate(text.split("\n"), 1):
            if wanted in (line.casefold() if sought.any_case else line):
                hits.append(FileHit(one.path, number, excerpt(line, _LINE)))
    return FileHits(tuple(hits[: sought.limit]), files, unread, more=len(hits) > sought.limit)


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """Yield the path (from the data directory on) and the text of every file in every workspace. Blocks."""
    for one in _walk_everywhere(data):
        text = _text(one, _MAX_SEARCHED_BYTES)
        if text is not None:
            yield _plain_path(one.path), text


def remove(data: Path, paths: Collection[str]) -> None:
    """Remove files that `texts` has named; what became something else meanwhile stays. Blocks."""
    for one in _walk_everywhere(data):
        if _plain_path(one.path) in paths:
            with suppress(FileNotFoundError):
                os.unlink(one.name, dir_fd=one.folder)


def _walk_everywhere(data: Path) -> Iterator[_FoundFile]:
    with suppress(FileNotFoundError), open_folder(data / FOLDER) as top:
        # an agent, a channel, and what is in there
        for one in _walk(top, FOLDER, MAX_DEPTH + 2):
            if stat.S_ISREG(one.status.st_mode):
                yield one


def _plain_path(path: str) -> str:
    # a program may give a file a name that is no text
    return path.encode(errors="backslashreplace").decode()


def _text(one: _FoundFile, limit: int) -> str | None:
    with suppress(ToolError):
        content = read(one.folder, one.name, one.path, limit)
        if b"\0" not in content[:_TEXT_START]:
            return content.decode(errors="replace")
    return None


def _walk(folder: int, path: str, depth: int) -> Iterator[_FoundFile]:
    """Yield what is in a folder in the order of names; what cannot be opened is named and not entered."""
    for name, status in sorted(islice(entries(folder), _MAX_NAMES_READ), key=lambda entry: entry[0]):
        below = f"{path}/{name}" if path else name
        yield _FoundFile(folder, below, name, status)
        if stat.S_ISDIR(status.st_mode) and depth > 1:
            with suppress(OSError), open_folder(name, folder) as handle:
                yield from _walk(handle, below, depth - 1)


def _entry(one: _FoundFile) -> FileEntry:
    kind, target = _kind(one.status.st_mode), ""
    if kind == "link":
        with suppress(OSError):
            target = os.readlink(one.name, dir_fd=one.folder)
    return FileEntry(one.path, kind, one.status.st_size, one.status.st_mtime_ns // 1_000_000, target)


def _kind(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"
