"""F10: whatever the model's service does, at whatever moment: one message that names the reason; the talk goes on."""

from __future__ import annotations

from collections.abc import Iterable

from tests.faults.family import Family, Size
from tests.faults.provider.kinds import KINDS
from tests.faults.provider.playing import play
from tests.faults.provider.positions import POSITIONS

EVERY = 75
"""In every test run, each 41st cell: it is prime to both sides of the table, so that all rows and columns are met."""


def _cases(size: Size) -> Iterable[str]:
    every = [f"{kind}/{position}" for kind in KINDS for position in POSITIONS]
    return every[::EVERY] if size is Size.SLICE else every


FAMILY = Family("F10", "faults of the model's provider", _cases, play, seconds=60)
