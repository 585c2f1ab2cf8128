"""Workspaces in memory: files and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

from bot.domain.ids import ChannelKey
from bot.errors import ToolError
from bot.ports.workspaces import WORKSPACE_PATH, FileEntry, FileHit, FileHits, FileSearch, FolderListing, WrittenFile


class FakeWorkspaces:
    """Implements `bot.ports.workspaces.Workspaces`; see and plant files in `files`."""

    def __init__(self) -> None:
        self.files: dict[ChannelKey, dict[str, bytes]] = {}

    async def folder(self, key: ChannelKey) -> Path:
        return Path("/nowhere") / key.channel

    async def read(self, key: ChannelKey, path: str) -> bytes:
        name = _plain(path)
        if name not in self._of(key):
            raise ToolError(f'"{path}" does not exist; file_list shows what there is.')
        return self._of(key)[name]

    async def write(self, key: ChannelKey, path: str, content: bytes) -> WrittenFile:
        name = _plain(path)
        if not name:
            raise ToolError(f'"{path}" names no file.')
        is_new = name not in self._of(key)
        self._of(key)[name] = content
        return WrittenFile(name, len(content), is_new)

    async def change(self, key: ChannelKey, path: str, how: Callable[[bytes], bytes]) -> WrittenFile:
        return await self.write(key, path, how(await self.read(key, path)))

    async def listing(self, key: ChannelKey, path: str, depth: int) -> FolderListing:
        start = f"{_plain(path)}/".lstrip("/")
        found = [name for name in sorted(self._of(key)) if name.startswith(start) and name.count("/") < depth]
        return FolderListing(tuple(FileEntry(name, "file", len(self._of(key)[name]), 0) for name in found), more=False)

    async def search(self, key: ChannelKey, sought: FileSearch) -> FileHits:
        files = {n: c.decode() for n, c in self._of(key).items() if fnmatchcase(n.rpartition("/")[2], sought.names)}
        hits = [
            FileHit(name, number, line)
            for name, text in sorted(files.items())
            for number, line in enumerate(text.split("\n"), 1)
            if sought.text in line
        ]
        return FileHits(tuple(hits[: sought.limit]), len(files), 0, more=len(hits) > sought.limit)

    async def sweep(self, now: int) -> int:
        return 0

    def _of(self, key: ChannelKey) -> dict[str, bytes]:
        return self.files.setdefault(key, {})


def _plain(path: str) -> str:
    inside = path.removeprefix(f"{WORKSPACE_PATH}/")
    if inside.startswith("/") or ".." in inside.split("/"):
        raise ToolError(f'"{path}" is outside of the workspace.')
    return inside.strip("/")
