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

LARGEST = 1024 * 1024
"""Bytes of a configuration, a `.env` or a secret."""
_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def read_text(path: Path, most: int = LARGEST) -> str:
    """Return the text of an ordinary file; raise OSError, or ValueError with the reason.

    A pipe, a device or a folder is refused at once: reading one might never end.
    """
    handle = os.open(path, _OPEN)
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise ValueError(f"it is {_KINDS.get(stat.S_IFMT(mode), 'no ordinary file')}, not a file")
        with open(handle, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(handle)
    if len(content) > most:
        raise ValueError(f"it has more than {most // 1024:,} KiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is no UTF-8 text (byte {error.start})") from None


_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


def exposed(path: Path, *, is_secret: bool) -> str:
    """Say who else may change a file (read it, where it `is_secret`), and the fix; "" when nobody may. Raise OSError.

    Where a link leads is what counts. Nobody changes what lies on a file system that is mounted read-only.
    """
    real = path.resolve(strict=True)
    found, where = real.stat(), real if path.is_symlink() else path
    mode = f"mode {stat.S_IMODE(found.st_mode):04o}"
    if is_secret and (whose := _may(found, stat.S_IRGRP, stat.S_IROTH)):
        return f"{whose} can read it ({mode}). Run: chmod 600 {where}"
    if os.statvfs(real).f_flag & os.ST_RDONLY:
        return ""
    if whose := _may(found, stat.S_IWGRP, stat.S_IWOTH):
        return f"{whose} can change it ({mode}). Run: chmod {'600' if is_secret else 'go-w'} {where}"
    if found.st_uid not in (0, os.geteuid()):
        return f"it belongs to {_user(found.st_uid)}, who can change it. Run: chown {_user(os.geteuid())} {where}"
    for folder in real.parents:
        if whose := _may_replace(folder.stat(), is_next=folder == real.parent):
            return f"{whose} can put another file in its place. Run: chmod go-w {folder}"
    return ""


def _may_replace(folder: os.stat_result, *, is_next: bool) -> str:
    """Say who beside the owner may rename what lies in a folder; a sticky one, such as /tmp, keeps others from it."""
    if folder.st_mode & stat.S_ISVTX:
        return ""
    if folder.st_mode & stat.S_IWOTH:
        return "anybody on this machine"
    return _group(folder) if is_next and folder.st_mode & stat.S_IWGRP and not _is_alone(folder) else ""


def _may(found: os.stat_result, group: int, others: int) -> str:
    """Say who beside the owner has one of these rights; "" where nobody has."""
    if found.st_mode & others:
        return "anybody on this machine"
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
        return f"user {number}"


def _group(found: os.stat_result) -> str:
    try:
        return f"the group {grp.getgrgid(found.st_gid).gr_name}"
    except KeyError:
        return f"the group {found.st_gid}"
