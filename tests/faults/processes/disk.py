"""A disk that fails: at one call, or from one call on until somebody has mended it."""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress

from tests.faults.processes.house import House
from tests.faults.processes.lives import Call, Trap
from tests.faults.processes.recorded import Run

WRITES = ("pwrite64", "fsync", "fdatasync", "openat")
"""Where it begins to fail."""
ALL = (*WRITES, "write", "ftruncate", "fallocate", "mkdir")
"""What fails as well where it goes on failing."""
MENDED_AFTER = 0.4
"""Seconds of real time after which there is space again, if the process bears it so long."""
ENDS = (1, 2)
"""How a process ends that cannot write: 1, the store has failed; 2, it could not even start."""
WORDS = ("cannot be written", "cannot be opened", "cannot be used", "No space left", "Input/output error", "disk")
"""One of these stands in what it says then."""


class Disk:
    """Decides about the calls that reach the data directory; `kind` and `number` say where the trouble begins."""

    def __init__(self, house: House, kind: str, number: int, error: int, *, lasting: bool) -> None:
        self.failed = 0
        self.counts: dict[str, int] = {}
        self._house, self._kind, self._number = house, kind, number
        self._error, self._lasting = error, lasting
        self._is_mended = False

    @property
    def calls(self) -> tuple[str, ...]:
        """Which calls have to be looked at."""
        return (self._kind,) if self._kind and not self._lasting else ALL

    @property
    def is_failing(self) -> bool:
        """Whether writing fails now."""
        return self.failed > 0 and self._lasting and not self._is_mended

    def mend(self) -> None:
        """Let all be well from here on."""
        self._is_mended = True

    def decide(self, call: Call) -> int | None:
        """Let a call fail, or happen."""
        if call.name not in ALL or not self._is_ours(call):
            return None
        self.counts[call.name] = self.counts.get(call.name, 0) + 1
        if self.is_failing:
            return self._error
        if not self.failed and call.name == self._kind and self.counts[call.name] == self._number:
            self.failed = 1
            asyncio.get_running_loop().call_later(MENDED_AFTER, self.mend)
            return self._error
        return None

    def _is_ours(self, call: Call) -> bool:
        with suppress(OSError):
            return self._path(call).startswith(str(self._house.data))
        return False

    def _path(self, call: Call) -> str:
        assert self._house.life is not None or call.thread
        if call.name == "openat":
            return _text(call.thread, call.arguments[1])
        if call.name == "mkdir":
            return _text(call.thread, call.arguments[0])
        return os.readlink(f"/proc/{call.thread}/fd/{call.arguments[0]}")


def _text(thread: int, address: int) -> str:
    with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return os.fsdecode(memory.read(512).partition(b"\0")[0])


class OnBadDisk(Run):
    """A run whose processes may end because they cannot write; whoever supervises them starts them again.

    `ends` counts how often one did. While the disk fails, one further start is tried; the next comes when it is mended.
    """

    def __init__(self, house: House, disk: Disk) -> None:
        super().__init__(house, ())
        self.disk = disk
        self.ends_of_it = 0
        self._traps = [Trap(disk.calls, disk.decide)] * 2

    async def _has_ended(self, status: int) -> None:
        house = self.house
        assert status in ENDS, f"it ended with status {status}\n{house.told()}"
        assert self.disk.failed, f"it ended with status {status}, and nothing had failed\n{house.told()}"
        said = " ".join(str(event.get("words", "")) for event in house.log)
        assert any(words in said for words in WORDS), f"it does not say why it ended\n{house.told()}"
        self.ends_of_it += 1
        assert self.ends_of_it <= 2, f"it ends again and again\n{house.told()}"
        house.note(f"ended with status {status}")
        if self.ends_of_it > 1 or not self.disk.is_failing:
            self.disk.mend()


def error(name: str) -> int:
    """Return the number of an error, as `ENOSPC` or `EIO`."""
    return int(getattr(errno, name))
