"""R31: a bot that has been talked to for an hour takes no more memory than one that was for half an hour."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.bench.aging import figures, grow_old
from tests.faults.family import Family, Size, Verdict

CHATS = 50
SLICE = ("moment/240/40",)
WHOLE = ("hour/18000/20",)
"""How many messages, and how many a second: an hour of five a second in a quarter of it. What grows with messages is
then as large; what comes by the clock, such as the hourly sweep, which puts conversations away, comes less often."""


def cases(size: Size) -> Iterable[str]:
    return {Size.SLICE: SLICE, Size.NIGHTLY: WHOLE, Size.RELEASE: WHOLE}[size]


async def _play(key: str, directory: Path) -> Verdict:
    _, messages, rate, *_ = key.split("/")
    found = figures(await grow_old(int(messages), float(rate), CHATS, directory))
    assert found["fds"] < 100 and found["threads"] < 20, f"{key}: {found}"
    return Verdict(n=int(messages), figures=found)


FAMILY = Family("R31", "an hour's growth", cases, _play, seconds=1500, alone=True)
