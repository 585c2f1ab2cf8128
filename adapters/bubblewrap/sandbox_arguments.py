"""Write down the walls: the arguments with which bubblewrap and its helpers begin a program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from bot.ports.workspaces import WORKSPACE_PATH

MB = 1_000_000
_SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SETTINGS = ("ld.so.cache", "alternatives", "localtime")
_NETWORK = ("resolv.conf", "hosts", "nsswitch.conf", "services", "ssl", "ca-certificates", "pki")
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
    "HOME": WORKSPACE_PATH,
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "USER": "worker",
    "LOGNAME": "worker",
    "SHELL": "/bin/sh",
    "TERM": "dumb",
}
_SHARED_MEMORY_MB = 16
_OPEN_FILES = 256


class SandboxMode(StrEnum):
    """How the sandbox comes to be without rights: in a user namespace, or made by root, who then becomes nobody."""

    USER = "user namespace"
    ROOT = "root that drops to an unprivileged user"


class ProgramLimits(NamedTuple):
    """What one program may take, with all that it begins: figures of the configuration."""

    seconds: float
    memory_mb: int
    processes: int
    file_mb: float
    tmp_mb: int


class SandboxFds(NamedTuple):
    """Open files: what bubblewrap reads, and where it says which process takes all others along when it ends.

    It reads the filter (-1: none), and who there is, for programs that look that up.
    """

    info: int
    seccomp: int
    passwd: int
    group: int


class SandboxPlan(NamedTuple):
    """Everything that the arguments are made of. `helpers` are the paths of programs by name; `root` is the host's."""

    form: SandboxMode
    helpers: Mapping[str, str]
    limits: ProgramLimits
    network: bool
    readable: Sequence[str]
    uid: int
    root: Path = Path("/")


def command_line(
    plan: SandboxPlan, handles: SandboxFds, workspace: Path, folder: str, argv: Sequence[str]
) -> list[str]:
    """Return the whole command line: helpers outside, bubblewrap, helpers inside, the program."""
    outside = [plan.helpers["choom"], "-n", "1000", "--"] if "choom" in plan.helpers else []
    walls = [*_namespaces(plan), *_environment(), *_files(plan, handles, workspace)]
    fence = ["--info-fd", str(handles.info)]
    fence += ["--seccomp", str(handles.seccomp)] if handles.seccomp >= 0 else []
    start = ["--chdir", f"{WORKSPACE_PATH}/{folder}" if folder else WORKSPACE_PATH]
    return [*outside, plan.helpers["bwrap"], *walls, *fence, *start, "--", *_lowered_rights(plan), *argv]


def account_files(uid: int) -> tuple[bytes, bytes]:
    """Return the files that say who there is: one user, and one group."""
    return f"worker:x:{uid}:{uid}::{WORKSPACE_PATH}:/bin/sh\n".encode(), f"worker:x:{uid}:\n".encode()


def _namespaces(plan: SandboxPlan) -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
    if not plan.network:
        yield "--unshare-net"
    if plan.form is SandboxMode.USER:
        yield "--unshare-user"
    else:
        # until `setpriv` has let them go; the last one is for stepping into a folder that is the program's alone
        kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_READ_SEARCH")
        yield from ("--cap-drop", "ALL", *(word for right in kept for word in ("--cap-add", right)))
    yield from ("--die-with-parent", "--new-session", "--hostname", "sandbox")


def _environment() -> Iterator[str]:
    yield "--clearenv"
    for name, value in _ENVIRONMENT.items():
        yield from ("--setenv", name, value)


def _files(plan: SandboxPlan, handles: SandboxFds, workspace: Path) -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in _SYSTEM:
        place = plan.root / name
        if place.is_symlink():
            yield from ("--symlink", os.readlink(place), f"/{name}")
        elif place.is_dir():
            yield from ("--ro-bind", f"/{name}", f"/{name}")
    yield from ("--perms", "0755", "--dir", "/etc")
    for name in (*_SETTINGS, *(_NETWORK if plan.network else ())):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for handle, name in ((handles.passwd, "passwd"), (handles.group, "group")):
        yield from ("--perms", "0444", "--ro-bind-data", str(handle), f"/etc/{name}")
    for path in plan.readable:
        yield from ("--ro-bind", path, path)
    # process 1 is what takes everything along when the bot goes; whoever writes to its memory stays alive
    yield from ("--proc", "/proc", "--size", "4096", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--dev", "/dev")
    yield from ("--size", str(plan.limits.tmp_mb * MB), "--perms", "1777", "--tmpfs", "/tmp")
    yield from ("--size", str(_SHARED_MEMORY_MB * MB), "--perms", "1777", "--tmpfs", "/dev/shm")
    yield from ("--bind", str(workspace), WORKSPACE_PATH)
    # what bubblewrap made to hang all this on is memory without a limit
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _lowered_rights(plan: SandboxPlan) -> Iterator[str]:
    """Yield what makes the program weak: limits that it cannot raise, and no rights where it was root's."""
    limits = plan.limits
    cpu = max(1, round(limits.seconds) + 1)
    wanted = {
        "nproc": limits.processes,
        "as": limits.memory_mb * MB,
        "fsize": round(limits.file_mb * MB),
        "cpu": cpu,
        "nofile": _OPEN_FILES,
        "memlock": 0,
        "msgqueue": 0,
        # 1 and not 0: a program of the host that is fed with dumps would be started for 0
        "core": 1,
    }
    yield plan.helpers["prlimit"]
    yield from (f"--{name}={value}:{value}" for name, value in wanted.items())
    yield "--"
    if plan.form is SandboxMode.ROOT:
        uid = str(plan.uid)
        drop = ("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all")
        yield from (plan.helpers["setpriv"], "--reuid", uid, "--regid", uid, "--clear-groups", *drop, "--")
