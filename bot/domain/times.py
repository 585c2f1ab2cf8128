"""Write times and spans the way people read them; all times are UTC milliseconds."""

from __future__ import annotations

_DAY = 86_400


def clock_time(at: int) -> str:
    """Write the time of day to the second: `02:41:07`."""
    return f"{minute(at)}:{at // 1000 % 60:02d}"


def minute(at: int) -> str:
    """Write the time of day to the minute: `02:41`."""
    second = at // 1000 % _DAY
    return f"{second // 3600:02d}:{second // 60 % 60:02d}"


def age(ms: int) -> str:
    """Write how long ago something was, coarsely: `2 s`, `5 min`, `2 h`, `3 d`; what lies ahead counts as now."""
    seconds = max(0, ms) // 1000
    for unit, size in (("d", _DAY), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
