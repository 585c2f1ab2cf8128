"""One named region of what a model is told: a reader and a pure renderer, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import orjson

from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelId, ChannelKey, platform_of
from bot.domain.skill import Skill, Switches
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.ports.channels import ChannelStore
from bot.ports.journal import Journal
from bot.ports.memories import MemoryStore
from bot.ports.platform import PlatformCapabilities
from bot.text.redaction import Redactor

ESSENTIAL = 100
"""The priority of a section that is never dropped."""


class AgentFacts(NamedTuple):
    """What is different with one agent; empty or None: nothing."""

    name: str = ""
    persona: str | None = None
    organisation: str | None = None


class OrganisationText(NamedTuple):
    """What the operator wrote about whom the bot works for, where that stands, and what could not be read of it."""

    text: str = ""
    sources: tuple[str, ...] = ()
    problem: str = ""


NO_ORGANISATION = OrganisationText()


@dataclass(frozen=True)
class BotFacts:
    """What the configuration and the adapters say once, at start.

    `personas` are those of single channels, and so are `links`, the channels that each is linked with; `agents` is
    what agents beside `main` are called and are like.
    """

    bot_name: str
    persona: str
    personas: Mapping[ChannelId, str] = field(default_factory=dict)
    platforms: Mapping[str, PlatformCapabilities] = field(default_factory=dict)
    bulletin_words: int = 500
    agents: Mapping[str, AgentFacts] = field(default_factory=dict)
    organisation: OrganisationText = NO_ORGANISATION
    links: Mapping[ChannelId, tuple[str, ...]] = field(default_factory=dict)

    def called(self, agent: str) -> str:
        """How people call an agent."""
        own = self.agents.get(agent)
        return own.name if own and own.name else self.bot_name

    def capabilities(self, channel: ChannelId) -> PlatformCapabilities | None:
        """What the platform of a channel can do; None when it is not configured here."""
        return self.platforms.get(platform_of(channel))


class SkillsAtHand(Protocol):
    """What can be looked up; in memory (`bot.skills.SkillLibrary`)."""

    @property
    def room(self) -> tuple[int, int]:
        """How many may be listed, and how many tokens they may take together."""

    def usable(self, agent: str) -> tuple[Skill, ...]:
        """Return the skills that an agent may look up anywhere, by name."""

    def is_on(self, name: str, switches: Switches) -> bool:
        """Say whether a skill is on where people have set these switches."""


class ToolGroup(NamedTuple):
    """A group of tools. `authority` is for whom it is open; `closed` says why it is not, `lacks` what is missing."""

    group: str
    tools: tuple[str, ...] = ()
    authority: str = ""
    closed: str = ""
    lacks: str = ""


class WorkersAtHand(Protocol):
    """What workers may use; in memory (`bot.app.agent.WorkerTools`)."""

    def of(self, key: ChannelKey) -> tuple[ToolGroup, ...]:
        """Return every group that is configured."""


class LongCall(NamedTuple):
    """A tool call that goes on in the background, or is over there (`ended`: how) and was not looked at yet."""

    name: str
    tool: str
    started: int
    ended: str = ""


CallsGoingOn = Callable[[ChannelKey], Sequence[LongCall]]
"""Says what a conversation began that goes on, or is over and was not looked at; in memory."""


@dataclass(frozen=True)
class SectionSources:
    """Where sections read, and what takes secrets out. No clock: the only time a request knows is its trigger's."""

    memories: MemoryStore
    channels: ChannelStore
    journal: Journal
    facts: BotFacts
    redactor: Redactor
    skills: SkillsAtHand | None = None
    workers: WorkersAtHand | None = None
    calls: CallsGoingOn = lambda _: ()
    on_demand: tuple[tuple[str, str], ...] = ()
    """What is asked for can have these tools opened: their names, with a few words about each."""


class Section(Protocol):
    """A contributor to the system prompt or, when volatile, to the envelope of the newest message.

    `priority` orders what may be dropped when space is short, the lowest first; ESSENTIAL never is.
    A static or epoch section renders from `data` alone; it is never shown the state or the trigger.
    """

    @property
    def name(self) -> str:
        """What it is called, in traces and on the command line."""

    @property
    def stability(self) -> SectionStability:
        """How often its text changes."""

    @property
    def priority(self) -> int:
        """How much it matters when space is short."""

    def __hash__(self) -> int:
        """Sections are compared by identity: what a stable one rendered is kept under it."""

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Read whatever the section needs. The only place where it touches the world."""

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Turn what was read into text; return an empty string to be left out."""


def loaded_section(name: str, data: Any, *sources: str) -> LoadedSection:
    """Say what a section read, and from where."""
    return LoadedSection(name=name, data=canonical_json(data), sources=sources)


def absent_section(name: str, reason: str) -> LoadedSection:
    """Say that a section has nothing to show, and why."""
    return LoadedSection(name=name, data=None, reason=reason)


def section_values(data: JsonText) -> dict[str, Any]:
    """Read back what `loaded_section` wrote."""
    found: dict[str, Any] = orjson.loads(data)
    return found
