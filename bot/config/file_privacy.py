"""Read the files that an operator keeps, and say whether somebody else could read or change them.

Root may do everything anyway and is nobody else. A folder that its owner's private group may write to (the same name,
nobody else in it) is what many systems make by themselves, and is the owner's.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
from pathlib import Path

from bot.sentences import say
from bot.text.figures import exact_number

MAX_FILE_BYTES = 1024 * 1024
"""Bytes of a configuration, a `.env` or a secret."""
_SHARED_FOLDERS = ("workspaces", "skills")
"""In the data directory: files of programs that run as another user, and texts that the operator's people put there."""
_FIRST_START_FILES = (
    *_SHARED_FOLDERS,
    *("lost+found", "plugins", "secret.key", "server.json", "lock", "backups", "glassmind.log"),
)
_OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def read_text(path: Path, most: int = MAX_FILE_BYTES) -> str:
    """Return the text of an ordinary file; raise OSError, or ValueError with the reason.

    A pipe, a device or a folder is refused at once: reading one might never end.
    """
    handle = os.open(path, _OPEN_FLAGS)
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise ValueError(say("file_privacy.not-a-file", kind=_KINDS.get(stat.S_IFMT(mode), "other")))
        with open(handle, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(handle)
    if len(content) > most:
        size = f"{exact_number(most // 1024)} KiB" if most % 1024 == 0 else f"{exact_number(most // 1000)} kB"
        raise ValueError(say("file_privacy.too-large", size=size))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(say("file_privacy.not-utf-8", byte=error.start)) from None


_KINDS = {
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
    stat.S_IFDIR: "folder",
}


def exposure(path: Path, *, is_secret: bool) -> str:
    """Say who else may change a file (read it, where it `is_secret`), and the fix; "" when nobody may. Raise OSError.

    Where a link leads is what counts. Nobody changes what lies on a file system that is mounted read-only.
    """
    real = path.resolve(strict=True)
    found, where = real.stat(), real if path.is_symlink() else path
    mode = f"{stat.S_IMODE(found.st_mode):04o}"
    if is_secret and (whose := _may(found, stat.S_IRGRP, stat.S_IROTH)):
        return say("file_privacy.can-read", who=whose, mode=mode, file=str(where))
    if os.statvfs(real).f_flag & os.ST_RDONLY:
        return ""
    if whose := _may(found, stat.S_IWGRP, stat.S_IWOTH):
        name = "file_privacy.can-change-secret" if is_secret else "file_privacy.can-change"
        return say(name, who=whose, mode=mode, file=str(where))
    if found.st_uid not in (0, os.geteuid()):
        whose, us = _user(found.st_uid), _user(os.geteuid())
        return say("file_privacy.belongs-to", owner=whose, us=us, file=str(where))
    return _replaceable(real)


def planted_files(folder: Path, owner: int) -> str:
    """Say what in the data directory of a user may have been put there by somebody else, and the fix; "" for nothing.

    A folder that was merely open is no reason to complain: its owner closes it, and whatever the owner has in it stays
    the owner's. What others put there before is not closed out by that.
    """
    real = folder.resolve()
    try:
        inside = [path for path in sorted(real.iterdir()) if path.name not in _SHARED_FOLDERS] if real.is_dir() else []
        inside += [path for one in inside if one.is_dir() and not one.is_symlink() for path in sorted(one.iterdir())]
        looked_at = [(path, path.lstat()) for path in ([real, *inside] if real.exists() else [])]
    except OSError:
        return ""  # who cannot look cannot use it either, and is told so where that fails
    for path, found in looked_at:
        if found.st_uid not in (0, owner):
            whose, us = _user(found.st_uid), _user(owner)
            return say("file_privacy.planted", file=str(path), owner=whose, us=us)
    return _replaceable(real)


def foreign_files(folder: Path) -> str:
    """Name what a folder holds that is to become the data directory, and is open to others; "" for nothing.

    It would be closed to everybody: no harm to a folder of the bot's own, much to /tmp or /etc.
    """
    if not folder.is_dir() or not stat.S_IMODE(folder.stat().st_mode) & 0o077 or (folder / "glassmind.db").exists():
        return ""
    found = sorted(path.name for path in folder.iterdir() if path.name not in _FIRST_START_FILES)
    return ", ".join(found[:3])


def open_to_others(folder: Path) -> tuple[str, ...]:
    """Return what of a folder, and of the keys in it, others could use until now: `data (0777)`."""
    if not folder.is_dir() or not (mode := stat.S_IMODE(folder.stat().st_mode)) & 0o077:
        return ()
    keys = [(path, stat.S_IMODE(path.stat().st_mode)) for path in sorted(folder.glob("*.key")) if path.is_file()]
    return tuple(f"{path} ({bits:04o})" for path, bits in [(folder, mode), *keys] if bits & 0o077)


def _replaceable(real: Path) -> str:
    """Say who can put something else in the place of a file or folder; it may not be there yet."""
    for folder in real.parents:
        if folder.exists() and (whose := _may_replace(folder.stat(), is_next=folder == real.parent)):
            replaced = "file_privacy.can-replace-folder" if real.is_dir() else "file_privacy.can-replace-file"
            return say(replaced, who=whose, folder=str(folder))
    return ""


def _may_replace(folder: os.stat_result, *, is_next: bool) -> str:
    """Say who beside the owner may rename what lies in a folder; a sticky one, such as /tmp, keeps others from it."""
    if folder.st_mode & stat.S_ISVTX:
        return ""
    if folder.st_mode & stat.S_IWOTH:
        return say("file_privacy.anybody")
    return _group(folder) if is_next and folder.st_mode & stat.S_IWGRP and not _is_alone(folder) else ""


def _may(found: os.stat_result, group: int, others: int) -> str:
    """Say who beside the owner has one of these rights; "" where nobody has."""
    if found.st_mode & others:
        return say("file_privacy.anybody")
    is_given = found.st_gid in _own_groups(found) and group == stat.S_IRGRP
    return _group(found) if found.st_mode & group and not is_given else ""


def _own_groups(found: os.stat_result) -> frozenset[int]:
    """Return the groups by which this process reads what root keeps for it: so Kubernetes hands out secrets."""
    mine = {os.getegid(), *os.getgroups()}
    return frozenset(mine) if found.st_uid == 0 and os.geteuid() != 0 else frozenset()


def _is_alone(found: os.stat_result) -> bool:
    """Say whether the group of a file is its owner's private one, or root's."""
    if found.st_gid == 0:
        return True
    try:
        owner, group = pwd.getpwuid(found.st_uid), grp.getgrgid(found.st_gid)
    except KeyError:
        return False
    return owner.pw_gid == group.gr_gid and owner.pw_name == group.gr_name and not set(group.gr_mem) - {owner.pw_name}


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return say("file_privacy.user", number=str(number))


def _group(found: os.stat_result) -> str:
    try:
        name = grp.getgrgid(found.st_gid).gr_name
    except KeyError:
        name = str(found.st_gid)
    return say("file_privacy.group", name=name)
