"""The filter of system calls, run as the kernel would run it, for machines that these tests do not run on as well."""

from __future__ import annotations

import errno
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.bubblewrap.seccomp import _FORBIDDEN_CALLS, _MACHINES, seccomp_filter

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
MACHINES = sorted(_MACHINES)


def decide(rules: bytes, audit: int, number: int, *arguments: int) -> int:
    """Run a filter over a call; every jump must stay in the program, and every way end in an answer."""
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, audit, 0, *(word & 0xFFFFFFFFFFFFFFFF for word in words))
    steps = [struct.unpack_from("=HBBI", rules, at) for at in range(0, len(rules), 8)]
    at = held = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        match code:
            case 0x20:
                (held,) = struct.unpack_from("=I", data, value)
            case 0x06:
                return value
            case 0x15 | 0x35 | 0x45:
                is_so = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
                at += yes if is_so else no
            case _:
                raise AssertionError(f"what is {code:#x}?")


def refused(why: int) -> int:
    return ERRNO | why


@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("machine", MACHINES)
def test_what_it_decides(machine: str, network: bool):
    rules, known = seccomp_filter(machine, network=network), _MACHINES[machine]

    def ask(number: int, *arguments: int) -> int:
        return decide(rules, known.audit, number, *arguments)

    for number in _FORBIDDEN_CALLS[machine]:
        assert ask(number) == refused(errno.EPERM)
    assert decide(rules, 0x40000003, 1) == KILL  # a 32-bit program
    assert ask(0x40000000 + 39) == (KILL if machine == "x86_64" else ALLOW)
    assert ask(known.clone3) == refused(errno.ENOSYS)
    threads = 0x003D0F00
    assert ask(known.clone, threads) == ask(known.clone, 17) == ALLOW
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert ask(known.clone, flag | 17) == refused(errno.EPERM)
    assert ask(known.ioctl, 0, 0x5401) == ALLOW
    for code in (0x5412, 0x541C, 0x5412 | 1 << 32):
        assert ask(known.ioctl, 0, code) == refused(errno.EPERM)
    found = {kind for kind in range(50) if ask(known.socket, kind) == ALLOW}
    assert found == ({2, 10, 16} if network else {1, 2, 10, 16})
    assert ask(known.socket, 40) == refused(errno.EAFNOSUPPORT)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(MACHINES), st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_it_always_decides(machine: str, number: int, first: int, second: int):
    found = decide(seccomp_filter(machine, network=False), _MACHINES[machine].audit, number, first, second)
    assert found in {ALLOW, KILL} or found & 0xFFFF0000 == ERRNO


def test_a_machine_that_is_not_known_has_none():
    assert seccomp_filter("m68k", network=False) == b""
