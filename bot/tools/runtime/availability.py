"""What a group of tools needs besides permission: a program, a browser, a server. Without it, nothing is offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Look = Callable[[], str]
"""Says why a group cannot be used now, and what to do; empty when it can. Cheap: every turn asks that has the group."""


@dataclass(frozen=True, slots=True)
class ToolAvailability:
    """What stands behind groups of tools; a group that nobody speaks for needs nothing.

    `looks` is read at each question: the key is the name of the group (`shell`, `mcp:<server>`).
    """

    looks: Mapping[str, Look] = field(default_factory=dict)

    def missing(self, group: str) -> str:
        """Return what a group lacks, as the doctor shows it; empty when nothing is missing."""
        look = self.looks.get(group)
        return look() if look is not None else ""


NOTHING_NEEDED = ToolAvailability()
"""What a bot has that needs no means."""
