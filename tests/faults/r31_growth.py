"""R31: a bot that has been talked to for an hour takes no more memory than one that was for half an hour."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.bench.aging import figures, grow_old
from tests.faults.family import Family, Size, Verdict

CHATS = 50
SLICE = ("moment/60/40",)
QUICK, WHOLE = ("quarter/18000/20",), ("hour/18000/5",)
"""How many messages, and how many a second. In a quarter of the hour as much comes, while what goes by the clock or
when nobody speaks (idle conversations, memory that is given back) goes less often: the bars are for the hour."""


def cases(size: Size) -> Iterable[str]:
    return {Size.SLICE: SLICE, Size.NIGHTLY: QUICK, Size.RELEASE: WHOLE}[size]


async def _play(key: str, directory: Path) -> Verdict:
    _, messages, rate, *_ = key.split("/")
    found = figures(await grow_old(int(messages), float(rate), CHATS, directory))
    assert found["fds"] < 100 and found["threads"] < 20, f"{key}: {found}"
    return Verdict(n=int(messages), figures=found)


FAMILY = Family("R31", "an hour's growth", cases, _play, seconds=4200, alone=True)
