"""Write an export where only we can read it: `context/<platform>/<channel>/<local time>-context.json`, or `.md`."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.ids import ChannelId
from bot.errors import UserError
from bot.runtime.files import FileName, safe_name, write_new
from bot.sentences import say

_DISK_FULL_ERRORS, _PERMISSION_ERRORS = {errno.ENOSPC, errno.EDQUOT}, {errno.EACCES, errno.EPERM}
_FOLDER_ERRORS = {errno.ELOOP, errno.ENOTDIR}


class NotWritten(UserError):
    """A file was not written. `code`: full, read_only, no_right, planted_link, no_folder, missing or failed.

    It says so of an export; `why` is the reason alone, with what helps.
    """

    def __init__(self, code: str, what: str, advice: str) -> None:
        super().__init__(say("pages.not-written", what=what, advice=advice))
        self.code = code
        self.why = f"{what} → {advice}"


def write_export(
    data_dir: Path, channel: ChannelId, at: int, content: bytes, what: str = "context", suffix: str = ".json"
) -> Path:
    """Write `context/<platform>/<channel>/<local time>-<what><suffix>` and return its path; raise NotWritten.

    Blocks: call it off the event loop.
    """
    name = FileName(f"{local_time(at).strftime('%Y%m%d-%H%M%S')}-{what}", suffix)
    folders = folders_of(channel)
    try:
        return write_new(data_dir, folders, name, content)
    except OSError as error:
        raise why_not_written(error, data_dir, folders) from error


def local_time(at: int) -> datetime:
    """Return a moment as the wall clock of this machine shows it; file names are for its operator."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def folders_of(channel: ChannelId) -> tuple[str, str, str]:
    """Name the folders of a channel; different channels never share one, whatever their ids look like."""
    platform, _, path = channel.partition(":")
    return "context", safe_name(platform), safe_name(path)


def why_not_written(error: OSError, data_dir: Path, folders: Sequence[str]) -> NotWritten:
    """Say why a file could not be written into these folders, and what to do about it."""
    folder = str(data_dir.joinpath(*folders))
    if error.errno in _DISK_FULL_ERRORS:
        return NotWritten("full", say("pages.disk-full", folder=folder), say("pages.disk-full-fix"))
    if error.errno == errno.EROFS:
        return NotWritten("read_only", say("pages.read-only", folder=folder), say("pages.read-only-fix"))
    if error.errno in _PERMISSION_ERRORS:
        return NotWritten("no_right", say("pages.no-right", folder=folder), say("pages.no-right-fix"))
    if error.errno in _FOLDER_ERRORS:
        return _in_the_way(data_dir, folders)
    if error.errno == errno.ENOENT:
        return NotWritten("missing", say("pages.folder-gone", folder=folder), say("pages.folder-gone-fix"))
    return NotWritten("failed", error.strerror or type(error).__name__, say("pages.write-failed-fix"))


def _in_the_way(data_dir: Path, folders: Sequence[str]) -> NotWritten:
    for path in _down(data_dir, folders):
        if path.is_symlink():
            return NotWritten("planted_link", say("pages.is-link", path=str(path)), say("pages.is-link-fix"))
        if path.exists() and not path.is_dir():
            return NotWritten("no_folder", say("pages.not-a-folder", path=str(path)), say("pages.not-a-folder-fix"))
    path = data_dir.joinpath(*folders)
    return NotWritten("no_folder", say("pages.not-a-folder", path=str(path)), say("pages.not-a-folder-look"))


def _down(data_dir: Path, folders: Sequence[str]) -> Iterator[Path]:
    path = data_dir
    for name in ("", *folders):
        path = path / name
        yield path
