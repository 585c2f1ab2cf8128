"""What a scenario is: a situation that can be brought about again, and the one rule that must explain it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.domain.finding import Confidence
from bot.domain.ids import ChannelKey
from tests.dialogs.bot import GENERAL
from tests.scenarios.stage import Stage
from tests.servers.model import Reply

HEALTHY = ""
"""Stands for a rule where nothing is wrong."""


@dataclass(frozen=True)
class Scenario:
    """`happens` brings it about; then `rule` must fire, with what an operator reads (`says`), and no other rule.

    With a `script` the model answers over a socket, by that script; without one it is the simulation. `settings` are
    keys of the configuration, by their table. `why` is what the admin types, in `place`, to ask about `target`;
    `{replied}` in it is the message that the stage was told of.
    """

    name: str
    rule: str
    happens: Callable[[Stage], Awaitable[None]]
    says: tuple[str, ...] = ()
    sure: Confidence = Confidence.CONFIRMED
    script: tuple[Reply, ...] = ()
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    target: ChannelKey = GENERAL
    place: str = "#general"
    why: str = "!cortex why"
    closed: bool = False
    """What is asked about is somebody's private talk with the cortex: its message opens for them alone."""
    live_only: bool = False
    """Only the platform, asked now, knows of it: nothing is on record that could be read on the machine."""
    outside: str = ""
    """The rule that fires on the machine, where that is a coarser one: what is finer only the running bot knows."""
    on_host: bool = False
    """Nobody can ask in the chat: the question is put on the machine, to the data directory."""

    def __repr__(self) -> str:
        return f"<{self.rule or 'healthy'}: {self.name}>"
