"""R21: who may look where, and whose words are orders: every cell is decided as the rulings ask for.

Each table stands in `tests.faults.authorisation` once; on a whole server with people, channels and rights the 210 cells
of Discord are decided again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tests.dialogs.discord_town import CELLS as TOWN_CELLS
from tests.dialogs.discord_town import a_town, expected, remembered
from tests.faults.authorisation import matrix, words
from tests.faults.family import Family, Size, Verdict


async def _matrix(role: str, _: Path) -> Sequence[str]:
    return [await matrix.wrong(cell) for cell in matrix.CELLS if cell.role == role]


async def _telegram(*_: object) -> Sequence[str]:
    return [words.wrong_on_telegram(shape) for shape in words.telegram_shapes()]


async def _discord(*_: object) -> Sequence[str]:
    return [words.wrong_on_discord(chosen) for chosen in words.COMBINATIONS]


async def _town(_: str, directory: Path) -> Sequence[str]:
    async with a_town(directory) as town:
        decided = [(cell, (await town.decides(*cell), await town.remembers(*cell))) for cell in TOWN_CELLS]
    right = {cell: (expected(cell[0], cell[2]), remembered(cell[0], cell[2])) for cell in TOWN_CELLS}
    return ["" if got == right[cell] else f"{' / '.join(cell)}: {got}" for cell, got in decided]


TABLES: Mapping[str, Callable[[str, Path], Awaitable[Sequence[str]]]] = {
    "matrix": _matrix,
    "telegram": _telegram,
    "discord": _discord,
    "town": _town,
}


async def _play(key: str, directory: Path) -> Verdict:
    table, _, part = key.partition("/")
    found = await TABLES[table](part, directory)
    told = [one for one in found if one]
    return Verdict(n=len(found), counts={"wrong": len(told)}, trouble="\n".join(told))


def _cases(size: Size) -> Iterable[str]:
    yield from (f"matrix/{role}" for role in matrix.ROLES)
    yield from ("telegram/shapes", "discord/flags")
    if size is not Size.SLICE:
        yield "town/cells"


FAMILY = Family("R21", "the authorisation matrix", _cases, _play)
