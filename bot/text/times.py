"""Write times and spans the way people read them; all times are UTC milliseconds.

A time of day is written as a mark that every platform draws in its own way: `<t:1760000000:T>`, which is Discord's.
Who has no way to draw it, such as a terminal, shows `plain_times`. Fences are left alone: what they hold was said by
others, and is shown as it was said.
"""

from __future__ import annotations

import re

TIME = re.compile(r"<t:(\d{1,11}):([tT])>(?: UTC)?")
"""A marked time: its second since 1970, and `t` for minutes or `T` for seconds.

Where it is drawn as the reader's own, it needs no `UTC`.
"""
_DAY = 86_400
_FENCED = re.compile(r"(```.+?```)", re.DOTALL)


def clock_time(at: int) -> str:
    """Mark a time of day that is shown to the second: `02:41:07`."""
    return f"<t:{at // 1000}:T>"


def minute(at: int) -> str:
    """Mark a time of day that is shown to the minute: `02:41`."""
    return f"<t:{at // 1000}:t>"


def plain_times(text: str) -> str:
    """Return a text with its times written out in UTC."""
    if "<t:" not in text:
        return text
    pieces = _FENCED.split(text)
    # what is fenced stands at the odd places
    pieces[::2] = [TIME.sub(_in_utc, piece) for piece in pieces[::2]]
    return "".join(pieces)


def spell_time(found: re.Match[str]) -> str:
    """Write a marked time out: `02:41` or `02:41:07`."""
    second = int(found[1]) % _DAY
    hours = f"{second // 3600:02d}:{second // 60 % 60:02d}"
    return hours if found[2] == "t" else f"{hours}:{second % 60:02d}"


def _in_utc(found: re.Match[str]) -> str:
    return spell_time(found) + (" UTC" if found[0].endswith(" UTC") else "")


def age(ms: int) -> str:
    """Write how long ago something was, coarsely: `2 s`, `5 min`, `2 h`, `3 d`; what lies ahead counts as now."""
    seconds = max(0, ms) // 1000
    for unit, size in (("d", _DAY), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
