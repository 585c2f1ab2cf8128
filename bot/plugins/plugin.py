"""What a plugin is: what it brings, made of its own settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from bot.context.section import Section
    from bot.cortex.commands.cortex_command import CortexCommand
    from bot.diagnostics.rules import Rule
    from bot.domain.channel import ProcessKind
    from bot.domain.turn import TurnOutcome
    from bot.messaging.commands.context import ChatCommand
    from bot.messaging.policy.gates import Gate
    from bot.ports.memories import MemoryStore
    from bot.ports.model import LLMProvider, TokenCounter
    from bot.ports.platform import Platform
    from bot.task_prompt.chunk import ChunkPriority
    from bot.task_prompt.gatherers import Gather
    from bot.task_prompt.prioritisers import Prioritiser
    from bot.task_prompt.task import TaskType
    from bot.tools.runtime.tool import ToolSpec

GROUP = "glassmind"
"""The group of entry points under which distributions name their plugins."""
API_VERSION = (1, 0)
"""The version of `bot.api`: the first number rises when something goes or changes, the second when something comes."""

A = TypeVar("A")
S = TypeVar("S", bound=BaseModel)


class PluginSettings(BaseModel):
    """The keys of a table `[plugins.<name>]`; a plugin that has any makes a model of its own of this. Values stay."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


@dataclass(frozen=True)
class PluginSetup(Generic[S]):
    """What a plugin is made of. `home` is where its folder is, once something was to be kept."""

    name: str
    version: str
    settings: S
    home: Path

    @property
    def folder(self) -> Path:
        """A folder of its own in the data directory, the only place where it may write; it is there from now on."""
        for folder in (self.home.parent.parent, self.home.parent, self.home):
            # as the data directory is: nobody else's
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.home


@dataclass(frozen=True)
class PluginGate:
    """A gate with the name that it has in the ledger and in reports.

    `check` is pure and answers at once. It is asked last, about messages that everything else lets in; never about
    commands, nor about what those who steer the bot say to it in private.
    """

    name: str
    check: Gate


@dataclass(frozen=True)
class PluginScenario:
    """A situation in which a rule must speak: what somebody says to the bot (`says`), sent at `at` (UTC ms).

    `settings` are keys of the plugin's table.
    """

    says: str
    at: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PluginRule:
    """A rule with the id that its findings have, and the scenario in which it speaks."""

    id: str
    check: Rule
    scenario: PluginScenario


@dataclass(frozen=True)
class PluginSection:
    """A section of the context, for processes of these kinds. It stands behind the bot's own of the same stability."""

    section: Section
    kinds: Sequence[ProcessKind]


@dataclass(frozen=True)
class PluginGatherer:
    """A gatherer, and how much what it brings matters to each type of task; the others do not ask it."""

    gather: Gather
    wanted: Mapping[TaskType, ChunkPriority]


@dataclass(frozen=True)
class PluginPrioritiser:
    """A prioritiser with the name that its points have where they are shown."""

    name: str
    points: Prioritiser


@dataclass(frozen=True)
class PluginHook:
    """Hears of every turn of a channel once it is over; nobody waits for it."""

    name: str
    ended: Callable[[TurnOutcome], Awaitable[None]]


@dataclass(frozen=True)
class PluginAdapter(Generic[A]):
    """Makes a model service or a platform, for tables of the configuration that name it: `kind = "<name>"`.

    A service is made of the table's name and the keys of the table, a platform of the keys and the clock.
    """

    name: str
    create: Callable[..., A]


@dataclass(frozen=True)
class PluginMemories:
    """A store of memories before the bot's own, which `wrap` is given: it answers itself, or asks that one.

    It is asked for what is read. What a turn remembers is kept with the turn, in the bot's own store, so that what
    people want forgotten is gone.
    """

    name: str
    wrap: Callable[[MemoryStore], MemoryStore | MemoriesBefore]


class MemoriesBefore:
    """A store of memories that asks another for everything; a plugin's own says something else to some of it."""

    def __init__(self, own: MemoryStore) -> None:
        self.own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)


@dataclass(frozen=True)
class PluginCounter:
    """Prices texts instead of the bot's own table; one plugin at most may."""

    name: str
    counter: TokenCounter


@dataclass(frozen=True)
class PluginLanguage:
    """A language in which the bot speaks to people: a folder with the files of `prompts/en/sentences`, translated.

    What is missing there is said in English.
    """

    code: str
    folder: Path


@dataclass(frozen=True)
class PluginTheme:
    """Other words for what a model is told: a folder whose files stand for those of `prompts/en/sections`.

    A file has the name of the one that it stands for (`silence_rules.md.j2`), asks for no value that this one is not
    given, and cleans what it cleans. What is no file there stays as it is.
    """

    name: str
    folder: Path


@dataclass(frozen=True)
class Contributions:
    """Everything that one plugin brings; most bring one or two kinds."""

    tools: Sequence[ToolSpec] = ()
    gates: Sequence[PluginGate] = ()
    rules: Sequence[PluginRule] = ()
    commands: Sequence[ChatCommand] = ()
    pages: Sequence[CortexCommand] = ()
    sections: Sequence[PluginSection] = ()
    gatherers: Sequence[PluginGatherer] = ()
    prioritisers: Sequence[PluginPrioritiser] = ()
    hooks: Sequence[PluginHook] = ()
    providers: Sequence[PluginAdapter[LLMProvider]] = ()
    platforms: Sequence[PluginAdapter[Platform]] = ()
    memories: Sequence[PluginMemories] = ()
    counters: Sequence[PluginCounter] = ()
    languages: Sequence[PluginLanguage] = ()
    themes: Sequence[PluginTheme] = ()


@dataclass(frozen=True)
class Plugin(Generic[S]):
    """What an entry point names. `api` is the version of `bot.api` that it was written for."""

    build: Callable[[PluginSetup[S]], Contributions]
    settings: type[S]
    api: tuple[int, int] = (1, 0)
