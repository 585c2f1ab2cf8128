"""Keep the code of plugins from writing anywhere but into their own folders, and from starting programs.

No wall: code that means harm in this process finds a way. What a plugin does by mistake is stopped and has a name.
"""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from bot.plugins.fault import FaultKind, PluginFault


class ActingPart(Protocol):
    """A part of a plugin whose code runs."""

    package: str
    folder: Path

    def fault(self, kind: FaultKind, detail: str) -> PluginFault:
        """Put a fault into words."""


acting: ContextVar[ActingPart | None] = ContextVar("the part of a plugin whose code runs", default=None)

_PATHS = {"os.mkdir": 1, "os.remove": 1, "os.rmdir": 1, "os.rename": 2, "os.symlink": 2, "os.link": 2, "os.truncate": 1}
"""Events of the interpreter that change files, and how many of their first values are paths."""
_PROGRAMS = {"subprocess.Popen", *(f"os.{name}" for name in ("system", "exec", "posix_spawn", "fork", "forkpty"))}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OURS = frozenset({"bot", "adapters"})
_GUARD = "bot.plugins.guard"


@cache
def watch_writing() -> None:
    """Look at what is written from now on; the interpreter lets nobody stop it again."""
    sys.addaudithook(_hook)


def _hook(event: str, values: tuple[Any, ...]) -> None:
    if event == "open":
        if _writes(values) and (guard := acting.get()) is not None:
            _check(guard, values[:1])
    elif event in _PATHS:
        if (guard := acting.get()) is not None:
            _check(guard, values[: _PATHS[event]])
    elif event in _PROGRAMS and (guard := acting.get()) is not None and _is_its_own(guard):
        raise guard.fault(FaultKind.WROTE_OUTSIDE, event)


def _writes(values: tuple[Any, ...]) -> bool:
    path, mode, flags = values
    return not isinstance(path, int) and (bool(set(mode) & set("wax+")) if mode else bool(flags & _WRITES))


def _check(guard: ActingPart, paths: tuple[Any, ...]) -> None:
    for path in paths:
        if isinstance(path, int):
            continue
        place = Path(os.path.realpath(os.fsdecode(path)))
        is_inside = place == guard.folder or guard.folder in place.parents or str(place) == os.devnull
        if not is_inside and _is_its_own(guard):
            raise guard.fault(FaultKind.WROTE_OUTSIDE, str(place))


def _is_its_own(guard: ActingPart) -> bool:
    """Say whether the plugin's own code does it, and not a part of the bot that it asked."""
    frame = sys._getframe(2)
    while (frame := frame.f_back) is not None:  # type: ignore[assignment]
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return False
        name = str(frame.f_globals.get("__name__", ""))
        if name == _GUARD:
            return True
        top = name.partition(".")[0]
        if top == guard.package:
            return True
        if top in _OURS:
            return False
    return True
