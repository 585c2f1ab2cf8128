"""What a bot asks of the program around it when it meets its first owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple


class ShownSilence(NamedTuple):
    """What a play of the demo left to read: the place, who was ignored there, the report, and how it was healed."""

    place: str
    ignored: str
    report: str
    healed: str


class FirstRun(NamedTuple):
    """What only the program around a bot can do: read its files again, and play the demo somewhere else."""

    read_again: Callable[[], Awaitable[None]]
    play: Callable[[], Awaitable[ShownSilence]]
