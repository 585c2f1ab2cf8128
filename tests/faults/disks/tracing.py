"""What a process did to its disk, read from the log of strace."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CALLS = (
    *("openat", "write", "pwrite64", "ftruncate", "rename", "renameat", "renameat2", "link", "linkat", "unlink"),
    *("unlinkat", "mkdir", "mkdirat", "fsync", "fdatasync", "fallocate", "copy_file_range", "sendfile"),
)
LONGEST = 1 << 24
_LINE = re.compile(r"(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE = re.compile(r"\d+<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?")
_NUMBERS = re.compile(r", (-?\d+)(?=[,)])")
_DONE = re.compile(r"\) += (-?\d+)")


class Step(NamedTuple):
    """Something that was done to a file. `data` is what was written at `at`; `other` is a second name."""

    what: str
    path: str
    other: str = ""
    at: int = 0
    data: bytes = b""


def command(log: Path, *arguments: str) -> list[str]:
    """Say how to run a Python program so that every step stands in a log."""
    traced = ["strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", str(LONGEST), "-e", f"trace={','.join(CALLS)}"]
    return [*traced, "-o", str(log), sys.executable, *arguments]


def missing() -> str:
    """Say what is lacking for that; empty when nothing is."""
    return "" if shutil.which("strace") else "strace is not installed (make deps-debian)"


def steps(log: Path) -> Iterator[Step]:
    """Read the steps in the order in which they were done; calls that failed are left out.

    A write counts from the moment at which it began, everything else from the moment at which it was over.
    """
    begun: dict[str, str] = {}
    with log.open("r", encoding="ascii") as lines:
        for line in lines:
            found = _LINE.match(line)
            if found is None:
                continue
            process, resumed, call, rest = found.groups()
            if resumed:
                rest = begun.pop(process, "") + rest
                call = resumed
                if call in {"write", "pwrite64"}:
                    continue
            elif rest.rstrip().endswith("<unfinished ...>"):
                begun[process] = rest.rstrip().removesuffix("<unfinished ...>").rstrip()
                if call not in {"write", "pwrite64"}:
                    continue
                rest = f"{begun[process]}) = 0"
            if _succeeded(rest):
                yield from _step(call, rest)


def _succeeded(rest: str) -> bool:
    done = _DONE.search(rest)
    return done is not None and int(done[1]) >= 0


_NAMED = {"openat": "make", "rename": "rename", "link": "link", "unlink": "unlink", "mkdir": "folder"}


def _step(call: str, rest: str) -> Iterator[Step]:
    kind = call if call == "openat" else call.removesuffix("2").removesuffix("at")
    file = _FILE.match(rest)
    if kind in _NAMED:
        # a name is relative to a folder only where that was opened, which is left out of what is watched
        if file is None and (kind != "openat" or "O_CREAT" in rest):
            yield Step(_NAMED[kind], *(_plain(name) for name in _TEXT.findall(rest)))
    elif file is not None and not file[2]:
        yield _in_file(call, _plain(file[1]), rest)


def _in_file(call: str, path: str, rest: str) -> Step:
    numbers = [int(number) for number in _NUMBERS.findall(rest)]
    if call in {"write", "pwrite64"}:
        data = _TEXT.search(rest)
        assert data, rest[:200]
        return Step("write", path, at=numbers[-1] if call == "pwrite64" else -1, data=_bytes(data[1]))
    if call in {"fsync", "fdatasync"}:
        return Step("sync", path)
    if call == "ftruncate":
        return Step("size", path, at=numbers[0])
    if call == "fallocate":
        return Step("grow", path, at=numbers[-2] + numbers[-1])
    raise ValueError(f"{call} is not understood: {rest[:200]}")


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _plain(text: str) -> str:
    return _bytes(text).decode("utf-8", "replace")
