"""F11: a proxy between the bot and a server cuts an answer at any byte, stalls it, dribbles it, or doubles the request.

`telegram/send/cut/0-40-1` cuts the answers to forty sends, each a byte later than the one before. Nothing may wait for
longer than the configured timeout; every question is answered once, or, where nobody can know, somebody is told.
The time leaps. A send to Telegram that the network doubles is written twice, and nobody but Telegram could prevent it:
that one case is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.faults import proxied_chats, proxied_models
from tests.faults.family import Family, Size, Verdict

PATHS = {
    "telegram/send": 1000,
    "telegram/poll": 1000,
    "discord/send": 2000,
    "discord/gateway": 2000,
    "discord/resume": 1000,
    "discord/history": 4000,
    "openai/stream": 2600,
    "openai/whole": 1000,
    "anthropic/stream": 2000,
    "anthropic/whole": 1000,
}
"""The ways of an answer, and more bytes than any of them has; a case ends where the answer does."""
TOGETHER = 40
"""Troubles that one bot lives through."""
STRIDE = {Size.SLICE: 0, Size.NIGHTLY: 7, Size.RELEASE: 1}
"""Bytes from one cut to the next."""
SPARSE = {"discord/history": 5}
"""Where it is more than a byte: a page of history is like any other answer, and longer."""
WAYS = ("slow", "hole", "double")
SINGLE = frozenset({"discord/gateway", "discord/resume", "telegram/send"})
"""What is not doubled: a connection that stays, and what was said above."""


def cases(size: Size) -> Iterable[str]:
    for path, most in PATHS.items():
        stride = STRIDE[size] * SPARSE.get(path, 1)
        if not stride:
            yield f"{path}/{'stall' if path in SINGLE else 'cut'}/{most // 9}-{most // 9 + 2}-1"
            continue
        for start in range(0, most, TOGETHER * stride):
            yield f"{path}/cut/{start}-{start + TOGETHER * stride}-{stride}"
        yield f"{path}/stall/0-{most}-{29 * stride}"
        yield from (f"{path}/{way}/0-3-1" for way in WAYS if way != "double" or path not in SINGLE)


async def play(key: str, directory: Path) -> Verdict:
    platform, path, kind, places = key.split("/")
    chosen = proxied_models.play if platform in proxied_models.SETTINGS else proxied_chats.play
    return await chosen(f"{platform}/{path}", kind, range(*map(int, places.split("-"))), directory)


FAMILY = Family("F11", "a proxy that cuts, stalls, dribbles and doubles", cases, play, seconds=240)
