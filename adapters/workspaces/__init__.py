"""Keep the files of workers: a folder for each channel below the data directory, and no way out of it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from pydantic import BaseModel, ConfigDict, Field

from adapters.workspaces import folder_walk, tree
from adapters.workspaces.paths import path_parts, quoted_path
from bot.domain.base import digest_text
from bot.domain.ids import ChannelId, ChannelKey
from bot.errors import ToolError
from bot.ports.workspaces import FileHits, FileSearch, FolderListing, FormerIds, WrittenFile

_MB = 1_000_000
_IN_USE_MS = 3_600_000
_MAX_FOLDERS_SWEPT = 100_000

T = TypeVar("T")


class Settings(BaseModel):
    """Limits, in megabytes, names and days (0: for ever). `uid` is whom files belong to where the bot is root."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file_mb: float = Field(10, gt=0)
    workspace_mb: float = Field(200, gt=0)
    workspace_files: int = Field(5000, gt=0)
    total_mb: float = Field(5000, gt=0)
    days: float = Field(30, ge=0)
    uid: int = Field(-1, ge=-1)


class _StoredFolder(NamedTuple):
    agent: str
    name: str
    used: int
    bytes: int


class FileWorkspaces:
    """Implements `bot.ports.workspaces.Workspaces`. What blocks is done in threads, one write at a time in each."""

    def __init__(self, data: Path, settings: Settings, before: FormerIds) -> None:
        # a program that is begun with it stands somewhere else
        self._data = data.absolute()
        self._settings = settings
        self._before = before
        self._owner = folder_walk.FileOwner(settings.uid if os.geteuid() == 0 else -1)
        self._writing: WeakValueDictionary[ChannelKey, asyncio.Lock] = WeakValueDictionary()

    async def folder(self, key: ChannelKey) -> Path:
        """Return where a channel's workspace is, made when it is missing."""

        def make() -> Path:
            with self._opened(key):
                return self._data / tree.FOLDER / _agent_folder(key) / _name(key.channel)

        return await _in_thread(make)

    async def read(self, key: ChannelKey, path: str) -> bytes:
        *folders, name = _file(path)

        def look() -> bytes:
            with self._opened(key) as root, folder_walk.open_inside(root, folders) as folder:
                return folder_walk.read(folder, name, path, self._file_bytes)

        return await _in_thread(look)

    async def write(self, key: ChannelKey, path: str, content: bytes) -> WrittenFile:
        """Put a file in the place of what has its name."""
        names = _file(path)
        async with self._lock(key):
            return await _in_thread(lambda: self._put(key, names, content))

    async def change(self, key: ChannelKey, path: str, how: Callable[[bytes], bytes]) -> WrittenFile:
        """Put what `how` makes of a file in its place."""
        names = _file(path)

        def alter() -> WrittenFile:
            with self._opened(key) as root, folder_walk.open_inside(root, names[:-1]) as folder:
                content = folder_walk.read(folder, names[-1], path, self._file_bytes)
            return self._put(key, names, how(content))

        async with self._lock(key):
            return await _in_thread(alter)

    async def listing(self, key: ChannelKey, path: str, depth: int) -> FolderListing:
        """Return what stands in a folder and in those below."""
        names = path_parts(path)

        def look() -> FolderListing:
            with self._opened(key) as root, folder_walk.open_inside(root, names) as folder:
                return tree.list_folder(folder, "/".join(names), depth)

        return await _in_thread(look)

    async def search(self, key: ChannelKey, sought: FileSearch) -> FileHits:
        """Look for a text in files."""
        names = path_parts(sought.path)
        over = threading.Event()

        def look() -> FileHits:
            with self._opened(key) as root, folder_walk.open_inside(root, names) as folder:
                within = sought._replace(path="/".join(names))
                return tree.search_folder(folder, within, self._file_bytes, over.is_set)

        try:
            return await _in_thread(look)
        finally:
            # whoever stopped waiting stops the thread as well
            over.set()

    async def sweep(self, now: int) -> int:
        """Remove workspaces that were not used for too long, and the oldest when they are too large."""
        return await asyncio.to_thread(self._sweep, now)

    @property
    def _file_bytes(self) -> int:
        return round(self._settings.file_mb * _MB)

    def _lock(self, key: ChannelKey) -> asyncio.Lock:
        return self._writing.setdefault(key, asyncio.Lock())

    @contextmanager
    def _opened(self, key: ChannelKey) -> Iterator[int]:
        """Open a workspace, made when it is missing; a channel that was called otherwise finds what it had."""
        top = self._data / tree.FOLDER
        top.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = _name(key.channel)
        with (
            folder_walk.open_folder(top) as all_of_them,
            folder_walk.open_inside(all_of_them, [_agent_folder(key)], _NOBODY) as agent,
        ):
            if not _is_there(agent, name):
                former = next((one for one in map(_name, self._before(key.channel)) if _is_there(agent, one)), None)
                if former is not None:
                    os.rename(former, name, src_dir_fd=agent, dst_dir_fd=agent)
            with folder_walk.open_inside(agent, [name], self._owner) as root:
                os.utime(root)
                yield root

    def _put(self, key: ChannelKey, names: Sequence[str], content: bytes) -> WrittenFile:
        if len(content) > self._file_bytes:
            limit = f"{self._file_bytes:,}"
            raise ToolError(f"Not written: it has {len(content):,} bytes, and a file may have {limit}.")
        with self._opened(key) as root:
            self._check_room(root, len(content))
            with folder_walk.open_inside(root, names[:-1], self._owner) as folder:
                is_new = not _is_there(folder, names[-1])
                folder_walk.replace(folder, names[-1], content, self._owner)
        return WrittenFile("/".join(names), len(content), is_new)

    def _check_room(self, root: int, more: int) -> None:
        limit = round(self._settings.workspace_mb * _MB)
        size = folder_walk.measure(root, self._settings.workspace_files)
        if size.too_deep or size.names >= self._settings.workspace_files:
            most = f"{self._settings.workspace_files:,} names"
            raise ToolError(f"Not written: the workspace holds too much ({most} are the most). Remove files first.")
        if size.bytes + more > limit:
            full = f"{size.bytes:,} of {limit:,} bytes"
            raise ToolError(f"Not written: the workspace is full ({full}). Make files shorter or remove some first.")

    def _sweep(self, now: int) -> int:
        top = self._data / tree.FOLDER
        if not top.is_dir():
            return 0
        with folder_walk.open_folder(top) as all_of_them:
            stored = sorted(_stored_folders(all_of_them), key=lambda one: one.used)
            return sum(_remove_folder(all_of_them, one) for one in self._to_go(stored, now))

    def _to_go(self, stored: Sequence[_StoredFolder], now: int) -> Iterator[_StoredFolder]:
        total = sum(one.bytes for one in stored)
        kept_ms = self._settings.days * 24 * _IN_USE_MS
        for one in stored:
            is_old = bool(kept_ms) and one.used < now - kept_ms
            if is_old or (total > self._settings.total_mb * _MB and one.used < now - _IN_USE_MS):
                total -= one.bytes
                yield one


