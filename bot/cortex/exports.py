"""Write an export where only we can read it: names made by us, nothing overwritten, nothing half-written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.base import digest_text
from bot.domain.ids import ChannelId
from bot.errors import UserError

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SAFE = re.compile(r"[A-Za-z0-9-][A-Za-z0-9._-]{0,79}")
_OTHER = re.compile(r"[^A-Za-z0-9-]+")
_TRIES = 10_000


def write_export(data_dir: Path, channel: ChannelId, at: int, content: bytes) -> Path:
    """Write `context/<platform>/<channel>/<local time>-context.json` and return its path; raise UserError.

    Blocks: call it off the event loop.
    """
    folders = folders_of(channel)
    stamp = local_time(at).strftime("%Y%m%d-%H%M%S")
    try:
        with _inside(data_dir, folders) as directory:
            name = _keep(directory, f"{stamp}-context", content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UserError(f"The export was not written: {reason}. Nothing was left behind.") from error
    return data_dir.joinpath(*folders, name)


def local_time(at: int) -> datetime:
    """Return a moment as the wall clock of this machine shows it; file names are for its operator."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def folders_of(channel: ChannelId) -> tuple[str, str, str]:
    """Name the folders of a channel; different channels never share one, whatever their ids look like."""
    platform, _, path = channel.partition(":")
    return "context", safe_name(platform), safe_name(path)


def safe_name(text: str) -> str:
    """Make a file name out of any text: plain ids stay readable, everything else also carries its digest."""
    if "." not in text and _SAFE.fullmatch(readable := text.replace(":", ".")):
        return readable
    return f"{_OTHER.sub('_', text)[:40]}-{digest_text(text)[:12]}"


@contextmanager
def _inside(root: Path, folders: tuple[str, ...]) -> Iterator[int]:
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
    # it may be there from an earlier export; a planted link is refused by O_NOFOLLOW
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
    return os.open(name, _DIRECTORY, dir_fd=parent)


def _keep(directory: int, stem: str, content: bytes) -> str:
    temporary = _write_temporary(directory, stem, content)
    try:
        for count in range(1, _TRIES):
            name = f"{stem}.json" if count == 1 else f"{stem}-{count}.json"
            try:
                # a link, unlike a rename, never replaces what is there
                os.link(temporary, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
            except FileExistsError:
                continue
            os.fsync(directory)
            return name
    finally:
        os.unlink(temporary, dir_fd=directory)
    raise FileExistsError(17, "too many exports in this second")


def _write_temporary(directory: int, stem: str, content: bytes) -> str:
    for count in range(_TRIES):
        name = f".{stem}-{count}.part"
        try:
            handle = os.open(name, _NEW_FILE, 0o600, dir_fd=directory)
        except FileExistsError:
            continue
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            os.unlink(name, dir_fd=directory)
            raise
        return name
    raise FileExistsError(17, "too many unfinished exports")
