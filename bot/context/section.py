"""One named region of what a model is told: a reader and a pure renderer, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelId, platform_of
from bot.domain.redaction import Redactor
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.ports.channels import Channels
from bot.ports.journal import Journal
from bot.ports.memories import Memories
from bot.ports.platform import Capabilities

ESSENTIAL = 100
"""The priority of a section that is never dropped."""


@dataclass(frozen=True)
class Facts:
    """What the configuration and the adapters say once, at start. `personas` are those of single channels."""

    bot_name: str
    persona: str
    personas: Mapping[ChannelId, str] = field(default_factory=dict)
    platforms: Mapping[str, Capabilities] = field(default_factory=dict)
    bulletin_words: int = 500

    def capabilities(self, channel: ChannelId) -> Capabilities | None:
        """What the platform of a channel can do; None when it is not configured here."""
        return self.platforms.get(platform_of(channel))


@dataclass(frozen=True)
class Sources:
    """Where sections read, and what takes secrets out. No clock: the only time a request knows is its trigger's."""

    memories: Memories
    channels: Channels
    journal: Journal
    facts: Facts
    redactor: Redactor


class Section(Protocol):
    """A contributor to the system prompt or, when volatile, to the envelope of the newest message.

    `priority` orders what may be dropped when space is short, the lowest first; ESSENTIAL never is.
    A static or epoch section renders from `data` alone; it is never shown the state or the trigger.
    """

    @property
    def name(self) -> str:
        """What it is called, in traces and on the command line."""

    @property
    def stability(self) -> Stability:
        """How often its text changes."""

    @property
    def priority(self) -> int:
        """How much it matters when space is short."""

    def __hash__(self) -> int:
        """Sections are compared by identity: what a stable one rendered is kept under it."""

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Read whatever the section needs. The only place where it touches the world."""

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Turn what was read into text; return an empty string to be left out."""


def loaded(name: str, data: Any, *sources: str) -> Loaded:
    """Say what a section read, and from where."""
    return Loaded(name=name, data=canonical_json(data), sources=sources)


def absent(name: str, reason: str) -> Loaded:
    """Say that a section has nothing to show, and why."""
    return Loaded(name=name, data=None, reason=reason)


def values(data: JsonText) -> dict[str, Any]:
    """Read back what `loaded` wrote."""
    found: dict[str, Any] = orjson.loads(data)
    return found
