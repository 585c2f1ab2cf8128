"""F15: much of everything, and nothing at all: nothing is lost, the order stays, and it costs no more than it may."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from tests.faults.family import Family, Size, Verdict
from tests.faults.load.channels import hold, let_talk
from tests.faults.load.idle import idle
from tests.faults.load.intake import acknowledged, throughput
from tests.faults.load.lag import lag

SLICE = ("throughput/polled/1000", "idle/1h")
NIGHTLY = (
    "channels/2000/run1",
    *(f"throughput/{way}/20000/run1" for way in ("polled", "single")),
    *(f"ack/{way}/1000/10/run1" for way in ("polled", "single")),
    "lag/200/3/110/run1",
    "idle/24h/run1",
)
RELEASE = (
    # first: what writes much leaves a disk that is slow for a while
    *(f"ack/{way}/1000/30/run{run}" for run in (1, 2, 3) for way in ("polled", "single")),
    *(f"channels/10000/run{run}" for run in (1, 2, 3)),
    *(f"throughput/{way}/100000/run{run}" for run in (1, 2, 3) for way in ("polled", "single")),
    *(f"lag/200/10/110/run{run}" for run in (1, 2, 3)),
    "idle/24h/run1",
)
"""What is measured, how much of it (channels; how, messages; how, messages a second, seconds; people, messages of each,
messages before the export; hours), and which time it is measured. `talk` is a part of `channels`."""


def cases(size: Size) -> Iterable[str]:
    return {Size.SLICE: SLICE, Size.NIGHTLY: NIGHTLY, Size.RELEASE: RELEASE}[size]


async def _play(key: str, directory: Path) -> Verdict:
    match key.split("/"):
        case "channels", many, *_:
            verdict = await asyncio.to_thread(hold, int(many), directory)
        case "talk", many, *_:
            verdict = await asyncio.to_thread(let_talk, int(many), directory)
        case "throughput", way, messages, *_:
            verdict = await throughput(way, int(messages), directory)
        case "ack", way, a_second, seconds, *_:
            verdict = await acknowledged(way, int(a_second), int(seconds), directory)
        case "lag", people, messages, said, *_:
            verdict = await asyncio.to_thread(lag, int(people), int(messages), int(said))
        case "idle", hours, *_:
            verdict = await idle(int(hours.removesuffix("h")), directory)
        case _:
            raise ValueError(f"{key!r} names nothing that is measured")
    wrong = {name: many for name, many in verdict.counts.items() if name in {"lost", "twice", "disorder"} and many}
    assert not wrong, f"{key}: {wrong} of {verdict.n}"
    return verdict


FAMILY = Family("F15", "load and rest", cases, _play, seconds=1200, alone=True)
