"""Write an export where only we can read it: `context/<platform>/<channel>/<local time>-context.json`, or `.md`."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.ids import ChannelId
from bot.errors import UserError
from bot.runtime.files import FileName, safe_name, write_new

_DISK_FULL_ERRORS, _PERMISSION_ERRORS = {errno.ENOSPC, errno.EDQUOT}, {errno.EACCES, errno.EPERM}
_FOLDER_ERRORS = {errno.ELOOP, errno.ENOTDIR}


class NotWritten(UserError):
    """An export was not written. `code`: full, read_only, no_right, planted_link, no_folder, missing or failed."""

    def __init__(self, code: str, what: str, advice: str) -> None:
        super().__init__(f"The export was not written: {what}. Nothing was left behind. {advice}")
        self.code = code


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
    folder = data_dir.joinpath(*folders)
    if error.errno in _DISK_FULL_ERRORS:
        return NotWritten("full", f"the disk of {folder} is full", "Free some room and ask again.")
    if error.errno == errno.EROFS:
        return NotWritten("read_only", f"{folder} can only be read", "Make it writable (`doctor` looks at it too).")
    if error.errno in _PERMISSION_ERRORS:
        advice = "Give the folder to the user that the bot runs as; `doctor` says more."
        return NotWritten("no_right", f"{folder} takes nothing from the bot", advice)
    if error.errno in _FOLDER_ERRORS:
        return _in_the_way(data_dir, folders)
    if error.errno == errno.ENOENT:
        return NotWritten("missing", f"{folder} is gone and cannot be made", "Bring it back and ask again.")
    return NotWritten("failed", error.strerror or type(error).__name__, "`doctor` looks at the data directory.")


def _in_the_way(data_dir: Path, folders: Sequence[str]) -> NotWritten:
    for path in _down(data_dir, folders):
        if path.is_symlink():
            advice = "Somebody may have planted it: look where it leads, remove it, and ask again."
            return NotWritten("planted_link", f"{path} is a link, and links are not followed", advice)
        if path.exists() and not path.is_dir():
            return NotWritten("no_folder", f"{path} is no folder", "Move it away and ask again.")
    return NotWritten("no_folder", f"{data_dir.joinpath(*folders)} is no folder", "Look at it and ask again.")


def _down(data_dir: Path, folders: Sequence[str]) -> Iterator[Path]:
    path = data_dir
    for name in ("", *folders):
        path = path / name
        yield path
