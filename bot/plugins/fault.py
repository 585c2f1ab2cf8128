"""What can be wrong with a part of a plugin, in the words of reports."""

from __future__ import annotations

from enum import StrEnum

from bot.errors import BotError
from bot.sentences import say
from bot.text.text import excerpt


class FaultKind(StrEnum):
    """In what way it was wrong."""

    RAISED = "raised"
    TIMEOUT = "timeout"
    BLOCKED = "blocked"
    WRONG_KIND = "wrong-kind"
    LEFT_TASK = "left-task"
    WROTE_OUTSIDE = "wrote-outside"
    OFF = "off"


class WrongPart(BotError):
    """A part of a plugin cannot be taken; the text says why."""


class PluginFault(Exception):
    """A part of a plugin did not do what it is for."""

    def __init__(self, origin: str, part: str, kind: FaultKind, detail: str) -> None:
        super().__init__(say("plugins.of-plugin", part=part, plugin=origin, kind=kind.value, detail=detail))
        self.origin = origin
        self.part = part
        self.kind = kind
        self.detail = excerpt(detail, 120)

    @property
    def words(self) -> str:
        """Say what was wrong, without naming the plugin."""
        return say("plugins.fault", kind=self.kind.value, detail=self.detail)
