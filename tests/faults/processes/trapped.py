"""System calls of a process, stopped one by one: the kernel asks a watcher before each of them (seccomp notifications).

The one who is watched enters the trap and goes on as before; each call of a listed kind waits until the watcher has
said what becomes of it: nothing, an error instead of it, or the end of the process. All its threads run into the same
trap, so that there is one order of all calls, and a number says exactly which one is meant. (With strace each thread
counts for itself: the third `sendto` of the thread that writes the database cannot be reached, because another thread
comes to its third one first.)
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

_NUMBERS = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "connect": 42, "sendto": 44, "recvfrom": 45, "sendmsg": 46,
        "recvmsg": 47, "shutdown": 48, "fcntl": 72, "flock": 73, "fsync": 74, "fdatasync": 75, "truncate": 76,
        "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84, "link": 86, "unlink": 87, "chmod": 90, "fchmod": 91,
        "openat": 257, "mkdirat": 258, "unlinkat": 263, "renameat": 264, "fallocate": 285, "pwritev": 296,
        "renameat2": 316,
    },
    "aarch64": {
        "write": 64, "pwrite64": 68, "writev": 66, "connect": 203, "sendto": 206, "recvfrom": 207, "sendmsg": 211,
        "recvmsg": 212, "shutdown": 210, "fcntl": 25, "flock": 32, "fsync": 82, "fdatasync": 83, "truncate": 45,
        "ftruncate": 46, "fchmod": 52, "openat": 56, "mkdirat": 34, "unlinkat": 35, "renameat": 38, "fallocate": 47,
        "pwritev": 70, "renameat2": 276,
    },
}  # fmt: skip
NUMBERS = _NUMBERS.get(platform.machine(), {})
NAMES = {number: name for name, number in NUMBERS.items()}
_SECCOMP = {"x86_64": 317, "aarch64": 277}.get(platform.machine(), -1)
_PIDFD_GETFD = 438
_SET_FILTER, _NEW_LISTENER = 1, 1 << 3
_NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS
_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND
_CONTINUE = 1
_ALLOW, _ASK = 0x7FFF0000, 0x7FC00000
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NR, _FIRST_ARGUMENT = 0, 16
_NOTICE, _ANSWER = struct.Struct("<QIIiIQ6Q"), struct.Struct("<QqiI")
_SOCKET_CALLS = ("sendto", "recvfrom", "write", "sendmsg", "recvmsg")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that waits: its kind, who makes it, its arguments, and how many of its kind there were (from 1)."""

    id: int
    name: str
    thread: int
    arguments: tuple[int, ...]
    number: int


def missing() -> str:
    """Say what this machine lacks."""
    if not NUMBERS:
        return f"the numbers of system calls on {platform.machine()} are not known"
    with suppress(OSError), open("/proc/sys/kernel/seccomp/actions_avail") as file:
        if "user_notif" in file.read():
            return ""
    return "the kernel has no seccomp notifications"


def enter(calls: Iterable[str], control: int) -> None:
    """Let every call of these kinds wait for a watcher from now on; whoever is at the other end of `control` is it."""
    libc = ctypes.CDLL(None, use_errno=True)
    program = _filter([NUMBERS[name] for name in calls if name in NUMBERS], control)
    code = ctypes.create_string_buffer(program)
    whole = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    listener = libc.syscall(_SECCOMP, _SET_FILTER, _NEW_LISTENER, ctypes.c_char_p(whole))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    os.write(control, struct.pack("i", listener))
    os.read(control, 1)  # the watcher has it now
    os.close(listener)
    os.close(control)


def _filter(numbers: list[int], control: int) -> bytes:
    """Write the program that the kernel runs: ask for these calls, but for those on the way to the watcher."""
    steps = [_step(_LOAD, 0, 0, _NR)]
    for at, number in enumerate(numbers):
        steps.append(_step(_EQUAL, len(numbers) - at, 0, number))
    steps.append(_step(_RETURN, 0, 0, _ALLOW))
    steps += [_step(_LOAD, 0, 0, _FIRST_ARGUMENT), _step(_EQUAL, 0, 1, control), _step(_RETURN, 0, 0, _ALLOW)]
    steps.append(_step(_RETURN, 0, 0, _ASK))
    return b"".join(steps)


def _step(code: int, if_so: int, if_not: int, value: int) -> bytes:
    return struct.pack("HBBI", code, if_so, if_not, value)


class Watcher:
    """The watcher's side of one process's trap. `file` can be waited for; it is readable when a call waits."""

    def __init__(self, process: int, control: int) -> None:
        (number,) = struct.unpack("i", os.read(control, 4))
        pidfd = os.pidfd_open(process)
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            self.file: int = libc.syscall(_PIDFD_GETFD, pidfd, number, 0)
            if self.file < 0:
                raise OSError(ctypes.get_errno(), "pidfd_getfd")
        finally:
            os.close(pidfd)
        os.write(control, b".")
        self.counts: dict[str, int] = {}

    def next(self) -> Call | None:
        """Take the next call that waits; None where it was given up meanwhile."""
        notice = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(self.file, _RECEIVE, notice)
        except OSError:
            return None
        number, thread, _, call, _, _, *arguments = _NOTICE.unpack(notice)
        name = NAMES[call]
        self.counts[name] = self.counts.get(name, 0) + 1
        return Call(number, name, thread, tuple(arguments), self.counts[name])

    def let(self, call: Call) -> None:
        """Let a call happen."""
        self._answer(call, 0, _CONTINUE)

    def fail(self, call: Call, error: int) -> None:
        """Let a call fail with an error number instead of happening."""
        self._answer(call, -error, 0)

    def _answer(self, call: Call, error: int, flags: int) -> None:
        with suppress(OSError):  # the process was killed, or a signal has interrupted the call
            fcntl.ioctl(self.file, _SEND, _ANSWER.pack(call.id, 0, error, flags))

    def close(self) -> None:
        """Watch no more: every further call fails as if the kernel did not know it."""
        os.close(self.file)
