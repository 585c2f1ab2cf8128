"""The files that a channel's workers have: one folder for each channel, and no way out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from bot.domain.ids import ChannelId, ChannelKey

WORKSPACE_PATH = "/workspace"
"""Where programs see the workspace; a path that begins with it is understood everywhere."""

FormerIds = Callable[[ChannelId], Sequence[ChannelId]]
"""Gives the ids that a channel had: one that was moved keeps its workspace."""
EntryKind = Literal["file", "folder", "link", "other"]


class FileEntry(NamedTuple):
    """One name in a workspace. `size` is bytes, `modified` UTC ms; `target` is where a link says that it leads."""

    path: str
    kind: EntryKind
    size: int
    modified: int
    target: str = ""


class FolderListing(NamedTuple):
    """What stands in a folder; `more` says that there is more than is listed here."""

    entries: tuple[FileEntry, ...]
    more: bool


class FileSearch(NamedTuple):
    """A text that stands on one line of a file; `names` is a pattern for file names such as `*.py`."""

    text: str
    path: str = ""
    names: str = "*"
    any_case: bool = False
    limit: int = 100


class FileHit(NamedTuple):
    """A line that was found; lines count from 1."""

    path: str
    line: int
    text: str


class FileHits(NamedTuple):
    """What a search found in so many files; `unread` counts files that are too large or no text, `more` is a cut."""

    hits: tuple[FileHit, ...]
    files: int
    unread: int
    more: bool


class WrittenFile(NamedTuple):
    """A file as it stands now, in bytes; `is_new` says that there was none of that name."""

    path: str
    size: int
    is_new: bool


class Workspaces(Protocol):
    """Keeps workspaces. Names come from a model: whatever leads outside, or to no plain file, raises ToolError.

    No link is followed, no device or pipe is opened, and a file is replaced whole or not at all. A text says what is
    wrong and what to do instead. What the disk refuses is a ToolError, too.
    """

    async def folder(self, key: ChannelKey) -> Path:
        """Return where a channel's workspace is, made when it is missing, for a sandbox to be put into."""

    async def read(self, key: ChannelKey, path: str) -> bytes:
        """Return a whole file."""

    async def write(self, key: ChannelKey, path: str, content: bytes) -> WrittenFile:
        """Put a file in the place of what has its name, and make the folders that it is to stand in."""

    async def change(self, key: ChannelKey, path: str, how: Callable[[bytes], bytes]) -> WrittenFile:
        """Put what `how` makes of a file in its place; nothing else is written in between."""

    async def listing(self, key: ChannelKey, path: str, depth: int) -> FolderListing:
        """Return what stands in a folder and in those below, sorted by name."""

    async def search(self, key: ChannelKey, sought: FileSearch) -> FileHits:
        """Look for a text in files."""

    async def sweep(self, now: int) -> int:
        """Remove workspaces that were not used for too long, and the oldest when they are too large; count them."""
