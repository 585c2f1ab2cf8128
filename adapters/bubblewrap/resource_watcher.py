"""Look at what runs in a sandbox for what the kernel does not limit: all memory together, and the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from adapters.workspaces.folder_walk import measure, open_folder

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MIN_LOST_BYTES = 8_000_000
_MIN_LOST_NAMES = 500
"""Bytes, or names, that the disk must have lost before the workspace is counted again."""
_LOOKS_BETWEEN = 20
"""Looks after which it is counted anyway: others may have given room back meanwhile."""
_MAX_PROCESSES = 5000
_MAX_NICENESS = 19


class SandboxQuota(NamedTuple):
    """How much there may be, in bytes and names; below `low_water` bytes free on the disk nothing goes on."""

    memory: int
    workspace: int
    names: int
    low_water: int


class ResourceWatcher:
    """Watches one program with all that it has begun, from outside. Blocks: use it in a thread."""

    def __init__(self, pid: int, workspace: Path, room: SandboxQuota) -> None:
        self._pid = pid
        self._workspace = workspace
        self._room = room
        self._free = (-1, -1)
        self._looks = 0

    def look(self) -> str:
        """Return which limit is passed, `memory` or `disk`; empty when none is."""
        running = list(descendants(self._pid))
        for pid in running:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, pid, _MAX_NICENESS)
        if sum(map(_own_memory, running)) > self._room.memory and sum(map(_fair_memory, running)) > self._room.memory:
            return "memory"
        return "disk" if self._is_full(running) else ""

    def _is_full(self, running: list[int]) -> bool:
        try:
            disk = os.statvfs(self._workspace)
            free, names = disk.f_bavail * disk.f_frsize, disk.f_favail
            if free < self._room.low_water:
                return True
            if not self._is_worth_it(free, names):
                return False
            with open_folder(self._workspace) as root:
                size = measure(root, self._room.names)
                device = os.fstat(root).st_dev
        except OSError:
            return False
        hidden = sum(_unnamed_bytes(pid, device) for pid in running) if size.bytes <= self._room.workspace else 0
        return size.too_deep or size.names > self._room.names or size.bytes + hidden > self._room.workspace

    def _is_worth_it(self, free: int, names: int) -> bool:
        self._looks += 1
        lost, lost_names = self._free[0] - free, self._free[1] - names
        if self._looks % _LOOKS_BETWEEN != 1 and lost < _MIN_LOST_BYTES and lost_names < _MIN_LOST_NAMES:
            return False
        self._free = free, names
        return True


def descendants(pid: int) -> Iterator[int]:
    """Yield a process and everything that it has begun."""
    waiting, seen = [pid], 0
    while waiting and seen < _MAX_PROCESSES:
        one = waiting.pop()
        seen += 1
        yield one
        with suppress(OSError, ValueError):
            for task in os.listdir(f"/proc/{one}/task"):
                text = Path(f"/proc/{one}/task/{task}/children").read_text(encoding="ascii")
                waiting += map(int, text.split())


def _own_memory(pid: int) -> int:
    """Return resident bytes that are no file's; what is shared since a fork counts for each."""
    with suppress(OSError, ValueError, IndexError):
        words = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
        return (int(words[1]) - int(words[2])) * _PAGE
    return 0


def _fair_memory(pid: int) -> int:
    """Return resident bytes, each shared one divided by those who share it; dearer to find out."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return _own_memory(pid)


def _unnamed_bytes(pid: int, device: int) -> int:
    """Return what a process keeps on a disk in files that have no name any more."""
    total = 0
    with suppress(OSError):
        for handle in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                found = os.stat(f"/proc/{pid}/fd/{handle}")
                if found.st_dev == device and found.st_nlink == 0:
                    total += found.st_blocks * 512
    return total