_NOBODY = folder_walk.FileOwner()


def _stored_folders(top: int) -> Iterator[_StoredFolder]:
    for agent, _ in list(folder_walk.entries(top)):
        with suppress(OSError), folder_walk.open_folder(agent, top) as folder:
            for name, status in list(folder_walk.entries(folder)):
                with suppress(OSError), folder_walk.open_folder(name, folder) as root:
                    used = status.st_mtime_ns // 1_000_000
                    yield _StoredFolder(agent, name, used, folder_walk.measure(root, _MAX_FOLDERS_SWEPT).bytes)


def _remove_folder(top: int, one: _StoredFolder) -> bool:
    with suppress(OSError), folder_walk.open_folder(one.agent, top) as folder:
        folder_walk.wipe(folder, one.name)
        return True
    return False


def _file(path: str) -> tuple[str, ...]:
    names = path_parts(path)
    if not names:
        raise ToolError(f'"{quoted_path(path)}" names no file.')
    return names


def _name(channel: ChannelId) -> str:
    return digest_text(channel)[:24]


def _agent_folder(key: ChannelKey) -> str:
    agent = key.agent
    return agent if agent.isidentifier() and agent.isascii() else _name(ChannelId(agent))


def _is_there(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


async def _in_thread(work: Callable[[], T]) -> T:
    """Do what blocks in a thread; what the system refuses becomes something that the model can read."""
    try:
        return await asyncio.to_thread(work)
    except OSError as error:
        raise folder_walk.refusal(error, "the workspace") from None


def create(data: Path, settings: Settings, before: FormerIds = lambda _: ()) -> FileWorkspaces:
    """Keep workspaces below a data directory; `before` gives the ids that a channel had."""
    return FileWorkspaces(data, settings, before)
