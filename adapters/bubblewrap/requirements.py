"""Find out whether programs can be walled in on this machine, and say what to do where they cannot."""

from __future__ import annotations

import os
import platform
import pwd
import shutil
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path

from adapters.bubblewrap.sandbox_arguments import SandboxMode
from adapters.bubblewrap.seccomp import seccomp_filter
from bot.sentences import say

_NEEDED_PROGRAMS = {SandboxMode.USER: ("bwrap", "prlimit"), SandboxMode.ROOT: ("bwrap", "prlimit", "setpriv")}
_WELCOME_PROGRAMS = ("choom",)
_PACKAGES = {"bwrap": "bubblewrap", "prlimit": "util-linux", "setpriv": "util-linux"}
_PLACES = "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin"


def sandbox_mode() -> SandboxMode:
    """Return how the walls come to be for who runs the bot."""
    return SandboxMode.ROOT if os.geteuid() == 0 else SandboxMode.USER


def find_helpers(form: SandboxMode) -> Mapping[str, str]:
    """Return the paths of the programs that are there."""
    found = {name: shutil.which(name, path=_PLACES) for name in (*_NEEDED_PROGRAMS[form], *_WELCOME_PROGRAMS)}
    return {name: path for name, path in found.items() if path}


def missing_program(form: SandboxMode, found: Mapping[str, str], uid: int) -> str:
    """Say which program is missing; without them root's programs would have no limits. Empty when none is."""
    if os.name != "posix" or platform.system() != "Linux":
        return say("machine.not-linux")
    missing = [name for name in _NEEDED_PROGRAMS[form] if name not in found]
    if missing:
        packages = " ".join(dict.fromkeys(_PACKAGES[name] for name in missing))
        return say("machine.programs-missing", names=reduce(_and, missing), packages=packages)
    if form is SandboxMode.ROOT and uid <= 0:
        return say("machine.root-without-uid")
    if form is SandboxMode.ROOT and (owner := _name_of(uid)):
        return say("machine.uid-taken", uid=str(uid), owner=owner)
    return ""


def _and(one: str, other: str) -> str:
    return say("machine.and", one=one, other=other)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def exposed_places(readable: Sequence[str], private: Sequence[Path]) -> str:
    """Say which of the bot's own places programs could read; empty when none."""
    for place in private:
        real = Path(os.path.realpath(place))
        for shown in ("/usr", *readable):
            inside = real.is_relative_to(os.path.realpath(shown))
            if inside or (shown != "/usr" and Path(os.path.realpath(shown)).is_relative_to(real)):
                return say("machine.place-readable", shown=shown, place=str(place))
    return ""


def complaint_reason(form: SandboxMode, said: str) -> str:
    """Explain what bubblewrap complained about."""
    text = " ".join(said.split())
    low = text.lower()
    if "proc" in low and "mount" in low:
        return say("machine.no-proc", said=text[:200])
    if "namespace" in low or "uid map" in low or "loopback" in low:
        is_root = form is SandboxMode.ROOT
        return say("machine.root-in-container" if is_root else "machine.no-namespaces", said=text[:200])
    return say("machine.does-not-start", said=text[:300] or say("machine.without-a-word"))


def has_seccomp_filter() -> bool:
    """Say whether there is a filter of system calls for this kind of machine."""
    return bool(seccomp_filter(platform.machine(), network=False))
