"""Which calls to the kernel a program in the sandbox may not make, as a filter that the kernel runs before each.

The walls are namespaces; this is a fence in front of them. It leaves out what has no place in a sandbox and has been
a way through the walls before: namespaces inside of namespaces, tracing, mounts, keys, io_uring, kinds of sockets that
know no namespaces, memory that no limit counts, and typing into somebody's terminal.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Sequence
from typing import NamedTuple

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_X32 = 0x40000000
_NAMESPACES = 0x7E020000
"""The flags of `clone` that make namespaces: mount, cgroup, uts, ipc, user, pid, net."""
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which put characters into the input of a terminal."""
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16

_NEW_CALLS = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442)
"""io_uring (3), mounts by handle (6), pidfd_getfd, mount_setattr: one number everywhere."""
_FORBIDDEN_CALLS = {
    "x86_64": (
        101, 310, 311, 312, 248, 249, 250, 321, 298, 323, 165, 166, 155, 161, 272, 308, 246, 320, 175, 313, 176, 169,
        167, 168, 103, 163, 164, 227, 159, 305, 170, 171, 179, 180, 212, 304, 300, 172, 173, 154, 153, 319, 29,
        *_NEW_CALLS,
    ),
    "aarch64": (
        117, 270, 271, 272, 217, 218, 219, 280, 241, 282, 40, 39, 41, 51, 97, 268, 104, 294, 105, 273, 106, 142,
        224, 225, 116, 89, 170, 112, 171, 266, 161, 162, 60, 42, 18, 265, 262, 58, 279, 194,
        *_NEW_CALLS,
    ),
}  # fmt: skip
"""ptrace, process_vm_readv and writev, kcmp, keys (3), bpf, perf_event_open, userfaultfd, mount, umount2, pivot_root,
chroot, unshare, setns, kexec (2), modules (3), reboot, swap (2), syslog, acct, clocks (4), host names (2), quotactl,
nfsservctl, lookup_dcookie, open_by_handle_at, fanotify_init, (x86: iopl, ioperm, modify_ldt,) vhangup, memfd_create,
shmget."""


class _Machine(NamedTuple):
    audit: int
    clone: int
    clone3: int
    ioctl: int
    socket: int


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 56, 435, 16, 41),
    "aarch64": _Machine(0xC00000B7, 220, 435, 29, 198),
}

_Step = tuple[int, int, int, int]


def seccomp_filter(machine: str, *, network: bool) -> bytes:
    """Return the filter for a kind of machine as `uname` names it, empty for one that is not known."""
    known = _MACHINES.get(machine)
    if known is None:
        return b""
    steps: list[_Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, known.audit),
        # another way to call the kernel has other numbers, for which this list means nothing
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *([(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)] if machine == "x86_64" else []),
    ]
    for number in _FORBIDDEN_CALLS[machine]:
        steps += [(_EQUAL, 0, 1, number), _refuse(errno.EPERM)]
    # its flags lie in memory, where a filter cannot look: everybody falls back to `clone` then
    steps += [(_EQUAL, 0, 1, known.clone3), _refuse(errno.ENOSYS)]
    steps += _when_argument(known.clone, _FIRST, [(_ANY_BIT, 0, 1, _NAMESPACES), _refuse(errno.EPERM)])
    typing = [step for code in _TERMINAL_INPUT for step in ((_EQUAL, 0, 1, code), _refuse(errno.EPERM))]
    steps += _when_argument(known.ioctl, _SECOND, typing)
    steps += _when_argument(known.socket, _FIRST, _allow_only(_kinds(network)))
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _kinds(network: bool) -> tuple[int, ...]:
    # with the host's network come the host's abstract sockets, behind which its services trust whoever is there
    return (_INET, _INET6, _NETLINK) if network else (_UNIX, _INET, _INET6, _NETLINK)


def _allow_only(allowed: Sequence[int]) -> list[_Step]:
    allow: list[_Step] = [step for value in allowed for step in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))]
    return [*allow, _refuse(errno.EAFNOSUPPORT)]


def _when_argument(call: int, argument: int, then: Sequence[_Step]) -> list[_Step]:
    """Look at the low half of an argument of one call, and then again at the number of the call."""
    return [
        (_EQUAL, 0, len(then) + 2, call),
        (_LOAD, 0, 0, argument),
        *then,
        (_LOAD, 0, 0, _NUMBER),
    ]


def _refuse(why: int) -> _Step:
    return (_RETURN, 0, 0, _ERRNO | why)
