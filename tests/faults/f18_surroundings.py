"""F18: another bot on the same data, a clock that jumps, other time zones and languages, an upgrade that is cut off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from tests.faults import migrations
from tests.faults.family import Family, Size, Verdict
from tests.faults.surroundings import clocks, places, two

TWO = {Size.NIGHTLY: 20, Size.RELEASE: 60}
TOKENS = {Size.NIGHTLY: 5, Size.RELEASE: 15}
ONLINE = ("telegram", "discord")
PLAYS: dict[str, Callable[[str, Path], Awaitable[Verdict]]] = {
    two.DATA: two.play_data,
    two.TOKEN: two.play_token,
    clocks.PREFIX: clocks.play,
    places.PREFIX: places.play,
    migrations.PREFIX: migrations.play,
}
SLICE = ("clock/hour-back/late/console", "clock/1970/talk/telegram", "clock/2038/limit/console", "two/telegram/seed0")


def cases(size: Size) -> Iterable[str]:
    """Give the cases of every kind, each known by the beginning of its key."""
    if size is Size.SLICE:
        return [*SLICE, *migrations.cases(size)]
    return [
        *migrations.cases(size),
        *clocks.cases(),
        *clocks.limits(),
        *(f"{two.DATA}{ONLINE[number % 2]}/seed{number}" for number in range(TWO[size])),
        *(f"{two.TOKEN}seed{number}" for number in range(TOKENS[size])),
        *places.cases(),
    ]


async def _play(key: str, directory: Path) -> Verdict:
    kind = next(prefix for prefix in PLAYS if key.startswith(prefix))
    return await PLAYS[kind](key, directory)


FAMILY = Family("F18", "two instances, the clock, time zones and languages, upgrades", cases, _play, seconds=150)
