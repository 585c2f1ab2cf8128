"""What every table of the configuration is."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


def keys(text: str) -> frozenset[str]:
    """Return the keys that a text lists."""
    return frozenset(text.split())


class ConfigTable(BaseModel):
    """A table of the file; unknown keys are errors.

    `live` names the keys that a running bot takes anew when it is told to (SIGHUP); every other one needs a restart.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
    live: ClassVar[frozenset[str]] = frozenset()
