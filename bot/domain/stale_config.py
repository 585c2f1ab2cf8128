"""What stands in the files of the configuration and does not run, as the rules look at it."""

from __future__ import annotations

from bot.domain.base import FrozenModel


class StaleKey(FrozenModel):
    """A key that runs with another value than `file` says. `live`: a reload is enough.

    `overruled`: the environment has a value of its own, so that nothing in the file can ever count.
    """

    key: str
    file: str
    live: bool = False
    overruled: bool = False


class StaleConfig(FrozenModel):
    """The keys that differ; `refused` says why the file as it is now would not be taken at all (empty: it would)."""

    keys: tuple[StaleKey, ...] = ()
    refused: str = ""
